import APNSGateway
import APNSProvider
import Foundation
import PushModel

/// What somebody needs to push to a gateway, as files: for load tools and clients of other makers.
package struct HandOut: Sendable {
    package static let topic = "com.example.app"

    private let folder: String

    package init(folder: String) { self.folder = folder }

    /// Issues tokens of the production environment and writes the files, `tokens` and `authorization` last.
    ///
    /// - Throws: when the folder cannot be made or written.
    package func write(_ node: GatewayNode, tokens count: Int) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let key = try APNSSigningKey(p8: node.key.p8, keyID: node.key.id, teamID: node.key.teamID)
        let tokens = (0..<count).map { _ in
            node.server.gateway.issueToken(topic: Self.topic, environment: .production).hexadecimal
        }
        try put("ca.pem", try String(contentsOfFile: node.caPath, encoding: .utf8))
        try put("key.p8", node.key.p8)
        try put("keyID", node.key.id)
        try put("teamID", node.key.teamID)
        try put("topic", Self.topic)
        try put("tokens", tokens.joined(separator: "\n"))
        try put("authorization", "bearer " + (try key.token(issuedAt: Date())))
    }

    private func put(_ name: String, _ text: String) throws {
        let file = URL(filePath: folder).appending(path: name)
        // Whole or not at all, so that who waits for a file never reads half of it.
        try Data((text + "\n").utf8).write(to: file, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    }
}
