// The product of this name on Apple platforms. The module itself runs on Linux: its names are here, so that a test which uses them
// says what to do.

/// The callback matrix with an app of your own.
@available(
    *,
    unavailable,
    message: "The emulated phone needs Linux: docker run --rm -v \"$PWD:/app\" -w /app swift:6.2 swift test"
)
public enum CallbackMatrix {}
