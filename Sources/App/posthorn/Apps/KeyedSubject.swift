import Foundation
import PushService

/// An app, a group or a developer: each has a key, a secret and a name, and the commands for these are the same.
protocol KeyedSubject {
    /// The words for one of them, such as "an app".
    static var noun: String { get }
    static func renaming(of key: String, to name: String) -> OperatorRequest
    static func rotation(of key: String, overlap: Int?) -> OperatorRequest
    static func end(of key: String) -> OperatorRequest
}

/// The part of an answer about one of them that is the same for all.
struct KeyedAnswer: Decodable {
    let name: String
    /// The new secret of an app or a group.
    let masterSecret: String?
    /// The new secret of a developer.
    let devSecret: String?
    /// The end of the secret before; nil if it has ended.
    let formerSecretUntil: Date?
}

enum AppSubject: KeyedSubject {
    static let noun = "an app"

    static func renaming(of key: String, to name: String) -> OperatorRequest { .appRename(app: key, name: name) }

    static func rotation(of key: String, overlap: Int?) -> OperatorRequest {
        .appRotateSecret(app: key, overlap: overlap)
    }

    static func end(of key: String) -> OperatorRequest { .appEndSecret(app: key) }
}

enum GroupSubject: KeyedSubject {
    static let noun = "a group"

    static func renaming(of key: String, to name: String) -> OperatorRequest { .groupRename(group: key, name: name) }

    static func rotation(of key: String, overlap: Int?) -> OperatorRequest {
        .groupRotateSecret(group: key, overlap: overlap)
    }

    static func end(of key: String) -> OperatorRequest { .groupEndSecret(group: key) }
}

enum DeveloperSubject: KeyedSubject {
    static let noun = "a developer"

    static func renaming(of key: String, to name: String) -> OperatorRequest {
        .developerRename(developer: key, name: name)
    }

    static func rotation(of key: String, overlap: Int?) -> OperatorRequest {
        .developerRotateSecret(developer: key, overlap: overlap)
    }

    static func end(of key: String) -> OperatorRequest { .developerEndSecret(developer: key) }
}
