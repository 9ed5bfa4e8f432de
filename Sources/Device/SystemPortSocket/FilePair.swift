import CProcess
import Foundation
import Glibc

/// Two related file descriptors; no child process inherits them, even if another thread starts one while they are
/// created.
package struct FilePair: Sendable {
    package var first: Int32
    package var second: Int32

    /// Creates the two ends of a stream socket.
    package static func sockets() throws(PortProblem) -> FilePair {
        try make { unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &$0) }
    }

    /// Creates a pipe; the end to read from comes first.
    static func pipe() throws(PortProblem) -> FilePair { try make { unsafe pipe2(&$0, O_CLOEXEC) } }

    /// Creates a pair with a C function that fills an array of two numbers.
    private static func make(_ fill: (inout [Int32]) -> Int32) throws(PortProblem) -> FilePair {
        var numbers: [Int32] = [0, 0]
        guard fill(&numbers) == 0 else {
            throw PortProblem("A connection cannot be created: \(unsafe String(cString: strerror(errno))).")
        }
        return FilePair(first: numbers[0], second: numbers[1])
    }
}
