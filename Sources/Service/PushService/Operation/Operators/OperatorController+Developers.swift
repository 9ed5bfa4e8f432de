package import Foundation
import PushClock
import PushModel

extension OperatorController {
    func createDeveloper(_ name: String) async throws -> NewDeveloper {
        let created = try await store.createDeveloper(name: try Self.checked(name: name), at: clock.date)
        return Both(answer(created.developer), NewDeveloperAnswer(devSecret: created.secret))
    }

    func listDevelopers() async throws -> DeveloperListAnswer {
        DeveloperListAnswer(developers: try await store.developers().map(answer))
    }

    /// Makes a new secret for a developer. The one before it stays valid for `overlap` seconds, and ends at once if that is nil or 0.
    func rotateSecret(ofDeveloper key: String, overlap: Int?) async throws -> NewDeveloper {
        let (developer, secret) = try await rotateSecret(of: try await developer(key), overlap: overlap)
        return Both(answer(developer), NewDeveloperAnswer(devSecret: secret))
    }

    /// Deletes a developer if `name` is the name. The apps stay.
    func deleteDeveloper(_ key: String, named name: String) async throws -> DeletedDeveloper {
        let developer = try await developer(key)
        try Self.confirm(name, isNameOf: key, developer.name)
        guard let left = try await store.deleteDeveloper(developer.id, at: clock.date) else {
            throw Self.unknown(.developerUnknown, key)
        }
        return Both(answer(developer), AppsLeftAnswer(appsLeft: left))
    }

    func developer(_ key: String) async throws -> Developer {
        guard let developerKey = AppKey(key), let developer = try await store.developer(developerKey) else {
            throw Self.unknown(.developerUnknown, key)
        }
        return developer
    }

    func answer(_ developer: Developer) -> DeveloperAnswer {
        DeveloperAnswer(developer, at: clock.date)
    }

    func enableDeveloper(_ key: String, _ isEnabled: Bool) async throws -> DeveloperAnswer {
        guard let developerKey = AppKey(key), try await store.enableDeveloper(developerKey, isEnabled) else {
            throw Self.unknown(.developerUnknown, key)
        }
        return answer(try await developer(key))
    }
}

/// A developer as an operator sees it.
package struct DeveloperAnswer: Codable, Sendable {
    package let devKey: String
    package let name: String
    package let enabled: Bool
    let createdAt: Date
    /// Until when a secret before the current one is valid; nil if there is none.
    package var formerSecretUntil: Date?

    init(_ developer: Developer, at now: Date) {
        devKey = developer.key.text
        name = developer.name
        enabled = developer.isEnabled
        createdAt = developer.createdAt
        formerSecretUntil = developer.formerSecretEnd(at: now)
    }
}

/// The number of apps of a deleted developer, which belong to nobody now.
package struct AppsLeftAnswer: Codable, Sendable { package let appsLeft: Int }

package typealias DeletedDeveloper = Both<DeveloperAnswer, AppsLeftAnswer>
package typealias NewDeveloper = Both<DeveloperAnswer, NewDeveloperAnswer>
package struct NewDeveloperAnswer: Codable, Sendable { package let devSecret: String }
package struct DeveloperListAnswer: Codable, Sendable { package let developers: [DeveloperAnswer] }
