import APNSGateway
import APNSProvider
import AppleDeveloper
import ArgumentParser
import Foundation
import NetworkSupport
import PushClock
import PushModel

struct CertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cert",
        abstract: "Issues and manages push certificates of a gateway's own authority, as on Apple's developer site.",
        discussion: """
            With a certificate signing request from Keychain Access or openssl:
            openssl req -new -newkey rsa:2048 -nodes -keyout push.key -out push.csr -subj /CN=Me
            posthorn cert issue --csr push.csr --app-id com.example.app --environment both --out push.pem
            posthorn cert export push.pem --key push.key --p12 push.p12 --password secret

            Or in one step:
            posthorn cert issue --new --app-id com.example.app --environment both --p12 push.p12 --password secret
            """,
        subcommands: [Issue.self, Export.self, Show.self, Revoke.self]
    )

    struct Issue: DeveloperCommand {
        static let configuration = CommandConfiguration(
            commandName: "issue",
            abstract: "Issues a push certificate for an App ID.",
            discussion: """
                Without --out and --p12 the certificate is printed. It is valid for 13 months by the system's time, even if the \
                gateway runs on another clock.
                """
        )

        enum Environments: String, ExpressibleByArgument, CaseIterable {
            case development, production, both

            var all: Set<APNSEnvironment> {
                APNSEnvironment(rawValue: rawValue).map { [$0] } ?? Set(APNSEnvironment.allCases)
            }
        }

        @Option(help: .file("Path of a signing request, PEM or DER; '-' reads standard input.")) var csr: String?
        @Flag(help: "Generate the key instead of reading a request; it is written to --p12.") var new = false
        @Option(help: "The bundle id of the App ID.") var appID: String
        @Option(help: "The environment it is valid for: development, production or both.") var environment: Environments
        @Option(help: .file("Write the certificate and its key to this file.")) var p12: String?
        @OptionGroup var secret: PasswordOptions
        @Option(help: .file("Write the certificate to this file, as PEM.")) var out: String?
        @Flag(help: "Print as JSON.") var json = false
        @OptionGroup var team: TeamOptions
        @OptionGroup var options: DeveloperOptions

        func validate() throws {
            try require((csr != nil) != new, "The key is missing: give --csr with a request, or --new to generate one.")
            try require(
                csr == nil || p12 == nil,
                "--p12 needs the private key, which is not in the request. Give --out, and then "
                    + "'posthorn cert export' with the key."
            )
            try require(
                !new || p12 != nil,
                "--new generates a private key, which needs a file; give --p12 with a --password."
            )
        }

        func perform() throws {
            let appID = try options.appIDs().get(appID)
            let order = GatewayAuthority.PushOrder(appID: appID, teamID: team.teamID, environments: environment.all)
            let now = SystemClock().date
            let certificate: PushCertificate
            if let csr {
                let request = try CertificateRequest(readBytes(csr, "--csr"))
                certificate = try GatewayAuthority(folder: options.data).issue(order, to: request.publicKey, at: now)
            } else {
                let password = try secret.required()
                let key = try CertificateKey()
                certificate = try GatewayAuthority(folder: options.data).issue(order, to: key.publicKey, at: now)
                try PKCS12Bundle(certificate, key: key).write(to: p12 ?? "", password: password)
            }
            if let out { try writeFile(Data(certificate.pem().utf8), to: out, "--out") }
            try report(certificate, at: now)
        }

        private func report(_ certificate: PushCertificate, at now: Date) throws {
            let facts = CertificateFactsText(certificate: certificate, validity: .valid, isOurs: true)
            let files = [out, p12].compactMap(\.self)
            guard !json else {
                var object = facts.members
                object["files"] = files
                if files.isEmpty { object["pem"] = try certificate.pem() }
                return printJSON(object)
            }
            if files.isEmpty {
                // Standard output may be redirected to a file.
                facts.lines.forEach(printNote)
                return printLine(try certificate.pem().trimmingCharacters(in: .newlines))
            }
            facts.lines.forEach(printLine)
            printLine("Written      \(files.joined(separator: ", "))")
        }
    }

    struct Export: DeveloperCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Exports a certificate and its key as one .p12, as Keychain Access does."
        )

        @Argument(help: .file("Path of the certificate, PEM or DER.")) var certificate: String
        @Option(help: .file("Path of the private key of its request, PEM.")) var key: String
        @Option(help: .file("Path of the .p12 to write.")) var p12: String
        @Flag(help: "Print as JSON.") var json = false
        @OptionGroup var secret: PasswordOptions

        func perform() throws {
            let certificate = try PushCertificate(readBytes(certificate, "The certificate"))
            let key = try CertificateKey(pem: readText(key, "--key"))
            try PKCS12Bundle(certificate, key: key).write(to: p12, password: secret.required())
            printLine(json ? (["written": .string(p12)] as JSONValue).text : "Written      \(p12)")
        }
    }

    struct Show: DeveloperCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows a push certificate and whether it is still valid.",
            discussion: "Reads certificates issued by Apple too, but cannot tell whether Apple has revoked them."
        )

        @Argument(help: .file("Path of the certificate, PEM, DER or .p12.")) var file: String
        @OptionGroup var secret: PasswordOptions
        @OptionGroup var output: DeveloperOutput

        func perform() throws {
            let certificate = try PushCertificate(reading: file, secret)
            let isOurs = try output.options.authority()?.hasIssued(certificate) ?? false
            let revocations = isOurs ? output.options.revocations() : nil
            let validity = certificate.validity(at: SystemClock().date, revocations: revocations)
            let facts = CertificateFactsText(certificate: certificate, validity: validity, isOurs: isOurs)
            guard !output.json else { return printJSON(facts.members) }
            facts.lines.forEach(printLine)
        }
    }

    struct Revoke: DeveloperCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Revokes a certificate permanently.",
            discussion: "A running gateway applies it from the next connection on, without a restart."
        )

        @Argument(help: "Path of the certificate, or its serial number as printed by 'posthorn cert show'.")
        var certificate: String

        @Flag(help: "Print as JSON.") var json = false
        @OptionGroup var secret: PasswordOptions
        @OptionGroup var options: DeveloperOptions

        func perform() throws {
            guard let authority = try options.authority() else {
                throw ValidationError(
                    "There is no authority in '\(options.data)'; expected the data folder of a gateway. "
                        + "Give it with --data."
                )
            }
            let serial = try readSerial(authority)
            try options.revocations().revoke(serial, at: SystemClock().date)
            let text = serial.hexadecimal
            printLine(json ? (["revoked": .string(text)] as JSONValue).text : "Revoked      \(text)")
        }

        private func readSerial(_ authority: GatewayAuthority) throws -> [UInt8] {
            let isFile = FileManager.default.fileExists(atPath: certificate)
            if !isFile, let serial = [UInt8](hexadecimal: certificate), (8...20).contains(serial.count) {
                return serial
            }
            let read = try PushCertificate(reading: certificate, secret)
            try require(
                authority.hasIssued(read),
                "'\(certificate)' was issued by \(read.issuer), not by the authority in '\(options.data)', which can "
                    + "only revoke its own."
            )
            return read.serial
        }
    }
}

extension PKCS12Bundle {
    /// Writes the file, readable by its owner alone.
    func write(to path: String, password: String) throws {
        var random = SystemRandomNumberGenerator()
        try PrivateFile.write(Data(try encoded(password: password, using: &random)), to: path)
    }
}

extension PushCertificate {
    /// Reads PEM, DER or a `.p12`.
    init(reading path: String, _ secret: PasswordOptions) throws {
        let bytes = try readBytes(path, "The certificate")
        do { self = try PushCertificate(bytes) } catch {
            // A `.p12` begins with a DER sequence too.
            guard bytes.first == 0x30 else { throw error }
            self = try PushCertificate(bundle: bytes, at: path, secret)
        }
    }

    private init(bundle bytes: [UInt8], at path: String, _ secret: PasswordOptions) throws {
        do {
            self = try PushCertificate(APNSCertificate(p12: bytes, passPhrase: secret.value).der())
        } catch let error as APNSCertificate.Unreadable {
            throw ValidationError("'\(path)' cannot be used: \(error.description)")
        }
    }
}

/// A description of a certificate, as text and as JSON.
struct CertificateFactsText {
    let certificate: PushCertificate
    let validity: PushCertificate.Validity
    /// Whether the gateway's authority issued it.
    let isOurs: Bool

    var lines: [String] {
        [
            "Name         \(certificate.commonName ?? "none")",
            "Subject      \(certificate.subject)",
            "Topics       \(topics)",
            "Good in      \(environments.joined(separator: ", "))",
            "Valid        \(certificate.notValidBefore.formatted(.iso8601)) to "
                + "\(certificate.notValidAfter.formatted(.iso8601)): \(state)",
            "Issuer       \(certificate.issuer)\(isOurs ? " (this gateway)" : "")",
            "Serial       \(certificate.serial.hexadecimal)",
        ]
    }

    var members: JSONMembers {
        var object: JSONMembers = [
            "common_name": certificate.commonName, "bundle_id": certificate.userID,
            "team_id": certificate.teamID, "subject": certificate.subject,
            "topics": certificate.topics.map(\.name), "environments": environments,
            "not_before": certificate.notValidBefore, "not_after": certificate.notValidAfter,
            "issuer": certificate.issuer, "serial": certificate.serial.hexadecimal,
            "issued_here": isOurs, "expired": validity == .expired,
        ]
        // The revocation of other issuers' certificates is unknown here.
        if isOurs { object["revoked"] = false }
        if case .revoked(let date) = validity {
            object["revoked"] = true
            object["revoked_at"] = date
        }
        return object
    }

    private var environments: [String] { certificate.environments.map(\.rawValue).sorted() }

    private var topics: String {
        let topics = certificate.topics.map { $0.kind == "app" ? $0.name : "\($0.name) (\($0.kind))" }
        return topics.isEmpty ? "none: it is not a push certificate" : topics.joined(separator: ", ")
    }

    private var state: String {
        switch validity {
        case .valid: isOurs ? "valid, not revoked" : "valid"
        case .notYetValid: "not valid yet"
        case .expired: "expired; issue a new one, device tokens stay as they are"
        case .revoked(let date): "revoked on \(date.formatted(.iso8601))"
        }
    }
}
