import Foundation
import PushModel
import TestSupport
import Testing

@Suite("Failures of files in words")
struct FileWordsTests {
    @Test("The system's reason of a failed write and a failed read is said, and their paths")
    func reasons() throws {
        let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
        let write = try #require(throws: (any Error).self) { try full.write(contentsOf: Data([1])) }
        #expect(FileWords.reason(of: write) == "No space left on device")
        let read = try #require(throws: (any Error).self) { try Data(contentsOf: URL(filePath: "/nowhere/at all")) }
        #expect(FileWords.sentence(of: read) == "'/nowhere/at all' cannot be read: No such file or directory")
        #expect(FileWords.reason(of: POSIXError(.EROFS)) == "Read-only file system")
    }

    @Test("An error of another kind describes itself")
    func others() {
        struct Other: Error, CustomStringConvertible { var description: String { "other words" } }
        #expect(FileWords.reason(of: Other()) == nil)
        #expect(FileWords.described(Other()) == "other words")
    }
}
