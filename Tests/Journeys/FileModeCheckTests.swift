import Foundation
import PosthornStack
import PushService
import TestSupport
import Testing

@Suite("The modes of files that only the service may read")
struct FileModeCheckTests {
    @Test("A file or folder that others can open is told, with how to close it")
    func modes() throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "key")
            try Data().write(to: file)
            func problem(_ url: URL, _ mode: Int, group: Bool = false) throws -> String? {
                let path = url.path(percentEncoded: false)
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
                return FileModeCheck.problem(of: path, group: group)?.found
            }
            #expect(try problem(file, 0o600) == nil)
            #expect(try problem(file, 0o400) == nil)
            let path = file.path(percentEncoded: false)
            #expect(
                try problem(file, 0o640)
                    == "'\(path)' has mode 640, which lets others than its owner at it; 'chmod 600' keeps them out."
            )
            #expect(try problem(file, 0o640, group: true) == nil)
            #expect(try problem(file, 0o644, group: true)?.hasSuffix("'chmod 640' keeps them out.") == true)
            #expect(try problem(folder, 0o755)?.hasSuffix("'chmod 700' keeps them out.") == true)
            #expect(try problem(folder, 0o700) == nil)
            #expect(FileModeCheck.problem(of: folder.appending(path: "none").path) == nil, "It is not there.")
        }
    }
}
