import Foundation
import PushClock
import PushModel

extension OperatorController {
    /// `{"name"}`.
    func createDeveloper(_ parameters: JSONReader) async throws -> JSONObject {
        var random = SystemRandomNumberGenerator()
        let created = try await DeveloperDirectory(store: store).create(
            name: try Self.name(parameters),
            at: clock.date,
            using: &random
        )
        var object = created.developer.members
        object["dev_secret"] = .string(created.secret)
        return object
    }

    func listDevelopers() async throws -> JSONObject {
        ["developers": .array(try await store.developers().map { .object($0.members) })]
    }

    /// `{"developer"}`.
    func enableDeveloper(_ parameters: JSONReader, _ isEnabled: Bool) async throws -> JSONObject {
        let key = try parameters.string("developer")
        guard let developerKey = AppKey(key), try await store.enableDeveloper(developerKey, isEnabled),
            let developer = try await store.developer(developerKey)
        else { throw OperatorError(.notFound, Remark(.developerUnknown, ["key": key])) }
        return developer.members
    }
}

extension Developer {
    /// The developer as an operator sees it.
    fileprivate var members: JSONObject {
        [
            "dev_key": .string(key.text), "name": .string(name), "enabled": .bool(isEnabled),
            "created_at": .date(createdAt),
        ]
    }
}
