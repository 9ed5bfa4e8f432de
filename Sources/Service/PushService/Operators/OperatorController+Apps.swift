import Foundation
import PushClock
import PushModel

extension OperatorController {
    /// `{"name", "bundle_id", "environment"?, "p8"?, "key_id"?, "team_id"?}`.
    func createApp(_ parameters: JSONReader) async throws -> JSONObject {
        let name = try Self.name(parameters)
        let bundleID = try parameters.string("bundle_id")
        guard Self.isBundleID(bundleID) else {
            throw parameters.problem(
                "bundle_id",
                found: .string(bundleID),
                expected: "letters, digits, '-' and '.'"
            )
        }
        let credential = try parameters["p8"].map { _ in try Credential(parameters) }
        var random = SystemRandomNumberGenerator()
        let created = try await AppDirectory(store: store).create(
            name: name,
            bundleID: bundleID,
            defaultEnvironment: try parameters.optional("environment", .word) ?? .production,
            at: clock.date,
            using: &random
        )
        registry?.apply(created.app)
        if let credential { try await vault.set(credential, of: created.app.id) }
        var object = created.app.members
        object["master_secret"] = .string(created.masterSecret)
        object["has_credential"] = .bool(credential != nil)
        return object
    }

    func listApps() async throws -> JSONObject {
        ["apps": .array(try await store.apps().map { .object($0.members) })]
    }

    /// `{"app"}`; the answer has the app's credentials and a verdict in words.
    func showApp(_ parameters: JSONReader) async throws -> JSONObject {
        let app = try await app(parameters)
        var object = app.members
        let credentials = try await credentials(of: app)
        object["credentials"] = .array(credentials.map { .object($0.members(at: clock.date)) })
        let verdict = CredentialFacts.verdict(credentials, at: clock.date)
        object["verdict"] = .string(verdict.found)
        object["verdict_remarks"] = verdict.json
        return object
    }

    /// `{"app", "environment"?, "quiet_hours"?}`; what is missing stays.
    func changeApp(_ parameters: JSONReader) async throws -> JSONObject {
        var app = try await app(parameters)
        if let environment: APNSEnvironment = try parameters.optional("environment", .word) {
            app.defaultEnvironment = environment
            try await store.setEnvironment(environment, of: app.id)
        }
        switch parameters["quiet_hours"] {
        case nil: break
        case .null:
            app.quietHours = nil
            try await store.setQuietHours(nil, of: app.id)
        case let value?:
            do { app.quietHours = try QuietHours(json: value, at: "quiet_hours") } catch {
                let values = ["from", "to", "zone"].map { ($0, value.object?[$0]?.string ?? "") }
                let remark = Remark(.quietHours, Dictionary(uniqueKeysWithValues: values))
                throw OperatorError(.badRequest, remark, message: error.message)
            }
            try await store.setQuietHours(app.quietHours, of: app.id)
        }
        registry?.apply(app)
        return app.members
    }

    private static func isBundleID(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}

extension App {
    /// The app as an operator sees it.
    fileprivate var members: JSONObject {
        [
            "app_key": .string(key.text), "name": .string(name), "bundle_id": .string(bundleID),
            "environment": .string(defaultEnvironment.rawValue), "created_at": .date(createdAt),
            "quiet_hours": quietHours?.json ?? .null,
        ]
    }
}
