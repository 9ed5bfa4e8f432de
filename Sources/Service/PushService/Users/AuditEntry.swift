package import Foundation
import PushModel

/// A change that somebody made or tried to make.
package struct AuditEntry: Hashable, Sendable {
    /// A number that grows with each entry.
    package typealias ID = Int64

    package var id: ID = 0
    package var at: Date
    package var actor: Actor
    /// The name of an operation such as `app.create`, or the method and path of a request to the API.
    package var action: String
    /// The app, group, developer or user that it is about; nil if there is none.
    package var subject: String?
    /// The change, never with secrets; for one that was refused, the reason.
    package var detail: String?
    /// Whether the change was made.
    package var isDone: Bool

    /// The greatest number of characters of each text, which may be a caller's; longer ones are cut. U+FFFD stands for U+0000, which stores
    /// do not keep.
    package static let textLength = 1000

    package init(at: Date, actor: Actor, action: String, subject: String?, detail: String?, isDone: Bool) {
        func cut(_ text: String) -> String {
            String(text.prefix(Self.textLength)).replacing("\0", with: "\u{FFFD}")
        }
        self.at = at
        self.actor = Actor(name: cut(actor.name), address: actor.address.map(cut))
        self.action = cut(action)
        self.subject = subject.map(cut)
        self.detail = detail.map(cut)
        self.isDone = isDone
    }

    /// The entry as an operator sees it.
    var members: JSONObject {
        [
            "id": .integer(id), "at": .string(at.formatted(.iso8601)), "actor": .string(actor.name),
            "address": actor.address.map { .string($0) } ?? .null, "action": .string(action),
            "subject": subject.map { .string($0) } ?? .null, "detail": detail.map { .string($0) } ?? .null,
            "ok": .bool(isDone),
        ]
    }
}
