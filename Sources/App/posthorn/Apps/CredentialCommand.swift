import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushService

struct CredentialCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credential",
        abstract: "Manages the APNs keys and certificates of apps.",
        subcommands: [Add.self, List.self, Show.self, Test.self, Remove.self]
    )

    /// Prints the credentials of an app and what they allow.
    static func print(_ answer: CredentialsAnswer) {
        if answer.credentials.isEmpty { printLine("Credential   none") }
        for credential in answer.credentials {
            printLine("Credential   \(line(credential))")
            for remark in remarks(credential) { printLine("             \(remark)") }
        }
        printLine(answer.verdict.printed)
    }

    /// The warning about a certificate that ends soon, the refusal by APNs, and whether another credential goes first.
    fileprivate static func remarks(_ credential: CredentialAnswer) -> [String] {
        let refusal = credential.refused.map { "APNs refused it: \($0)." }
        let place = credential.used ? nil : "It is not used: the app's key goes first."
        return [place, credential.warning, refusal].compactMap(\.self)
    }

    fileprivate static func line(_ credential: CredentialAnswer) -> String {
        guard let topic = credential.topic, let last = credential.notAfter, let days = credential.daysLeft else {
            return "p8 key \(credential.keyID ?? ""), team \(credential.teamID ?? "")"
        }
        let environments = credential.environments.map(\.rawValue).joined(separator: ", ")
        let end = days < 0 ? "expired" : "\(days) \(days == 1 ? "day" : "days") left"
        return "certificate for \(topic), \(environments), until \(last.formatted(.iso8601)) (\(end))".printed
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Adds an APNs key or certificate to an app, in place of one of the same kind.",
            discussion: """
                posthorn credential add APP-KEY --p8 AuthKey_ABC123DEFG.p8 --key-id ABC123DEFG --team-id TEAM123456
                posthorn credential add APP-KEY --p12 push.p12
                posthorn credential add APP-KEY --pem certificate.pem --pem-key key.pem --environment production

                A certificate is used in every environment that it opens, or in that of --environment, unless the app has a key: a key \
                goes first, and certificates beside it are stored and not used. The password comes from \
                --password-file, from POSTHORN_PASSWORD, or, in a terminal, from a prompt. Waiting pushes are sent at once.
                """
        )

        @Argument(help: "The app's key.") var key: String
        @Option(name: .customLong("p8"), help: "Path of an APNs key, a .p8 file from Apple.") var keyFile: String?
        @Option(name: .customLong("key-id"), help: "The id of the .p8 key, ten characters.") var keyID: String?
        @Option(name: .customLong("team-id"), help: "The team of the .p8 key, ten characters.") var teamID: String?
        @Option(name: .customLong("p12"), help: "Path of a certificate with its key, a .p12 file.") var bundle: String?
        @Option(help: "Path of a certificate in PEM.") var pem: String?
        @Option(help: "Path of the key of --pem, unless it is in the same file.") var pemKey: String?

        @Option(help: "The environment of the certificate: development or production.")
        var environment: APNSEnvironment?

        @OptionGroup var password: CertificatePassword
        @OptionGroup var options: OperatorOptions

        func validate() throws {
            guard [keyFile, bundle, pem].compactMap(\.self).count == 1 else {
                throw ValidationError("Say which credential: one of --p8, --p12 and --pem.")
            }
            if keyFile != nil {
                guard keyID != nil, teamID != nil else { throw ValidationError("--p8 needs --key-id and --team-id.") }
                guard environment == nil, password.passwordFile == nil else {
                    throw ValidationError("--environment and --password-file go with a certificate: a .p8 is for both.")
                }
            } else if keyID != nil || teamID != nil {
                throw ValidationError("--key-id and --team-id go with --p8.")
            }
            guard pemKey == nil || pem != nil else { throw ValidationError("--pem-key goes with --pem.") }
        }

        func run() async throws {
            var file = OperatorRequest.CredentialFile(app: key)
            if let keyFile {
                file.p8 = try readText(keyFile, "--p8")
                (file.keyID, file.teamID) = (keyID, teamID)
            } else {
                let bytes = try readCertificate()
                file.certificate = Data(bytes).base64EncodedString()
                let isLocked = bundle != nil || String(decoding: bytes, as: UTF8.self).contains("ENCRYPTED")
                file.password = try password.password(isLocked: isLocked)
                file.environment = environment
            }
            guard let answer: AddedCredential = try await options.answer(.credentialAdd(file)) else { return }
            if let topics = answer.added.topics, let first = answer.added.notBefore, let last = answer.added.notAfter {
                let name = answer.added.commonName?.wrappedValue ?? ""
                printLine("Read         \(name.printed), team \((answer.added.teamID ?? "").printed)")
                printLine("Topics       \(topics.joined(separator: ", "))")
                printLine("Valid        \(first.formatted(.iso8601)) to \(last.formatted(.iso8601))")
            }
            if let note = answer.note { printLine(note) }
            CredentialCommand.print(answer.first.second)
        }

        private func readCertificate() throws -> [UInt8] {
            if let bundle { return try readBytes(bundle, "--p12") }
            let certificate = try pem.map { try readBytes($0, "--pem") } ?? []
            return try certificate + (pemKey.map { try [UInt8(ascii: "\n")] + readBytes($0, "--pem-key") } ?? [])
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the credentials of all apps."
        )

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard let list: CredentialListAnswer = try await options.answer(.credentialList) else { return }
            if list.credentials.isEmpty {
                printLine("There are no credentials yet; 'posthorn credential add' adds one.")
            }
            for credential in list.credentials {
                printLine("\(credential.app)  \(CredentialCommand.line(credential.first))")
                for remark in CredentialCommand.remarks(credential.first) { printLine("  \(remark)") }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows an app's credentials and where it can push to."
        )

        @Argument(help: "The app's key.") var key: String
        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard let answer: AppCredentialsAnswer = try await options.answer(.credentialShow(app: key)) else { return }
            CredentialCommand.print(answer.second)
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Tries an app's credentials at APNs or the service's gateway; delivers nothing.",
            discussion: """
                The running service sends a push to a device token that no device has. The answer tells whether the credential is \
                accepted for the app's topic. The exit status is 1 if no environment accepts it.
                """
        )

        @Argument(help: "The app's key.") var key: String
        @Option(help: "Try only this environment: development or production.") var environment: APNSEnvironment?
        @OptionGroup var options: OperatorOptions

        func run() async throws {
            let answer = try await options.perform(.credentialTest(app: key, environment: environment))
            let results = (try OperatorClient.read(answer) as CredentialTestsAnswer).results
            if options.json {
                printJSON(answer)
            } else {
                for result in results {
                    let verdict = result.accepted ? "accepted" : result.temporary ? "unknown" : "refused"
                    printLine("\(result.environment)  \(verdict)  \(result.finding.printed)")
                    let topics = result.topics ?? []
                    if !topics.isEmpty { printLine("  topics of the certificate: \(topics.joined(separator: ", "))") }
                }
            }
            if !results.contains(where: \.accepted) { throw ExitCode.failure }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes a credential of an app.",
            discussion: "Pushes that need it wait until there is another, or until they expire."
        )

        @Argument(help: "The app's key.") var key: String
        @Flag(name: .customLong("p8"), help: "Remove the .p8 key.") var isKey = false

        @Flag(name: .customLong("certificate"), help: "Remove the certificates, or that of --environment.")
        var isCertificate = false

        @Option(help: "The environment of the certificate: development or production.")
        var environment: APNSEnvironment?

        @OptionGroup var options: OperatorOptions

        func validate() throws {
            guard isKey != isCertificate else { throw ValidationError("Say what to remove: --p8 or --certificate.") }
            guard environment == nil || isCertificate else {
                throw ValidationError("--environment goes with --certificate: a .p8 is for both.")
            }
        }

        func run() async throws {
            let kind: CredentialKind = isKey ? .p8 : .certificate
            let removal = OperatorRequest.credentialRemove(app: key, kind: kind, environment: environment)
            guard let answer: AppCredentialsAnswer = try await options.answer(removal) else { return }
            CredentialCommand.print(answer.second)
        }
    }
}

/// `posthorn app credential`, the deprecated spelling of `posthorn credential add`.
struct AppCredential: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "credential",
        abstract: "Deprecated: 'posthorn credential add' has the same options."
    )

    @OptionGroup var add: CredentialCommand.Add

    func run() async throws { try await add.run() }
}
