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
