import Foundation
import PushClock
import PushModel

extension OperatorController {
    func createDeveloper(_ name: String) async throws -> NewDeveloper {
        let created = try await store.createDeveloper(name: try Self.checked(name: name), at: clock.date)
        return Both(DeveloperAnswer(created.developer), NewDeveloperAnswer(devSecret: created.secret))
    }

    func listDevelopers() async throws -> DeveloperListAnswer {
        DeveloperListAnswer(developers: try await store.developers().map(DeveloperAnswer.init))
    }

    func enableDeveloper(_ key: String, _ isEnabled: Bool) async throws -> DeveloperAnswer {
        guard let developerKey = AppKey(key), try await store.enableDeveloper(developerKey, isEnabled),
            let developer = try await store.developer(developerKey)
        else { throw OperatorError(.notFound, Remark(.developerUnknown, ["key": key])) }
        return DeveloperAnswer(developer)
    }
}

/// A developer as an operator sees it.
package struct DeveloperAnswer: Codable, Sendable {
    package let devKey: String
    package let name: String
    package let enabled: Bool
    let createdAt: Date

    init(_ developer: Developer) {
        (devKey, name) = (developer.key.text, developer.name)
        (enabled, createdAt) = (developer.isEnabled, developer.createdAt)
    }
}

package typealias NewDeveloper = Both<DeveloperAnswer, NewDeveloperAnswer>
package struct NewDeveloperAnswer: Codable, Sendable { package let devSecret: String }
package struct DeveloperListAnswer: Codable, Sendable { package let developers: [DeveloperAnswer] }
