import APNSGateway
import AppleDeveloper
import ArgumentParser
import Foundation
import PushClock
import PushModel

struct CertIssue: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "issue",
        abstract: "Issues a push certificate for an App ID.",
        discussion: """
            Without --out and --p12 the certificate is printed. It is valid for 13 months by the system's time, even if the \
            gateway runs on another clock.
            """
    )

    enum Environments: String, ExpressibleByArgument, CaseIterable {
        case development
        case production
        case both

        var all: Swift.Set<APNSEnvironment> {
            switch self {
            case .development: [.development]
            case .production: [.production]
            case .both: [.development, .production]
            }
        }
    }

    @Option(help: .file("Path of a signing request, PEM or DER; '-' reads standard input."))
    var csr: String?

    @Flag(help: "Generate the key instead of reading a request; it is written to --p12.")
    var new = false

    @Option(help: "The bundle id of the App ID.")
    var appID: String

    @Option(help: "The environment it is valid for: development, production or both.")
    var environment: Environments

    @Option(help: .file("Write the certificate and its key to this file."))
    var p12: String?

    @OptionGroup var secret: PasswordOptions

    @Option(help: .file("Write the certificate to this file, as PEM."))
    var out: String?

    @Flag(help: "Print as JSON.")
    var json = false

    @OptionGroup var team: TeamOptions
    @OptionGroup var options: DeveloperOptions

    func validate() throws {
        guard (csr != nil) != new else {
            throw ValidationError("The key is missing: give --csr with a request, or --new to generate one.")
        }
        guard csr == nil || p12 == nil else {
            throw ValidationError(
                "--p12 needs the private key, which is not in the request. Give --out, and then "
                    + "'posthorn cert export' with the key."
            )
        }
        guard !new || p12 != nil else {
            throw ValidationError("--new generates a private key, which needs a file; give --p12 with a --password.")
        }
    }

    func run() throws {
        try explaining {
            let appID = try options.appIDs().get(appID)
            let order = GatewayAuthority.PushOrder(appID: appID, teamID: team.teamID, environments: environment.all)
            let now = SystemClock().date
            let certificate: PushCertificate
            if let csr {
                let request = try CertificateRequest(readBytes(csr, "--csr"))
                certificate = try GatewayAuthority(folder: options.data).issue(order, to: request, at: now)
            } else {
                let password = try secret.required()
                let key = try CertificateKey()
                certificate = try GatewayAuthority(folder: options.data).issue(order, to: key, at: now)
                try PKCS12Bundle(certificate, key: key).write(to: p12 ?? "", password: password)
            }
            if let out { try writeFile(Data(certificate.pem().utf8), to: out, "--out") }
            try report(certificate, at: now)
        }
    }

    private func report(_ certificate: PushCertificate, at now: Date) throws {
        let facts = CertificateFactsText(certificate, validity: .valid, isOurs: true)
        let files = [out, p12].compactMap(\.self)
        guard !json else {
            var object = facts.members
            object["files"] = .strings(files)
            if files.isEmpty { object["pem"] = .string(try certificate.pem()) }
            return printLine(JSONValue.object(object).text)
        }
        if files.isEmpty {
            // Standard output may be redirected to a file.
            for line in facts.lines { printNote(line) }
            return printLine(try certificate.pem().trimmingCharacters(in: .newlines))
        }
        for line in facts.lines { printLine(line) }
        printLine("Written      \(files.joined(separator: ", "))")
    }
}

extension PasswordOptions {
    /// - Throws: when no password is given; an empty one asks for a bundle without password.
    func required() throws -> String {
        guard let password = password ?? ProcessInfo.processInfo.environment["POSTHORN_PASSWORD"] else {
            throw ValidationError("--p12 needs a --password, or POSTHORN_PASSWORD; --password '' means none.")
        }
        return password
    }
}

extension PKCS12Bundle {
    /// Writes the file, readable by its owner alone.
    func write(to path: String, password: String) throws {
        var random = SystemRandomNumberGenerator()
        try PrivateFile.write(Data(try encoded(password: password, using: &random)), to: path)
    }
}
