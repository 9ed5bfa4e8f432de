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
    static func printCredentials(of app: JSONObject) {
        let credentials = app.objects("credentials")
        if credentials.isEmpty { printLine("Credential   none") }
        for credential in credentials {
            printLine("Credential   \(line(credential))")
            for remark in remarks(credential) { printLine("             \(remark)") }
        }
        printLine(app.text("verdict"))
    }

    /// The warning about a certificate that ends soon, the refusal by APNs, and whether another credential goes first.
    fileprivate static func remarks(_ credential: JSONObject) -> [String] {
        let refusal = credential["refused"]?.string.map { "APNs refused it: \($0)." }
        let place = credential["used"]?.bool == false ? "It is not used: the app's key goes first." : nil
        return [place, credential["warning"]?.string, refusal].compactMap(\.self)
    }

    fileprivate static func line(_ credential: JSONObject) -> String {
        guard credential.text("kind") == "certificate" else {
            return "p8 key \(credential.text("key_id")), team \(credential.text("team_id"))"
        }
        let environments = credential.strings("environments").joined(separator: ", ")
        let days = credential["days_left"]?.integer ?? 0
        let end = days < 0 ? "expired" : "\(days) \(days == 1 ? "day" : "days") left"
        return
            "certificate for \(credential.text("topic")), \(environments), until \(credential.text("not_after")) (\(end))"
    }
}

extension CredentialCommand {
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
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

        @Argument(help: "The app's key.")
        var key: String

        @Option(name: .customLong("p8"), help: "Path of an APNs key, a .p8 file from Apple.")
        var keyFile: String?

        @Option(name: .customLong("key-id"), help: "The id of the .p8 key, ten characters.")
        var keyID: String?

        @Option(name: .customLong("team-id"), help: "The team of the .p8 key, ten characters.")
        var teamID: String?

        @Option(name: .customLong("p12"), help: "Path of a certificate with its key, a .p12 file.")
        var bundle: String?

        @Option(help: "Path of a certificate in PEM.")
        var pem: String?

        @Option(help: "Path of the key of --pem, unless it is in the same file.")
        var pemKey: String?

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
            var parameters: JSONObject = ["app": .string(key)]
            if let keyFile {
                parameters["p8"] = .string(try readText(keyFile, "--p8"))
                parameters["key_id"] = keyID.map { .string($0) }
                parameters["team_id"] = teamID.map { .string($0) }
            } else {
                let file = try readCertificate()
                parameters["certificate"] = .string(Data(file).base64EncodedString())
                let isLocked = bundle != nil || String(decoding: file, as: UTF8.self).contains("ENCRYPTED")
                parameters["password"] = try password.password(isLocked: isLocked).map { .string($0) }
                parameters["environment"] = environment.map { .string($0.rawValue) }
            }
            guard let answer = try await options.answer(.credentialAdd, parameters) else { return }
            if let added = answer["added"]?.object, added.text("kind") == "certificate" {
                printLine("Read         \(added.text("common_name")), team \(added.text("team_id"))")
                let topics = added.strings("topics").joined(separator: ", ")
                printLine("Topics       \(topics)")
                printLine("Valid        \(added.text("not_before")) to \(added.text("not_after"))")
            }
            if let note = answer["note"]?.string { printLine(note) }
            CredentialCommand.printCredentials(of: answer)
        }

        private func readCertificate() throws -> [UInt8] {
            if let bundle { return try readBytes(bundle, "--p12") }
            let certificate = try pem.map { try readBytes($0, "--pem") } ?? []
            return try certificate + (pemKey.map { try [UInt8(ascii: "\n")] + readBytes($0, "--pem-key") } ?? [])
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the credentials of all apps.")

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard let credentials = try await options.list(.credentialList, "credentials") else { return }
            if credentials.isEmpty { printLine("There are no credentials yet; 'posthorn credential add' adds one.") }
            for credential in credentials {
                printLine("\(credential.text("app"))  \(CredentialCommand.line(credential))")
                for remark in CredentialCommand.remarks(credential) { printLine("  \(remark)") }
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows an app's credentials and where it can push to."
        )

        @Argument(help: "The app's key.")
        var key: String

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            guard let answer = try await options.answer(.credentialShow, ["app": .string(key)]) else { return }
            CredentialCommand.printCredentials(of: answer)
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tries an app's credentials at APNs or the service's gateway; delivers nothing.",
            discussion: """
                The running service sends a push to a device token that no device has. The answer tells whether the credential is \
                accepted for the app's topic. The exit status is 1 if no environment accepts it.
                """
        )

        @Argument(help: "The app's key.")
        var key: String

        @Option(help: "Try only this environment: development or production.")
        var environment: APNSEnvironment?

        @OptionGroup var options: OperatorOptions

        func run() async throws {
            var parameters: JSONObject = ["app": .string(key)]
            parameters["environment"] = environment.map { .string($0.rawValue) }
            let answer = try await options.perform(.credentialTest, parameters)
            let results = answer.objects("results")
            if options.json {
                printLine(JSONValue.object(answer).text)
            } else {
                for result in results {
                    printLine("\(result.text("environment"))  \(Self.verdict(result))  \(result.text("finding"))")
                    let topics = result.strings("topics")
                    if !topics.isEmpty { printLine("  topics of the certificate: \(topics.joined(separator: ", "))") }
                }
            }
            if !results.contains(where: { $0["accepted"]?.bool == true }) { throw ExitCode.failure }
        }

        private static func verdict(_ result: JSONObject) -> String {
            if result["accepted"]?.bool == true { return "accepted" }
            return result["temporary"]?.bool == true ? "unknown" : "refused"
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Removes a credential of an app.",
            discussion: "Pushes that need it wait until there is another, or until they expire."
        )

        @Argument(help: "The app's key.")
        var key: String

        @Flag(name: .customLong("p8"), help: "Remove the .p8 key.")
        var isKey = false

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
            var parameters: JSONObject = ["app": .string(key), "kind": isKey ? "p8" : "certificate"]
            parameters["environment"] = environment.map { .string($0.rawValue) }
            guard let answer = try await options.answer(.credentialRemove, parameters) else { return }
            CredentialCommand.printCredentials(of: answer)
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
