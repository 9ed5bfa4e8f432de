import Foundation

/// The number of files and sockets that this process may have open at a time.
package enum OpenFileLimit {
    /// Raises the limit as far as the system permits, which may be far above its initial value.
    ///
    /// - Returns: the new limit.
    @discardableResult
    package static func raise() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return 0 }
        let before = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        guard unsafe setrlimit(resource, &limit) == 0 else { return Int(clamping: before) }
        return Int(clamping: limit.rlim_max)
    }

    #if canImport(Glibc)
    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
    private static var resource: Int32 { Int32(RLIMIT_NOFILE) }
    #endif
}
