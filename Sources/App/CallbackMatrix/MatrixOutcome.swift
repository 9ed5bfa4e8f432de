package import PushDevice

/// What came of a case.
package struct MatrixOutcome: Sendable {
    /// Of the notification: the apns-id of a push.
    package var id: String
    /// The callbacks in their order, as the table writes them.
    package var sequence: [String]
    package var banners: [ShownNotification]
    /// What is left in the notification centre.
    package var listed: [String]
    /// The launch that the case led to had the payload under `.remoteNotification`.
    package var hadLaunchPayload: Bool
    /// The same, with the local notification under `.localNotification`.
    package var hadLaunchNotification: Bool
    package var hadLaunchOptions: Bool
    /// The person found what the case has them do.
    package var couldAct: Bool
    /// The journey, for a person.
    package var story: String

    /// What is not as the row says, a sentence each; empty if all is.
    package func differences(from row: MatrixCase) -> [String] {
        var differences: [String] = []
        func check(_ what: String, _ found: some Equatable, _ expected: some Equatable) {
            if "\(found)" != "\(expected)" { differences.append("\(what): \(found), expected \(expected)") }
        }
        check("callbacks", sequence, row.sequence)
        check("a banner", !banners.isEmpty, row.hasBanner)
        check("left in the notification centre", listed, row.isListed ? [id] : [])
        check("the person's act was possible", couldAct, true)
        switch row.launchOptions {
        case "nil": check("launch options", hadLaunchOptions, false)
        case let cell where cell.hasPrefix("[.remoteNotification"):
            check("launch options with the payload", hadLaunchPayload, true)
        case let cell where cell.hasPrefix("[.localNotification"):
            check("launch options with the local notification", hadLaunchNotification, true)
        default: break
        }
        if row.payload.hasPrefix("alert+mutable-content"), row.permission == .granted, row.hasBanner {
            check("title", banners.map(\.title), [row.payload.contains("too slow") ? "Hi" : "Hi [changed]"])
        }
        return differences
    }
}
