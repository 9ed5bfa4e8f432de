import AppleDeveloper
import Foundation
import PushModel
import TestSupport
import Testing

@testable import APNSGateway

@Suite("Keys on disk")
struct MadeKeyFolderTests {
    private func gateway(_ folder: String) throws -> Gateway {
        let gateway = try World().gateway
        try gateway.keepKeys(in: folder)
        return gateway
    }

    private func order(_ id: String, relatedTo: String? = nil) -> KeyOrder {
        var order = KeyOrder(teamID: "ABCDE12345")
        order.id = id
        order.environments = [.production]
        order.scope = .topics([bundleID, "com.example.second"])
        order.relatedTo = relatedTo
        return order
    }

    @Test("Made keys survive a restart: scope, relation, revocation and order, and no private key is kept")
    func restart() async throws {
        try await withTemporaryPath { folder in
            let path = folder + "/keys"
            let before = try gateway(path)
            let first = try before.makeKey(order("AAAAAAAAAA"))
            _ = try before.makeKey(order("BBBBBBBBBB", relatedTo: "AAAAAAAAAA"))
            _ = try before.makeKey(KeyOrder(teamID: "ABCDE12345"))
            try before.revoke("BBBBBBBBBB")
            _ = try before.makeKey(order("CCCCCCCCCC", relatedTo: "AAAAAAAAAA"))
            let after = try gateway(path)
            func facts(_ gateway: Gateway) -> [JSONObject] { gateway.keys.filter { $0.teamID != team }.map(\.json) }
            #expect(facts(after) == facts(before))
            #expect(facts(after).count == 4)
            #expect(after.credentials.key("AAAAAAAAAA")?.relatedTo == "CCCCCCCCCC")
            #expect(after.credentials.key("BBBBBBBBBB")?.isRevoked == true)
            #expect(throws: KeyRefusal.self) { try after.makeKey(order("AAAAAAAAAA")) }
            let secret = try #require(first.p8).split(separator: "\n")[1]
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                let file = path + "/" + name
                #expect(!(try String(contentsOfFile: file, encoding: .utf8)).contains(secret))
                let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
                #expect(mode == 0o600)
            }
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o700)
        }
    }

    @Test("A damaged file stops the start, and is named", arguments: ["", "{}", "[", #"{"number":1,"revoked":false}"#])
    func damaged(_ text: String) async throws {
        try await withTemporaryPath { folder in
            _ = try gateway(folder).makeKey(order("AAAAAAAAAA"))
            let file = folder + "/AAAAAAAAAA.json"
            try Data(text.utf8).write(to: URL(filePath: file))
            let problem = #expect(throws: PrivateFile.Problem.self) { _ = try gateway(folder) }
            #expect(problem?.description.hasPrefix("'\(file)' is not a key") == true)
            #expect(problem?.description.contains("Restore it from a backup") == true)
        }
    }

    @Test("A key that cannot be written is not accepted")
    func unwritable() async throws {
        try await withTemporaryPath { folder in
            let gateway = try gateway(folder + "/keys")
            try FileManager.default.removeItem(atPath: folder + "/keys")
            try Data().write(to: URL(filePath: folder + "/keys"))
            #expect(throws: (any Error).self) { try gateway.makeKey(order("AAAAAAAAAA")) }
            #expect(gateway.credentials.key("AAAAAAAAAA") == nil)
        }
    }
}
