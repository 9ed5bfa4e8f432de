import ArgumentParser
import Foundation

/// A command that runs a server, a device or both in this process.
///
/// A server reserves far more address space than it uses memory: stacks and arenas of its threads. Where there is too little, the system's
/// libraries end the process by a trap, or wait for ever, before anything can be said about it.
protocol ServerProcess: ParsableCommand {}

/// The address space that a process may reserve (`ulimit -v`, `LimitAS` of systemd).
enum AddressSpace {
    /// The least for a server in bytes: 1 GiB. An idle one reserves 0.9 GB on two processors.
    static let least: UInt64 = 1 << 30

    /// - Throws: if the limit is too low for a server.
    static func check() throws(TooLittle) {
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < least else { return }
        throw TooLittle(bytes: UInt64(limit.rlim_cur))
    }

    struct TooLittle: Error, Equatable, CustomStringConvertible {
        var bytes: UInt64

        var description: String {
            """
            The process may reserve \(bytes / (1 << 20)) MiB of address space; a server needs at least \(AddressSpace.least / (1 << 20)). \
            Raise the limit ('ulimit -v unlimited', or LimitAS=infinity in the unit of systemd), and limit its memory instead.
            """
        }
    }

    #if canImport(Glibc)
    private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_AS.rawValue) }
    #else
    private static var resource: Int32 { Int32(RLIMIT_AS) }
    #endif
}
