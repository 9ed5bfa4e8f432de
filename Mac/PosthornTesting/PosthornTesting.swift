// The product of this name on Apple platforms. The module itself runs on Linux: its names are here, so that a test which uses them
// says what to do.

/// A phone for tests.
@available(
    *,
    unavailable,
    message: "The emulated phone needs Linux: docker run --rm -v \"$PWD:/app\" -w /app swift:6.2 swift test"
)
public final class TestPhone {}

/// An app as built.
@available(
    *,
    unavailable,
    message: "The emulated phone needs Linux: docker run --rm -v \"$PWD:/app\" -w /app swift:6.2 swift test"
)
public struct InstalledApp {}

/// A JPush service in the process of a test.
@available(
    *,
    unavailable,
    message: "The emulated phone needs Linux: docker run --rm -v \"$PWD:/app\" -w /app swift:6.2 swift test"
)
public final class TestJPush {}

/// The version of iOS on a phone.
@available(
    *,
    unavailable,
    message: "The emulated phone needs Linux: docker run --rm -v \"$PWD:/app\" -w /app swift:6.2 swift test"
)
public struct SystemProfile {}
