import APNSGateway
import APNSProvider
import AppleDeveloper
import ArgumentParser
import Foundation
import PushClock
import PushModel

struct CertShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows a push certificate and whether it is still valid.",
        discussion: "Reads certificates issued by Apple too, but cannot tell whether Apple has revoked them."
    )

    @Argument(help: .file("Path of the certificate, PEM, DER or .p12."))
    var file: String

    @OptionGroup var secret: PasswordOptions

    @Flag(help: "Print as JSON.")
    var json = false

    @OptionGroup var options: DeveloperOptions

    func run() throws {
        try explaining {
            let certificate = try PushCertificate(reading: file, secret)
            let isOurs = try options.authority()?.hasIssued(certificate) ?? false
            let revocations = isOurs ? options.revocations() : nil
            let validity = certificate.validity(at: SystemClock().date, revocations: revocations)
            let facts = CertificateFactsText(certificate, validity: validity, isOurs: isOurs)
            guard !json else { return printLine(JSONValue.object(facts.members).text) }
            for line in facts.lines { printLine(line) }
        }
    }
}

extension PushCertificate {
    /// Reads PEM, DER or a `.p12`.
    init(reading path: String, _ secret: PasswordOptions) throws {
        let bytes = try readBytes(path, "The certificate")
        if let certificate = try? PushCertificate(bytes) {
            self = certificate
            return
        }
        guard Self.isBundle(bytes) else {
            self = try PushCertificate(bytes)
            return
        }
        let passPhrase = secret.password ?? ProcessInfo.processInfo.environment["POSTHORN_PASSWORD"]
        do {
            self = try PushCertificate(APNSCertificate(p12: bytes, passPhrase: passPhrase).der())
        } catch let error as APNSCertificate.Unreadable {
            throw ValidationError("'\(path)' cannot be used: \(error.description)")
        }
    }

    /// Whether the bytes begin with a DER sequence, as a `.p12` does.
    private static func isBundle(_ bytes: [UInt8]) -> Bool { bytes.first == 0x30 }
}
