public import SystemPort

/// A content extension that is installed with its app.
public struct ContentExtensionProgram: Sendable {
    public var info: ContentExtensionInfo
    /// Starts a process of the extension, once for each expanded view.
    public var launch: @Sendable (any SystemPort) -> any AppEndpoint

    public init(info: ContentExtensionInfo, launch: @escaping @Sendable (any SystemPort) -> any AppEndpoint) {
        self.info = info
        self.launch = launch
    }
}
