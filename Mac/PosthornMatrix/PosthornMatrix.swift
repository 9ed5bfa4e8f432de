// The product of this name on Apple platforms. The module itself runs on Linux: the names with which tests begin are here, so that they
// say what to do.

/// The callback matrix with an app of your own.
@available(
    *,
    unavailable,
    message: "The emulated phone needs Linux: docker run --rm -v \"$PWD:/app\" -w /app swift:6.2 swift test"
)
public enum CallbackMatrix {
    public struct Options { public init() {} }
    public static func run(
        _ options: Options = Options(),
        serviceExtension: (() -> Any)? = nil,
        prepare: (() async throws -> Void)? = nil,
        delegate: () -> Any
    ) async throws {}
}
