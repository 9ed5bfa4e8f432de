import ArgumentParser
import Foundation

/// The files of a credential: a signing key with its ids, or a certificate with its key.
struct CredentialFiles: ParsableArguments {
    @Option(help: .file("Path of a signing key, a .p8 file from Apple.")) var p8: String?

    @Option(help: "The key's id, ten characters; taken from a file name like AuthKey_ABC123DEFG.p8 if not given.")
    var keyID: String?

    @Option(help: "The team's id, ten characters.") var teamID: String?
    @Option(help: .file("Path of a .p12 with a certificate and its key.")) var p12: String?
    @Option(help: .file("Path of a PEM certificate, with its key unless --pem-key is given.")) var pem: String?
    @Option(help: .file("Path of the key of --pem.")) var pemKey: String?

    /// The number of credentials.
    var count: Int { [p8, p12, pem].compactMap(\.self).count }

    /// The option of the credential with its file, for messages.
    var given: String {
        if let p8 { return "--p8 '\(p8)'" }
        return p12.map { "--p12 '\($0)'" } ?? "--pem '\(pem ?? "")'"
    }

    func validate() throws {
        try require(
            p8 != nil || (keyID == nil && teamID == nil),
            "--key-id and --team-id go with --p8; a certificate does not need them."
        )
        try require(pem != nil || pemKey == nil, "--pem-key goes with --pem.")
    }

    /// Reads the signing key; nil if none is given.
    func signingKey() throws -> (text: String, id: String, team: String)? {
        guard let p8 else { return nil }
        guard let teamID else { throw ValidationError("--team-id is missing; the membership page shows it.") }
        guard let keyID = keyID ?? Self.keyID(inNameOf: p8) else {
            throw ValidationError("--key-id is missing; the key's page shows it.")
        }
        return (try readText(p8, "--p8"), keyID, teamID)
    }

    /// Reads the certificate, and its key if that is in a file of its own; nil if none is given.
    func certificate() throws -> [UInt8]? {
        if let p12 { return try readBytes(p12, "--p12") }
        guard let pem else { return nil }
        return try readBytes(pem, "--pem") + (pemKey.map { try [0x0A] + readBytes($0, "--pem-key") } ?? [])
    }

    /// Returns the id in a file name such as `AuthKey_ABC123DEFG.p8`.
    private static func keyID(inNameOf path: String) -> String? {
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        return name.hasPrefix("AuthKey_") ? String(name.dropFirst("AuthKey_".count)) : nil
    }
}
