import Foundation
import PushService

/// An app, a group or a developer: each has a key, a secret and a name, and the commands for these are the same.
protocol KeyedSubject {
    /// The words for one of them, such as "an app".
    static var noun: String { get }
    /// The request that gives the one with a key another name.
    static var rename: @Sendable (_ key: String, _ name: String) -> OperatorRequest { get }
    /// The request for a new secret; the present one stays valid for `overlap` seconds.
    static var rotate: @Sendable (_ key: String, _ overlap: Int?) -> OperatorRequest { get }
    /// The request that ends the secrets before the present one.
    static var end: @Sendable (_ key: String) -> OperatorRequest { get }
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
    static let rename = OperatorRequest.appRename
    static let rotate = OperatorRequest.appRotateSecret
    static let end = OperatorRequest.appEndSecret
}

enum GroupSubject: KeyedSubject {
    static let noun = "a group"
    static let rename = OperatorRequest.groupRename
    static let rotate = OperatorRequest.groupRotateSecret
    static let end = OperatorRequest.groupEndSecret
}

enum DeveloperSubject: KeyedSubject {
    static let noun = "a developer"
    static let rename = OperatorRequest.developerRename
    static let rotate = OperatorRequest.developerRotateSecret
    static let end = OperatorRequest.developerEndSecret
}
