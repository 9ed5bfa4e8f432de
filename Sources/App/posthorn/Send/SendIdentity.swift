import APNSProvider
import ArgumentParser
import PushModel

/// The sender's credential: a signing key or a certificate.
struct SendIdentity: ParsableArguments {
    @OptionGroup var files: CredentialFiles

    @Option(help: "The passphrase of --p12 or --pem-key (or POSTHORN_PASSWORD, which the process list does not show).")
    var password: String?

    func validate() throws {
        try require(files.count <= 1, "There are several credentials: give --p8 with --team-id, or --p12, or --pem.")
    }

    /// Reads the credential; of several certificates in a file, the one that fits the topic and the environment.
    func credential(topic: String?, environment: APNSEnvironment?) throws -> APNSCredential {
        if let key = try files.signingKey() {
            return .key(try readable { try APNSSigningKey(p8: key.text, keyID: key.id, teamID: key.team) })
        }
        guard let bytes = try files.certificate() else {
            throw ValidationError("The credential is missing: give --p8 with --team-id, or --p12, or --pem.")
        }
        let all = try readable {
            try APNSCertificate.all(in: bytes, passPhrase: password ?? PasswordPrompt.variable)
        }
        let certificate = all.preferring(
            \.isForPushes,
            { topic.map($0.topics.contains) ?? true },
            { environment.map($0.environments.contains) ?? true }
        )[0]
        for other in all where other.fingerprint != certificate.fingerprint {
            printNote("Left out of the file: '\(other.commonName ?? "a certificate without a name")'.")
        }
        return .certificate(certificate)
    }

    /// Reads what is in the file of the credential.
    private func readable<Value>(_ read: () throws -> Value) throws -> Value {
        do { return try read() } catch {
            throw ValidationError("\(files.given) cannot be used: \(error)")
        }
    }
}
