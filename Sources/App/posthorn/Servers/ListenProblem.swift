import NIOCore
import SystemPackage

/// The error for a socket that cannot listen.
struct ListenProblem: Error, CustomStringConvertible {
    var description: String

    /// - `advice`: the change to make, such as "choose another --port".
    init(host: String, port: Int, error: any Error, advice: String) {
        let reason =
            switch error {
            case let error as IOError: Errno(rawValue: error.errnoCode).description
            case is SocketAddressError: "the host is not known"
            default: "\(error)"
            }
        description = "cannot listen on \(host):\(port): \(reason); \(advice)"
    }
}
