package import SystemPort

/// The key of a button on the desktop. It is the action's identifier with a prefix, so that no app's action has a key with a meaning of
/// its own.
package enum ActionKey {
    /// The key of a click on the notification itself. Source: Desktop Notifications Specification, "Actions".
    package static let tap = "default"
    /// The key of the text field. Source: KDE, `NotificationReplied` and the capability `inline-reply`.
    package static let reply = "inline-reply"
    private static let prefix = "action:"

    package static func key(for identifier: String) -> String { prefix + identifier }

    /// - Parameters:
    ///   - key: the key that the server reports.
    ///   - category: the notification's category; nil for none.
    /// - Returns: the identifier of the action; nil for a key that the notification did not have.
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
