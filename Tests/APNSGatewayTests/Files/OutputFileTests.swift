import AppleDeveloper
import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

@Suite("Files that commands write", .timeLimit(.minutes(1)))
struct OutputFileTests {
    /// The type and the permissions of a file; 0 for none. A link is not followed.
    private func mode(_ path: String) -> mode_t {
        guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
            let permissions = facts[.posixPermissions] as? NSNumber
        else { return 0 }
        let types: [FileAttributeType: mode_t] = [
            .typeRegular: S_IFREG, .typeSymbolicLink: S_IFLNK, .typeDirectory: S_IFDIR, .typeCharacterSpecial: S_IFCHR,
        ]
        // Foundation has no word for a pipe.
        let type = (facts[.type] as? FileAttributeType).flatMap { types[$0] } ?? S_IFIFO
        return type | permissions.uint32Value
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    }

    @Test("A link stays, and its target is replaced, also through several links and where there was no target")
    func links() throws {
        try withTemporaryFolder { folder in
            func path(_ name: String) -> String { folder.appending(path: name).path }
            try FileManager.default.createDirectory(atPath: path("far"), withIntermediateDirectories: false)
            try Data("old".utf8).write(to: URL(filePath: path("far/target")))
            try FileManager.default.createSymbolicLink(atPath: path("far/second"), withDestinationPath: "target")
            try FileManager.default.createSymbolicLink(atPath: path("first"), withDestinationPath: "far/second")
            try FileManager.default.createSymbolicLink(atPath: path("nowhere"), withDestinationPath: path("far/new"))
            for isPrivate in [false, true] {
                try OutputFile.write(Data("new \(isPrivate)".utf8), to: path("first"), isPrivate: isPrivate)
                try OutputFile.write(Data("new \(isPrivate)".utf8), to: path("nowhere"), isPrivate: isPrivate)
                #expect(
                    try text(path("far/target")) == "new \(isPrivate)" && text(path("far/new")) == "new \(isPrivate)"
                )
                for link in ["first", "far/second", "nowhere"] {
                    #expect(mode(path(link)) & S_IFMT == S_IFLNK, "\(link)")
                }
            }
            try PrivateFile.write(Data("private".utf8), to: path("first"))
            #expect(try text(path("far/target")) == "private" && mode(path("first")) & S_IFMT == S_IFLNK)
            try FileManager.default.createSymbolicLink(atPath: path("round"), withDestinationPath: "round")
            #expect(throws: PrivateFile.Problem.self) { try OutputFile.write(Data(), to: path("round")) }
            OutputFile.remove(path("first"))
            #expect(mode(path("first")) & S_IFMT == S_IFLNK && mode(path("far/target")) == 0)
            let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            #expect(left == ["far", "far/new", "far/second", "first", "nowhere", "round"])
        }
    }

    @Test("A pipe is written in place, and not removed")
    func pipes() throws {
        try withTemporaryFolder { folder in
            let pipe = folder.appending(path: "pipe").path
            let made = unsafe mkfifo(pipe, 0o600)
            #expect(made == 0)
            // Open for both, so that neither end waits for the other.
            let reader = unsafe open(pipe, O_RDWR | O_NONBLOCK)
            defer { close(reader) }
            for isPrivate in [false, true] {
                try OutputFile.write(Data("through".utf8), to: pipe, isPrivate: isPrivate)
                var bytes = [UInt8](repeating: 0, count: 20)
                let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(reader, $0.baseAddress, $0.count) }
                #expect(bytes.prefix(max(0, count)).elementsEqual("through".utf8))
                #expect(mode(pipe) & S_IFMT == S_IFIFO)
            }
            OutputFile.remove(pipe)
            #expect(mode(pipe) & S_IFMT == S_IFIFO && !OutputFile.isRegular(pipe))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["pipe"])
        }
    }

    @Test("A device is written in place, and what it cannot take is an error")
    func devices() throws {
        for device in ["/dev/null", "/dev/full"] where mode(device) & S_IFMT == S_IFCHR {
            let before = mode(device)
            let problem: PrivateFile.Problem?
            do throws(PrivateFile.Problem) {
                try OutputFile.write(Data("x".utf8), to: device)
                problem = nil
            } catch { problem = error }
            #expect((problem != nil) == (device == "/dev/full"), "\(device)")
            if let problem { #expect(problem.description.hasPrefix("'/dev/full' cannot be written: ")) }
            OutputFile.remove(device)
            #expect(mode(device) == before, "\(device)")
        }
    }

    @Test("A regular file keeps its mode, or is its owner's alone; without a commit it is as it was")
    func regular() throws {
        try withTemporaryFolder { folder in
            let path = folder.appending(path: "file").path
            try OutputFile.write(Data("one".utf8), to: path)
            let isChanged = unsafe chmod(path, 0o640) == 0
            #expect(isChanged)
            try OutputFile.write(Data("two".utf8), to: path)
            #expect(mode(path) & 0o777 == 0o640)
            let file = try OutputFile(path, isPrivate: true)
            try file.write(Data("half".utf8))
            file.discard()
            #expect(try text(path) == "two" && mode(path) & 0o777 == 0o640)
            try OutputFile.write(Data("three".utf8), to: path, isPrivate: true)
            #expect(try text(path) == "three" && mode(path) & 0o777 == 0o600)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
            #expect(throws: PrivateFile.Problem.self) { try OutputFile(folder.path) }
            #expect(throws: PrivateFile.Problem.self) { try OutputFile(folder.appending(path: "none/file").path) }
        }
    }

    @Test("In a folder for everybody, another user's link is not followed", .enabled(if: geteuid() == 0))
    func foreignLinks() throws {
        try withTemporaryFolder { folder in
            let shared = folder.appending(path: "shared").path
            let target = folder.appending(path: "target").path
            try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: false)
            let isShared = unsafe chmod(shared, 0o1777) == 0
            #expect(isShared)
            try Data("mine".utf8).write(to: URL(filePath: target))
            try FileManager.default.createSymbolicLink(atPath: shared + "/out", withDestinationPath: target)
            let isForeign = unsafe lchown(shared + "/out", 12_345, 12_345) == 0
            #expect(isForeign)
            #expect(throws: PrivateFile.Problem.self) { try OutputFile.write(Data("x".utf8), to: shared + "/out") }
            #expect(try text(target) == "mine")
            let isOwn = unsafe lchown(shared + "/out", 0, 0) == 0
            #expect(isOwn)
            try OutputFile.write(Data("x".utf8), to: shared + "/out")
            #expect(try text(target) == "x")
        }
    }
}
