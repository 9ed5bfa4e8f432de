package import SystemPort

/// The arguments of `org.freedesktop.Notifications.Notify`.
package struct NotifyArguments: Hashable, Sendable {
    package var appName = ""
    /// The id of the notification that this one replaces; 0 for none.
    package var replaces: UInt32 = 0
    /// The name of an icon of the theme, or a path; empty for none.
    package var icon = ""
    package var summary = ""
    package var body = ""
    /// The buttons: the key that the server reports, and the label.
    package var actions: [Action] = []
    package var hints: [String: BusValue] = [:]
    /// The time until it expires, in milliseconds; -1 is the server's default, 0 never.
    package var expiry: Int32 = -1

    package struct Action: Hashable, Sendable {
        package var key: String
        package var label: String
    }

    package init() {}

    /// The arguments in the order of the method, `susssasa{sv}i`.
    package var values: [BusValue] {
        [
            .string(appName), .uint32(replaces), .string(icon), .string(summary), .string(body),
            .strings(actions.flatMap { [$0.key, $0.label] }), .options(hints), .int32(expiry),
        ]
    }
}

/// The key of a button on the desktop. It is the action's identifier with a prefix, so that no app's action has a key with a meaning of
/// its own.
package enum ActionKey {
    /// The key of a click on the notification itself. Source: Desktop Notifications Specification, "Actions".
    package static let tap = "default"
    /// The key of the text field. Source: KDE, `NotificationReplied` and the capability `inline-reply`.
    package static let reply = "inline-reply"
    private static let prefix = "action:"

    package static func key(for identifier: String) -> String { prefix + identifier }

    /// Returns the identifier of the action with a key that the server reports; nil for a key that the notification did not have.
    package static func identifier(for key: String, in category: CategoryRecord?) -> String? {
        switch key {
        case tap: return ResponseRecord.defaultAction
        case reply: return category?.replyAction?.identifier
        default:
            guard key.hasPrefix(prefix) else { return nil }
            let identifier = String(key.dropFirst(prefix.count))
            return category?.actions.first { $0.identifier == identifier }?.identifier
        }
    }
}

extension CategoryRecord {
    /// The first button that asks for text: a notification has one text field at most.
    package var replyAction: ActionRecord? { actions.first { $0.textInput != nil } }
}
