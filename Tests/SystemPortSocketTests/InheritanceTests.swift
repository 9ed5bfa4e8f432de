import Foundation
import Glibc
import TestSupport
import Testing

@Suite("An app's process inherits from its device's", .suiteLimit)
struct InheritanceTests {
    @Test("No open file but its port and what it prints into")
    func files() async throws {
        // As servers make theirs: it would stay open with whoever has it.
        let server = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(server) }
        let manager = FileManager.default
        let inode = try manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(server)")
        let stage = try OrdersStage()
        await stage.openAndLeave()
        let process = try await stage.launched()
        let files = try manager.contentsOfDirectory(atPath: "/proc/\(process)/fd").compactMap { file in
            try? manager.destinationOfSymbolicLink(atPath: "/proc/\(process)/fd/\(file)")
        }
        #expect(files.count >= 4)
        #expect(!files.contains(inode))
    }
}
