import CallbackMatrix

/// The kinds of methods that a notification can call.
enum MatrixMethods {
    static let launch = "application(_:didFinishLaunchingWithOptions:)"

    private static let telling = [
        "userNotificationCenter(_:", "application(_:didReceiveRemoteNotification:", "application(_:didReceive:)",
        "application(_:handleActionWithIdentifier:",
    ]

    /// Whether the app learns of the notification by the method.
    static func tellsOfNotification(_ method: String) -> Bool { telling.contains { method.hasPrefix($0) } }

    /// Whether it is a method of the life cycle of a running app.
    static func isLifeCycle(_ method: String) -> Bool { MatrixOutcome.lifeCycle.contains(method) }

    static func isOfCentre(_ method: String) -> Bool { method.hasPrefix("userNotificationCenter(_:") }

    static func isOfExtension(_ method: String) -> Bool { method.hasPrefix("UNNotificationServiceExtension") }
}

extension CallbackMatrix.Call {
    /// Reads a call from the notation of the table: `method@state[detail]`.
    init(_ text: String) {
        let parts = text.split(separator: "@", maxSplits: 1).map(String.init)
        method = parts.first ?? text
        state = parts.count > 1 ? String(parts[1].prefix { $0 != "[" }) : nil
    }
}
