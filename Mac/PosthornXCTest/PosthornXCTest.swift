// The product of this name on Apple platforms. The module itself runs on Linux: the names with which tests begin are here, so that they
// say what to do.

/// A test case whose failures come with the stories of its phones.
@available(
    *,
    unavailable,
    message: "The emulated phone needs Linux: docker run --rm -v \"$PWD:/app\" -w /app swift:6.2 swift test"
)
open class PhoneTestCase {}

/// A phone for tests.
@available(
    *,
    unavailable,
    message: "The emulated phone needs Linux: docker run --rm -v \"$PWD:/app\" -w /app swift:6.2 swift test"
)
public final class TestPhone {
    public init(_ profile: SystemProfile = SystemProfile(version: "")) {}
    public init(startingAt date: Any, _ profile: SystemProfile = SystemProfile(version: ""), zone: Any? = nil) {}
}

/// An app as built.
@available(
    *,
    unavailable,
    message: "The emulated phone needs Linux: docker run --rm -v \"$PWD:/app\" -w /app swift:6.2 swift test"
)
public struct InstalledApp {
    public init(
        bundleID: String,
        name: String? = nil,
        backgroundModes: [String] = [],
        link: String? = nil,
        info: [String: Any] = [:]
    ) {}
}

/// The version of iOS on a phone.
@available(
    *,
    unavailable,
    message: "The emulated phone needs Linux: docker run --rm -v \"$PWD:/app\" -w /app swift:6.2 swift test"
)
public struct SystemProfile {
    public init(version: String) {}
    public static func iOS(_ major: Int) -> SystemProfile { SystemProfile(version: "\(major).0") }
}
