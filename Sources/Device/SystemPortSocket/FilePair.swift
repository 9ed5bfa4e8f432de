import CProcess
import Foundation
import Glibc

/// Two open files that belong together; no program that is started inherits them, not even one that another thread starts
/// while they are made.
package struct FilePair: Sendable {
    package var first: Int32
    package var second: Int32

    /// Two ends of a stream socket.
    package static func sockets() throws(PortProblem) -> FilePair {
        try make { unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &$0) }
    }

    /// First the end to read from.
    static func pipe() throws(PortProblem) -> FilePair { try make { unsafe pipe2(&$0, O_CLOEXEC) } }

    /// C's interface fills an array of two numbers.
    private static func make(_ fill: (inout [Int32]) -> Int32) throws(PortProblem) -> FilePair {
        var numbers: [Int32] = [0, 0]
        guard fill(&numbers) == 0 else {
            throw PortProblem("No connection can be made: \(unsafe String(cString: strerror(errno))).")
        }
        return FilePair(first: numbers[0], second: numbers[1])
    }
}
