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

    /// Prints the credentials of an app, what each sends, and what they allow.
    static func print(_ answer: CredentialsAnswer) {
        if answer.credentials.isEmpty { printLine("Credential   none") }
        for credential in answer.credentials {
            printLine("Credential   \(line(credential))")
            for remark in remarks(credential) { printLine("             \(remark)") }
        }
        if !answer.credentials.isEmpty { print(answer.choices, of: answer.credentials) }
        printLine(answer.verdict.printed)
    }

    /// Prints which credential sends the pushes to each topic in each environment.
    fileprivate static func print(_ choices: [CredentialChoiceAnswer], of credentials: [CredentialAnswer]) {
        for choice in choices {
            let chosen = credentials.first { $0.id == choice.credential }.map(name) ?? "none"
            let refusal = choice.refused.map { ", refused by APNs: \($0)" } ?? ""
            printLine("Sends        \(choice.environment) \(choice.topic): \(chosen)\(refusal)".printed)
        }
    }

    private static func name(_ credential: CredentialAnswer) -> String {
        "\(credential.id) (\(credential.keyID ?? credential.topic ?? ""))"
    }

    /// The answers of APNs, the warning about a certificate that ends soon, and whether other credentials go first.
    fileprivate static func remarks(_ credential: CredentialAnswer) -> [String] {
        let answers = credential.answers.map { answer in
            let place = "\(answer.topic) in \(answer.environment)"
            return answer.reason.map { "APNs refuses it for \(place): \($0)." } ?? "APNs accepts it for \(place)."
        }
        // A refusal that says nothing about what the credential is for is not among the answers.
        let refusal = credential.refused.flatMap { refused in
            credential.answers.contains { answer in answer.reason.map { refused.contains($0) } ?? false }
                ? nil : "APNs refused it: \(refused)."
        }
        let place = credential.used ? nil : "It is not used: others go first."
        return answers + [place, credential.warning, refusal].compactMap(\.self)
    }

    fileprivate static func line(_ credential: CredentialAnswer) -> String {
        let environments = credential.environments.map(\.rawValue).joined(separator: ", ")
        let topics = credential.topics.map { ", topics \($0.joined(separator: ", "))" } ?? ""
        guard let topic = credential.topic, let last = credential.notAfter, let days = credential.daysLeft else {
            let key = "p8 key \(credential.keyID ?? ""), team \(credential.teamID ?? "")"
            return "\(credential.id): \(key), \(environments)\(topics)".printed
        }
        let end = days < 0 ? "expired" : "\(days) \(days == 1 ? "day" : "days") left"
        let certificate =
            "certificate for \(topic), \(environments)\(topics), until \(ServiceTimes.ofOperators.text(last)) (\(end))"
        return "\(credential.id): \(certificate)".printed
    }

    struct Add: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Adds an APNs key or certificate to an app, beside those that it has.",
            discussion: """
                posthorn credential add APP-KEY --p8 AuthKey_ABC123DEFG.p8 --team-id TEAM123456
                posthorn credential add APP-KEY --p8 AuthKey_ABC123DEFG.p8 --team-id TEAM123456 --environment production
                posthorn credential add APP-KEY --p12 push.p12
                posthorn credential add APP-KEY --pem certificate.pem --pem-key key.pem --environment production --replace 3

                Apple issues keys for development, production or both, and for all topics of the team or some. Say so with \
                --environment and --topic. Without --environment, the service asks APNs, with a push to a device token that no device \
                has, and remembers the answers. A certificate is used in every environment that it opens, unless --environment names one.

                A push goes out with the credential that names its topic; else one for its environment alone, before one for both; else \
                a key, before a certificate; else the newest. 'posthorn credential list APP-KEY' shows the choice. Nothing is replaced \
                without --replace. The password of a certificate comes from --password-file, from POSTHORN_PASSWORD, or, in a terminal, \
                from a prompt. Waiting pushes are sent at once.
                """
        )

        @Argument(help: "The app's key.") var key: String
        @OptionGroup var files: CredentialFiles

        @Option(help: "The environments that it is used in: development, production or both.")
        var environment: OperatorRequest.CredentialEnvironment?

        @Option(
            name: .customLong("topic"),
            help: "A topic that it is used for: a bundle id, which stands for its topics with a suffix too. Repeatable."
        )
        var topics: [String] = []

        @Option(help: "The id of the credential in whose place it is put.") var replace: SealedCredential.ID?
        @OptionGroup var password: CertificatePassword
        @OptionGroup var options: OperatorOptions

        func validate() throws {
            try require(files.count == 1, "Say which credential: one of --p8, --p12 and --pem.")
            try require(
                files.p8 == nil || password.passwordFile == nil,
                "--password-file goes with a certificate: a .p8 has no password."
            )
        }

        var request: OperatorRequest {
            get throws {
                var file = OperatorRequest.CredentialFile(app: key)
                if let key = try files.signingKey() {
                    file.p8 = key.text
                    file.keyID = key.id
                    file.teamID = key.team
                } else if let bytes = try files.certificate() {
                    file.certificate = Data(bytes).base64EncodedString()
                    let isLocked = files.p12 != nil || String(decoding: bytes, as: UTF8.self).contains("ENCRYPTED")
                    file.password = try password.password(isLocked: isLocked)
                }
                file.environment = environment
                file.topics = topics.isEmpty ? nil : topics
                file.replace = replace
                return .credentialAdd(file)
            }
        }

        func tell(_ answer: AddedCredential) {
            if let topics = answer.added.topics, let first = answer.added.notBefore, let last = answer.added.notAfter {
                let name = answer.added.commonName?.wrappedValue ?? ""
                printLine("Read         \(name.printed), team \((answer.added.teamID ?? "").printed)")
                printLine("Topics       \(topics.joined(separator: ", "))")
                let times = ServiceTimes.ofOperators
                printLine("Valid        \(times.text(first)) to \(times.text(last))")
            }
            if let note = answer.note { printLine(note) }
            CredentialCommand.print(answer.first.second)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the credentials of an app, or of all apps, and which of them sends what."
        )

        @Argument(help: "The app's key; all apps without one.") var key: String?
        @OptionGroup var options: OperatorOptions

        func run() async throws {
            if let key {
                guard let answer: AppCredentialsAnswer = try await options.answer(.credentialShow(app: key)) else {
                    return
                }
                return CredentialCommand.print(answer.second)
            }
            guard let list: CredentialListAnswer = try await options.answer(.credentialList) else { return }
            if list.credentials.isEmpty {
                printLine("There are no credentials yet; 'posthorn credential add' adds one.")
            }
            for credential in list.credentials {
                printLine("\(credential.app)  \(CredentialCommand.line(credential.first))")
                for remark in CredentialCommand.remarks(credential.first) { printLine("  \(remark)") }
            }
            for app in Set(list.credentials.map(\.app)).sorted() {
                let shown = try await options.perform(.credentialShow(app: app))
                let answer: AppCredentialsAnswer = try OperatorClient.read(shown)
                printLine(app)
                CredentialCommand.print(answer.second.choices, of: answer.second.credentials)
            }
        }
    }

    struct Show: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Shows an app's credentials and where it can push to."
        )

        @Argument(help: "The app's key.") var key: String
        @OptionGroup var options: OperatorOptions

        var request: OperatorRequest { .credentialShow(app: key) }

        func tell(_ answer: AppCredentialsAnswer) { CredentialCommand.print(answer.second) }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Tries an app's credentials at APNs or the service's gateway; delivers nothing.",
            discussion: """
                The running service sends a push to a device token that no device has. The answer tells whether the credential is \
                accepted for the app's topic: the one with this id, or those that send the app's pushes. The exit status is 1 if APNs \
                accepts none.
                """
        )

        @Argument(help: "The app's key.") var key: String
        @Argument(help: "The id of one credential, from 'posthorn credential list'.") var credential:
            SealedCredential.ID?
        @Option(help: "Try only this environment: development or production.") var environment: APNSEnvironment?
        @OptionGroup var options: OperatorOptions

        func run() async throws {
            let answer = try await options.perform(
                .credentialTest(app: key, credential: credential, environment: environment)
            )
            let results = (try OperatorClient.read(answer) as CredentialTestsAnswer).results
            if options.json {
                printLine(answer.text)
            } else {
                for result in results {
                    let verdict = result.accepted ? "accepted" : result.temporary ? "unknown" : "refused"
                    let name = result.credential.map { "  credential \($0)" } ?? ""
                    printLine("\(result.environment)  \(verdict)\(name)  \(result.finding.printed)")
                    let topics = result.topics ?? []
                    if !topics.isEmpty { printLine("  topics of the certificate: \(topics.joined(separator: ", "))") }
                }
            }
            if !results.contains(where: \.accepted) { throw ExitCode.failure }
        }
    }

    struct Remove: OperatorCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes a credential of an app.",
            discussion: """
                posthorn credential remove APP-KEY 3
                posthorn credential remove APP-KEY --certificate --environment development

                Pushes that need it go out with another one that is for them, or wait until there is one, or until they expire.
                """
        )

        @Argument(help: "The app's key.") var key: String
        @Argument(help: "The id of the credential, from 'posthorn credential list'.") var credential:
            SealedCredential.ID?
        @Flag(name: .customLong("p8"), help: "Remove the only .p8 key.") var isKey = false

        @Flag(name: .customLong("certificate"), help: "Remove the certificates, or those of --environment.")
        var isCertificate = false

        @Option(help: "The environment of the certificate: development or production.")
        var environment: APNSEnvironment?

        @OptionGroup var options: OperatorOptions

        func validate() throws {
            try require(
                [credential != nil, isKey, isCertificate].filter(\.self).count == 1,
                "Say what to remove: the id of a credential, --p8 or --certificate."
            )
            try require(environment == nil || isCertificate, "--environment goes with --certificate.")
        }

        var request: OperatorRequest {
            guard let credential else {
                return .credentialRemove(.init(app: key, isKey ? .p8 : .certificate, environment))
            }
            return .credentialRemove(.init(app: key, credential: credential))
        }

        func tell(_ answer: AppCredentialsAnswer) { CredentialCommand.print(answer.second) }
    }
}

extension OperatorRequest.CredentialEnvironment: ExpressibleByArgument {}
