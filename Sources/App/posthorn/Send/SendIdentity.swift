import APNSProvider
import ArgumentParser
import Foundation

/// A signing key or a certificate.
struct SendIdentity: ParsableArguments {
    @Option(help: ArgumentHelp("A signing key as Apple hands it out.", valueName: "file"))
    var p8: String?

    @Option(help: "The key's ten characters; those in the name AuthKey_ABC123DEFG.p8 if not given.")
    var keyID: String?

    @Option(help: "The team's ten characters.")
    var teamID: String?

    @Option(help: ArgumentHelp("A certificate and its key, as Keychain exports them.", valueName: "file"))
    var p12: String?

    @Option(
        help: "The pass phrase of --p12 or --pem-key (or POSTHORN_PASSWORD, which does not show in the process list)."
    )
    var password: String?

    @Option(help: ArgumentHelp("A certificate as PEM, with its key unless --pem-key names it.", valueName: "file"))
    var pem: String?

    @Option(help: ArgumentHelp("The key of --pem.", valueName: "file"))
    var pemKey: String?

    func validate() throws {
        guard [p8, p12, pem].compactMap(\.self).count == 1 else {
            throw ValidationError("Say as whom: --p8 with --team-id, or --p12, or --pem.")
        }
        guard p8 != nil || (keyID == nil && teamID == nil) else {
            throw ValidationError("--key-id and --team-id belong to --p8; a certificate says them itself.")
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

    /// The id in `AuthKey_ABC123DEFG.p8`.
    private static func keyID(inNameOf path: String) -> String? {
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        return name.hasPrefix("AuthKey_") ? String(name.dropFirst("AuthKey_".count)) : nil
    }

    private func readable<Value>(_ what: String, _ read: () throws -> Value) throws -> Value {
        do { return try read() } catch { throw ValidationError("\(what) cannot be used: \(error)") }
    }
}
