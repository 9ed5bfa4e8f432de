import AppleDeveloper
import Foundation
import PushModel
import TestSupport
import Testing

@testable import APNSGateway

/// A damaged file that a gateway cannot make anew without loss stops its start and stays as it is.
@Suite("Damaged files")
struct DamagedFileTests {
    /// Has `load` make the file, damages it in several ways, and looks at what `load` then says.
    private func damage(
        _ name: String,
        expecting words: String,
        _ load: (_ folder: String) throws -> Void
    ) async throws {
        for damaged in [Data(), Data("abc".utf8), Data(repeating: 0xFF, count: 400)] {
            try await withTemporaryPath { folder in
                try load(folder)
                try load(folder)
                let path = folder + "/" + name
                try damaged.write(to: URL(filePath: path))
                let problem = #expect(throws: PrivateFile.Problem.self) { try load(folder) }
                let text = problem?.description ?? ""
                #expect(text.contains("'\(path)'"))
                #expect(text.contains("\(damaged.count) bytes"))
                #expect(text.contains(words))
                #expect(text.contains("from a backup"))
                #expect(text.contains("delete"))
                #expect(try Data(contentsOf: URL(filePath: path)) == damaged)
            }
        }
    }

    @Test("The secret of device tokens")
    func secret() async throws {
        try await damage("token.secret", expecting: "expected 32") { _ = try GatewaySecret.load(folder: $0) }
    }

    @Test(
        "The authority's key and its certificate",
        arguments: [("ca.key", "holds no key"), ("ca.pem", "holds no certificate")]
    )
    func authority(_ name: String, _ words: String) async throws {
        try await damage(name, expecting: words) { _ = try GatewayAuthority(folder: $0) }
    }

    @Test("One half of the authority, or the key of another")
    func halves() async throws {
        try await withTemporaryPath { folder in
            let pem = try GatewayAuthority(folder: folder).pem
            let key = try Data(contentsOf: URL(filePath: folder + "/ca.key"))
            for name in ["ca.pem", "ca.key"] {
                let kept = try Data(contentsOf: URL(filePath: folder + "/" + name))
                try FileManager.default.removeItem(atPath: folder + "/" + name)
                let problem = #expect(throws: PrivateFile.Problem.self) { try GatewayAuthority(folder: folder) }
                #expect(problem?.description.hasPrefix("'\(folder)/\(name)' is missing") == true)
                try kept.write(to: URL(filePath: folder + "/" + name))
            }
            try await withTemporaryPath { other in
                _ = try GatewayAuthority(folder: other)
                try FileManager.default.removeItem(atPath: folder + "/ca.key")
                try FileManager.default.copyItem(atPath: other + "/ca.key", toPath: folder + "/ca.key")
            }
            let problem = #expect(throws: PrivateFile.Problem.self) { try GatewayAuthority(folder: folder) }
            #expect(problem?.description.contains("is not that of the certificate") == true)
            try key.write(to: URL(filePath: folder + "/ca.key"))
            #expect(try GatewayAuthority(folder: folder).pem == pem)
        }
    }

    @Test("The provider key")
    func providerKey() async throws {
        try await damage("AuthKey_K.p8", expecting: "holds no P-256 key") { folder in
            let gateway = try World().gateway
            let key = try ProviderKeyFile.load(folder + "/AuthKey_K.p8", id: "K", team: "T", for: gateway)
            #expect(gateway.keys.contains { $0.id == key.id })
        }
    }
}
