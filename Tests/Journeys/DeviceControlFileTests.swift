import Foundation
import TestSupport
import Testing

@testable import PosthornStack

@Suite("The file that says where a device takes orders")
struct DeviceControlFileTests {
    private func file(in folder: URL) throws -> DeviceControlFile {
        try DeviceControlFile("iPhone", environment: ["XDG_RUNTIME_DIR": folder.path(percentEncoded: false)])
    }

    private func setMode(_ mode: Int, of folder: URL) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: mode],
            ofItemAtPath: folder.path(percentEncoded: false)
        )
    }

    @Test("It lies in the runtime folder, readable by its owner alone")
    func place() throws {
        try withTemporaryFolder { folder in
            let file = try file(in: folder)
            try file.write("ws://127.0.0.1:1/x")
            #expect(try self.file(in: folder).read() == "ws://127.0.0.1:1/x")
            for (path, mode) in [("posthorn", 0o700), ("posthorn/iPhone.device", 0o600)] {
                let path = folder.appending(path: path).path(percentEncoded: false)
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode)
            }
        }
    }

    @Test("A folder that others can write to or read, or a link in its place, is not used")
    func strangers() throws {
        try withTemporaryFolder { folder in
            let own = folder.appending(path: "posthorn")
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
            for mode in [0o777, 0o755, 0o710] {
                try setMode(mode, of: own)
                let error = #expect(throws: DeviceOrderProblem.self) { try file(in: folder) }
                #expect(error?.description.contains("which lets others in; 'chmod 700' keeps them out.") == true)
            }
            try setMode(0o700, of: own)
            _ = try file(in: folder)
            // Somebody who may write beside it could put another in its place; where a sticky bit is, they could not.
            try setMode(0o777, of: folder)
            #expect(throws: DeviceOrderProblem.self) { try file(in: folder) }
            try setMode(0o1777, of: folder)
            _ = try file(in: folder)
            let other = folder.appending(path: "other")
            try FileManager.default.moveItem(at: own, to: other)
            try FileManager.default.createSymbolicLink(at: own, withDestinationURL: other)
            let error = #expect(throws: DeviceOrderProblem.self) { try file(in: folder) }
            #expect(error?.description.contains("is not a folder, or is a link to one") == true)
        }
    }
}
