import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushService
import PushStoreSQLite

struct AppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Manages the service's apps.",
        subcommands: [Create.self, CredentialCommand.self, AppGroupCommand.self, AppSet.self, List.self, Show.self]
    )
}

/// The data folder of a service, which may be running.
struct DataOptions: ParsableArguments {
    @Option(help: "The service's data folder.")
    var data = "posthorn-data"

    /// Opens the data of a service or of 'posthorn app create'; creates nothing.
    func openExisting() async throws -> (store: SQLiteStore, vault: CredentialVault) {
        guard FileManager.default.fileExists(atPath: DataFolder.path(of: "posthorn.sqlite", in: data)) else {
            throw ValidationError(
                "There is no posthorn.sqlite in '\(data)'; expected the data folder of a service. Give it with --data."
            )
        }
        return try await open()
    }

    func open() async throws -> (store: SQLiteStore, vault: CredentialVault) {
        try FileManager.default.createDirectory(
            atPath: data,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let store = try SQLiteStore(path: DataFolder.path(of: "posthorn.sqlite", in: data))
        let secret = try DataFolder.secret(at: DataFolder.path(of: "secret.key", in: data))
        let vault = CredentialVault(store: store, keys: ServiceKeys(secret: secret))
        try await vault.bindSeals()
        return (store, vault)
    }
}

extension AppCommand {
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Creates an app and prints its key and its master secret, which is shown only once.",
            discussion:
                "With --p8, --key-id and --team-id the app can push at once. Without them, its pushes wait for a credential."
        )

        @Option(help: "The app's name.")
        var name: String

        @Option(help: "The app's bundle id, which is also its APNs topic.")
        var bundleID: String

        @Option(help: "The APNs environment of imported devices that name none: development or production.")
        var environment = APNSEnvironment.production

        @Option(name: .customLong("p8"), help: "Path of the APNs key, a .p8 file from Apple.")
        var keyFile: String?

        @Option(name: .customLong("key-id"), help: "The key's id, ten characters.")
        var keyID: String?

        @Option(name: .customLong("team-id"), help: "The team's id, ten characters.")
        var teamID: String?

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var options: DataOptions

        func validate() throws {
            guard name.contains(where: { !$0.isWhitespace }) else {
                throw ValidationError("--name is empty; expected the app's name.")
            }
            let isBundleID = bundleID.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
            guard !bundleID.isEmpty, isBundleID else {
                throw ValidationError("--bundle-id is '\(bundleID)'; expected letters, digits, '-' and '.'.")
            }
            let given = [keyFile, keyID, teamID].compactMap(\.self).count
            guard given == 0 || given == 3 else {
                throw ValidationError("A credential needs all three of --p8, --key-id and --team-id.")
            }
        }

        func run() async throws {
            let credential = try readCredential()
            let (store, vault) = try await options.open()
            var random = SystemRandomNumberGenerator()
            let created = try await AppDirectory(store: store).create(
                name: name,
                bundleID: bundleID,
                defaultEnvironment: environment,
                at: Date(),
                using: &random
            )
            if let credential { try await vault.set(credential, of: created.app.id) }
            if json {
                var object = created.app.members
                object["master_secret"] = .string(created.masterSecret)
                object["has_credential"] = .bool(credential != nil)
                return printLine(JSONValue.object(object).text)
            }
            printLine("App key        \(created.app.key)")
            printLine("Master secret  \(created.masterSecret)   (only its hash is stored: write it down)")
            if credential == nil { printLine("No APNs credential: pushes wait until there is one.") }
        }

        private func readCredential() throws -> Credential? {
            guard let keyFile, let keyID, let teamID else { return nil }
            return try Credential(reading: keyFile, keyID: keyID, teamID: teamID)
        }
    }

    struct CredentialCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "credential",
            abstract: "Sets or replaces an app's APNs credential.",
            discussion: "A running service uses it at the next attempt. Waiting pushes are retried every 60 seconds."
        )

        @Argument(help: "The app's key.")
        var key: String

        @Option(name: .customLong("p8"), help: "Path of the APNs key, a .p8 file from Apple.")
        var keyFile: String

        @Option(name: .customLong("key-id"), help: "The key's id, ten characters.")
        var keyID: String

        @Option(name: .customLong("team-id"), help: "The team's id, ten characters.")
        var teamID: String

        @OptionGroup var options: DataOptions

        func run() async throws {
            let credential = try Credential(reading: keyFile, keyID: keyID, teamID: teamID)
            let (store, vault) = try await options.openExisting()
            guard let app = try await store.apps().first(where: { $0.key.text == key }) else {
                throw ValidationError("There is no app '\(key)' in '\(options.data)'; 'posthorn app list' shows all.")
            }
            try await vault.set(credential, of: app.id)
            printLine("\(app.name) (\(app.bundleID)) pushes with p8 key \(keyID), team \(teamID).")
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists all apps.")

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var options: DataOptions

        func run() async throws {
            let apps = try await options.openExisting().store.apps()
            guard !json else { return printLine(JSONValue.array(apps.map { .object($0.members) }).text) }
            if apps.isEmpty { printLine("There are no apps yet; 'posthorn app create' makes one.") }
            for app in apps { printLine("\(app.key)  \(app.bundleID)  \(app.name)") }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows one app.")

        @Argument(help: "The app's key.")
        var key: String

        @Flag(help: "Print as JSON.")
        var json = false

        @OptionGroup var options: DataOptions

        func run() async throws {
            let (store, _) = try await options.openExisting()
            guard let app = try await store.apps().first(where: { $0.key.text == key }) else {
                throw ValidationError("There is no app '\(key)' in '\(options.data)'; 'posthorn app list' shows all.")
            }
            let credential = try await store.credential(of: app.id)
            let certificates = try await store.certificates().filter { $0.app == app.id }
            if json {
                var object = app.members
                object["credential"] =
                    credential.map {
                        ["kind": "p8", "key_id": .string($0.keyID), "team_id": .string($0.teamID)]
                    } ?? .null
                object["certificates"] = .array(certificates.map(\.json))
                return printLine(JSONValue.object(object).text)
            }
            printLine("App key      \(app.key)")
            printLine("Name         \(app.name)")
            printLine("Bundle id    \(app.bundleID)")
            printLine("Environment  \(app.defaultEnvironment)")
            if let hours = app.quietHours { printLine("Quiet hours  \(hours.words)") }
            let none = certificates.isEmpty ? "none: pushes wait" : "certificates"
            printLine("Credential   \(credential.map { "p8 key \($0.keyID), team \($0.teamID)" } ?? none)")
            for certificate in certificates {
                let end = certificate.notAfter.formatted(.iso8601)
                printLine("Certificate  \(certificate.environment), \(certificate.topic), until \(end)")
            }
        }
    }
}

extension Credential {
    /// Reads the key file and checks the key, its id and the team's id.
    fileprivate init(reading file: String, keyID: String, teamID: String) throws {
        for (flag, value) in [("--key-id", keyID), ("--team-id", teamID)] where value.count != 10 {
            throw ValidationError("\(flag) is '\(value)'; expected ten characters.")
        }
        let text: String
        do { text = try String(contentsOfFile: file, encoding: .utf8) } catch {
            throw ValidationError("--p8 '\(file)' cannot be read: \(error.localizedDescription)")
        }
        self.init(keyID: keyID, teamID: teamID, privateKey: text)
        if let problem { throw ValidationError("--p8 '\(file)': \(problem)") }
    }
}

extension SealedCertificate {
    fileprivate var json: JSONValue {
        [
            "environment": .string(environment.rawValue), "topic": .string(topic),
            "not_after": .string(notAfter.formatted(.iso8601)),
        ]
    }
}

extension App {
    fileprivate var members: JSONObject {
        [
            "app_key": .string(key.text), "name": .string(name), "bundle_id": .string(bundleID),
            "environment": .string(defaultEnvironment.rawValue), "created_at": .string(createdAt.formatted(.iso8601)),
            "quiet_hours": quietHours?.json ?? .null,
        ]
    }
}
