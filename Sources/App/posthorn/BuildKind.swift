import Logging

/// The optimisation of the program.
enum BuildKind {
    #if DEBUG
    static let isDebug = true
    #else
    static let isDebug = false
    #endif

    /// The version as `posthorn --version` prints it. Benchmarks refuse a debug build by it.
    static let version = isDebug ? "\(Posthorn.version) (debug build)" : Posthorn.version

    /// Warns that a server is a debug build.
    static func warn(_ logger: Logger) {
        guard isDebug else { return }
        logger.warning("This is a slow debug build; in a checkout, 'POSTHORN_BUILD=release ./posthorn' runs the other")
    }
}
