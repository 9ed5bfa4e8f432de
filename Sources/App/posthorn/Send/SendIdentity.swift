import APNSProvider
import ArgumentParser
import Foundation
import PushModel

/// The sender's credential: a signing key or a certificate.
struct SendIdentity: ParsableArguments {
    @Option(help: .file("Path of a signing key, a .p8 file from Apple.")) var p8: String?

    @Option(help: "The key's id, ten characters; taken from a file name like AuthKey_ABC123DEFG.p8 if not given.")
    var keyID: String?

    @Option(help: "The team's id, ten characters.") var teamID: String?
    @Option(help: .file("Path of a .p12 with a certificate and its key.")) var p12: String?

    @Option(help: "The passphrase of --p12 or --pem-key (or POSTHORN_PASSWORD, which the process list does not show).")
    var password: String?

    @Option(help: .file("Path of a PEM certificate, with its key unless --pem-key is given.")) var pem: String?
    @Option(help: .file("Path of the key of --pem.")) var pemKey: String?

    func validate() throws {
        guard [p8, p12, pem].compactMap(\.self).count <= 1 else {
            throw ValidationError("There are several credentials: give --p8 with --team-id, or --p12, or --pem.")
        }
        guard p8 != nil || (keyID == nil && teamID == nil) else {
            throw ValidationError("--key-id and --team-id belong to --p8; a certificate does not need them.")
        }
        guard pem != nil || pemKey == nil else { throw ValidationError("--pem-key belongs to --pem.") }
    }

    /// Reads the credential; of several certificates in a file, the one that fits the topic and the environment.
    func credential(topic: String?, environment: APNSEnvironment?) throws -> APNSCredential {
        guard let file = try certificates() else {
            guard let p8 else {
                throw ValidationError("The credential is missing: give --p8 with --team-id, or --p12, or --pem.")
            }
            return .key(try signingKey(p8))
        }
        let certificate = file.preferring(
            \.isForPushes,
            { topic.map($0.topics.contains) ?? true },
            { environment.map($0.environments.contains) ?? true }
        )[0]
        for other in file where other.fingerprint != certificate.fingerprint {
            printNote("Left out of the file: '\(other.commonName ?? "a certificate without a name")'.")
        }
        return .certificate(certificate)
    }

    /// The certificates of --p12 or --pem, of which there is at least one; nil if there is neither.
    private func certificates() throws -> [APNSCertificate]? {
        let passPhrase = password ?? PasswordPrompt.variable
        if let p12 {
            let bytes = try readBytes(p12, "--p12")
            return try readable("--p12 '\(p12)'") { try APNSCertificate.all(in: bytes, passPhrase: passPhrase) }
        }
        if let pem {
            let bytes = try readBytes(pem, "--pem") + (pemKey.map { try [0x0A] + readBytes($0, "--pem-key") } ?? [])
            return try readable("--pem '\(pem)'") { try APNSCertificate.all(in: bytes, passPhrase: passPhrase) }
        }
        return nil
    }

    private func signingKey(_ path: String) throws -> APNSSigningKey {
        guard let teamID else { throw ValidationError("--team-id is missing; the membership page shows it.") }
        guard let keyID = keyID ?? Self.keyID(inNameOf: path) else {
            throw ValidationError("--key-id is missing; the key's page shows it.")
        }
        let text = try readText(path, "--p8")
        return try readable("--p8 '\(path)'") { try APNSSigningKey(p8: text, keyID: keyID, teamID: teamID) }
    }

    /// The key id in a file name such as `AuthKey_ABC123DEFG.p8`.
    private static func keyID(inNameOf path: String) -> String? {
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        return name.hasPrefix("AuthKey_") ? String(name.dropFirst("AuthKey_".count)) : nil
    }

    private func readable<Value>(_ what: String, _ read: () throws -> Value) throws -> Value {
        do { return try read() } catch { throw ValidationError("\(what) cannot be used: \(error)") }
    }
}
