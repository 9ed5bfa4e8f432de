import APNSGateway
import AppleDeveloper
import Foundation
import TestSupport
import Testing

@Suite("Private file")
struct PrivateFileTests {
    @Test("Is for its owner's eyes, also over an older file for everybody")
    func permissions() async throws {
        try await withTemporaryPath { folder in
            let path = folder + "/new/secret"
            for mode in [0o600, 0o644] {
                try PrivateFile.write(Data("\(mode)".utf8), to: path)
                let attributes = try FileManager.default.attributesOfItem(atPath: path)
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
                #expect(try String(contentsOfFile: path, encoding: .utf8) == "\(mode)")
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            }
        }
    }

    @Test("Says why it cannot be written, and leaves nothing behind")
    func problem() async throws {
        try await withTemporaryPath { folder in
            try FileManager.default.createDirectory(atPath: folder + "/taken/full", withIntermediateDirectories: true)
            let problem = #expect(throws: PrivateFile.Problem.self) {
                try PrivateFile.write(Data("new".utf8), to: folder + "/taken")
            }
            #expect(problem?.description.hasPrefix("'\(folder)/taken' cannot be written: ") == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["taken"])
        }
    }
}
