import APNSGateway
import APNSProvider
import AppleDeveloper
import Foundation
package import PushModel

/// The files needed to push to a gateway, for test suites, load tools and third-party clients.
package struct GatewayExport: Sendable {
    package static let topic = "com.example.app"
    private static let otherTopic = "com.example.other"

    private let folder: String

    package init(folder: String) { self.folder = folder }

    /// Issues tokens of the production environment and writes the files, `authorization` last.
    ///
    /// Writes no certificates if the gateway's own was issued elsewhere, because then it has no authority.
    /// - Throws: an error if the folder cannot be created or written.
    package func write(_ node: GatewayNode, keys: HandedOutKeys, tokens count: Int) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let key = try APNSSigningKey(p8: node.key.p8, keyID: node.key.id, teamID: node.key.teamID)
        let tokens = (0..<count).map { _ in
            node.server.gateway.issueToken(topic: Self.topic, environment: .production).hexadecimal
        }
        let samples = SampleTokens(
            of: node.server.gateway,
            topic: Self.topic,
            otherTopic: Self.otherTopic,
            environment: .production
        )
        try put("port", "\(node.server.port(for: .production) ?? 0)")
        try put("ca.pem", try String(contentsOfFile: node.caPath, encoding: .utf8))
        try put("key.p8", node.key.p8)
        try put("keyID", node.key.id)
        try put("teamID", node.key.teamID)
        try put("topic", Self.topic)
        for (name, key) in keys.named {
            try put(name + "Key.p8", key.p8)
            try put(name + "KeyID", key.id)
        }
        try put("secondTeamID", keys.secondTeam.teamID)
        try put("secondTeamTopic", HandedOutKeys.secondTopic)
        let foreign = node.server.gateway.issueToken(topic: HandedOutKeys.secondTopic, environment: .production)
        try put("secondTeamToken", foreign.hexadecimal)
        if node.authority.canIssue {
            try put("password", PushCertificateFiles.password)
            let appID = try AppID(bundleID: Self.topic, hasPush: true)
            _ = try PushCertificateFiles(of: appID, by: node.authority, at: Date()).write(to: folder)
        }
        try put("unregistered", samples.unregistered.hexadecimal)
        try put("otherTopic", samples.otherTopic.hexadecimal)
        try put("otherEnvironment", samples.otherEnvironment.hexadecimal)
        try put("tokens", tokens.joined(separator: "\n"))
        try put("authorization", "bearer " + (try key.token(issuedAt: Date())))
    }

    private func put(_ name: String, _ text: String) throws { try put(name, Data((text + "\n").utf8)) }

    /// Writes a file atomically, so that a process waiting for it never reads half of it.
    private func put(_ name: String, _ data: Data) throws {
        let file = URL(filePath: folder).appending(path: name)
        try PrivateFile.write(data, to: file.path(percentEncoded: false))
    }
}

/// One device token of each kind.
package struct SampleTokens: Sendable {
    package var valid: DeviceToken
    package var unregistered: DeviceToken
    package var otherTopic: DeviceToken
    package var otherEnvironment: DeviceToken

    /// Issues a valid token for `topic` in `environment`, and one for each way in which a token can be wrong.
    init(of gateway: Gateway, topic: String, otherTopic: String, environment: APNSEnvironment) {
        let other: APNSEnvironment = environment == .production ? .development : .production
        valid = gateway.issueToken(topic: topic, environment: environment)
        unregistered = gateway.issueToken(topic: topic, environment: environment)
        self.otherTopic = gateway.issueToken(topic: otherTopic, environment: environment)
        otherEnvironment = gateway.issueToken(topic: topic, environment: other)
        gateway.unregisterToken(unregistered)
    }
}
