import Foundation
import NIOCore
import TestSupport
import Testing

@testable import PosthornStack

@Suite("The socket for operators", .timeLimit(.minutes(1)))
struct OperatorSocketTests {
    @Test("A socket can be opened at the path of any length", arguments: 95...115)
    func lengths(length: Int) async throws {
        try withTemporaryFolder { folder in
            let rest = length - "\(folder.path)//run/operator.sock".utf8.count
            try #require(rest > 0)
            let data = folder.appending(path: String(repeating: "d", count: rest)).path
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            let socket = try OperatorSocket(in: data, isServer: true)
            _ = try SocketAddress(unixDomainSocketPath: socket.path)
        }
    }
}
