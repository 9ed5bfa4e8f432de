package import SystemPort

/// A content extension that is installed with its app.
package struct ContentExtensionProgram: Sendable {
    package var info: ContentExtensionInfo
    /// Starts a process of the extension, once for each expanded view.
    package var launch: @Sendable (any SystemPort) -> any AppEndpoint

    package init(info: ContentExtensionInfo, launch: @escaping @Sendable (any SystemPort) -> any AppEndpoint) {
        self.info = info
        self.launch = launch
    }
}
