import Foundation
import PosthornStack
import PushService
import TestSupport
import Testing

@Suite("The machine of a service, for posthorn doctor")
struct ServiceMachineTests {
    @Test("The key of the certificate must not be for all: the group may read it", arguments: [(0o644, 1), (0o640, 0)])
    func keyFile(_ mode: Int, _ problems: Int) async throws {
        try withTemporaryFolder { folder in
            let data = folder.appending(path: "data")
            let key = folder.appending(path: "key.pem")
            try FileManager.default.createDirectory(
                at: data,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            try Data().write(to: key)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: key.path)
            let facts = ServiceMachine(folder: data.path, keyFile: key.path).facts()
            #expect(facts.readable.count == problems)
            #expect(facts.readable.allSatisfy { $0.found.contains("key.pem' has mode 644") })
            #expect(ServiceMachine(folder: data.path).facts().readable == [])
        }
    }
}
