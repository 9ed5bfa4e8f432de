package import Foundation
package import PushModel

/// A change that somebody made or tried to make.
package struct AuditEntry: Codable, Hashable, Sendable {
    /// A number that grows with each entry.
    package typealias ID = Int64

    package var id: ID = 0
    package var at: Date
    package var actor: Actor
    /// The name of an operation such as `app.create`, or the method and path of a request to the API.
    package var action: String
    /// The app, group, developer or user that it is about; nil if there is none.
    @OrNull package var subject: String?
    /// The change, never with secrets; for one that was refused, the reason.
    @OrNull package var detail: String?
    /// Whether the change was made.
    package var isDone: Bool
    /// The number of refusals that the entry stands for; 1 for a change.
    package var count = 1
    /// The time of the last of several refusals; nil for a single one.
    @OrNull package var lastAt: Date? = nil

    private enum CodingKeys: String, CodingKey {
        case id, at
        case actor = "_0"
        case action, subject, detail
        case isDone = "ok"
        case count, lastAt
    }

    /// The greatest number of characters of each text, which may be a caller's; longer ones are cut. U+FFFD stands for U+0000, which stores
    /// do not keep.
    package static let textLength = 1000

    package init(at: Date, actor: Actor, action: String, subject: String?, detail: String?, isDone: Bool) {
        func cut(_ text: String) -> String { String(text.prefix(Self.textLength)).replacing("\0", with: "\u{FFFD}") }
        self.at = at
        self.actor = Actor(name: cut(actor.name), address: actor.address.map(cut))
        self.action = cut(action)
        self.subject = subject.map(cut)
        self.detail = detail.map(cut)
        self.isDone = isDone
    }

    /// The action of a user who signs in to the portal, or gives the password again; the subject is the user.
    package static let signIn = "session.start"

    /// The seconds for which refusals are gathered: equal ones into one entry, and those of an actor beyond ``refusalsListed``.
    package static let gatherSeconds: TimeInterval = 3600
    /// The number of different refusals of an actor within ``gatherSeconds`` that get entries of their own.
    package static let refusalsListed = 60
    /// The number of entries that are kept, however old they are.
    package static let limit: Int64 = 100_000
    /// The ids from one removal of old entries to the next, and the greatest number that one removes.
    package static let removalInterval: Int64 = 100
    package static let removedAtOnce: Int64 = 1000

    /// The begin of the time in which equal refusals are gathered. Those that lie ahead, as after the clock was set back, are left alone.
    package var gatheredFrom: Date { at.addingTimeInterval(-Self.gatherSeconds) }

    /// The entry for refusals of the actor beyond ``refusalsListed``, of whatever kind.
    package var furtherRefusal: AuditEntry {
        AuditEntry(
            at: at,
            actor: Actor(name: actor.name),
            action: "other requests",
            subject: nil,
            detail: "more than \(Self.refusalsListed) different refusals in an hour; these are counted only",
            isDone: false
        )
    }
}
