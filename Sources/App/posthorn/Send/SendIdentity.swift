import APNSProvider
import ArgumentParser
import Foundation

/// The sender's credential: a signing key or a certificate.
struct SendIdentity: ParsableArguments {
    @Option(help: ArgumentHelp("Path of a signing key, a .p8 file from Apple.", valueName: "file"))
    var p8: String?

    @Option(help: "The key's id, ten characters; taken from a file name like AuthKey_ABC123DEFG.p8 if not given.")
    var keyID: String?

    @Option(help: "The team's id, ten characters.")
    var teamID: String?

    @Option(help: ArgumentHelp("Path of a .p12 with a certificate and its key.", valueName: "file"))
    var p12: String?

    @Option(
        help: "The passphrase of --p12 or --pem-key (or POSTHORN_PASSWORD, which the process list does not show)."
    )
    var password: String?

    @Option(help: ArgumentHelp("Path of a PEM certificate, with its key unless --pem-key is given.", valueName: "file"))
    var pem: String?

    @Option(help: ArgumentHelp("Path of the key of --pem.", valueName: "file"))
    var pemKey: String?

    func validate() throws {
        guard [p8, p12, pem].compactMap(\.self).count == 1 else {
            throw ValidationError("The credential is missing: give --p8 with --team-id, or --p12, or --pem.")
        }
        guard p8 != nil || (keyID == nil && teamID == nil) else {
            throw ValidationError("--key-id and --team-id belong to --p8; a certificate does not need them.")
        }
        guard pem != nil || pemKey == nil else { throw ValidationError("--pem-key belongs to --pem.") }
    }

    func credential() throws -> APNSCredential {
        let passPhrase = password ?? ProcessInfo.processInfo.environment["POSTHORN_PASSWORD"]
        if let p12 {
            let bytes = try readBytes(p12, "--p12")
            return .certificate(
                try readable("--p12 '\(p12)'") { try APNSCertificate(p12: bytes, passPhrase: passPhrase) }
            )
        }
        if let pem {
            let text = try readText(pem, "--pem")
            let key = try pemKey.map { try readText($0, "--pem-key") }
            return .certificate(
                try readable("--pem '\(pem)'") { try APNSCertificate(pem: text, key: key, passPhrase: passPhrase) }
            )
        }
        return .key(try signingKey(p8 ?? ""))
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
