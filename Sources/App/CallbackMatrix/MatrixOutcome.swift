package import PushDevice
package import PushModel

/// The outcome of a case.
package struct MatrixOutcome: Sendable {
    /// The notification's id: the apns-id of a push.
    package var id: String
    /// The callbacks in order, in the notation of the table.
    package var sequence: [String]
    package var banners: [ShownNotification]
    /// The notifications left in the notification centre.
    package var listed: [String]
    /// Whether the launch caused by the case had the payload under `.remoteNotification`.
    package var hadLaunchPayload: Bool
    /// Whether the launch caused by the case had the local notification under `.localNotification`.
    package var hadLaunchNotification: Bool
    package var hadLaunchOptions: Bool
    /// Whether the user could perform the action of the case.
    package var couldAct: Bool
    /// The journey so far.
    package var journey: [JourneyEvent]
    /// The journey as readable text.
    package var story: String

    package static let lifeCycle = [
        "applicationWillEnterForeground(_:)", "applicationDidBecomeActive(_:)", "applicationWillResignActive(_:)",
        "applicationDidEnterBackground(_:)",
    ]

    /// Returns one sentence for each difference from the row; empty if there is none.
    package func differences(from row: MatrixCase) -> [String] {
        var differences: [String] = []
        func check(_ what: String, _ found: some Equatable, is expected: some Equatable) {
            if "\(found)" != "\(expected)" { differences.append("\(what): \(found), expected \(expected)") }
        }
        check("callbacks", sequence, is: row.sequence)
        let notified = sequence.filter { callback in !Self.lifeCycle.contains { callback.hasPrefix($0 + "@") } }
        check("callbacks without the life cycle", notified, is: row.notificationCallbacks)
        check("a banner", !banners.isEmpty, is: row.hasBanner)
        check("left in the notification centre", listed, is: row.isListed ? [id] : [])
        check("the user's act was possible", couldAct, is: true)
        switch row.launchOptions {
        case "nil": check("launch options", hadLaunchOptions, is: false)
        case "n/a":
            let launches = sequence.filter { $0.contains("didFinishLaunchingWithOptions") }
            check("launches", launches, is: [String]())
        case let cell where cell.hasPrefix("[.remoteNotification"):
            check("launch options with the payload", hadLaunchPayload, is: true)
        case let cell where cell.hasPrefix("[.localNotification"):
            check("launch options with the local notification", hadLaunchNotification, is: true)
        default: break
        }
        if row.payload.hasPrefix("alert+mutable-content"), row.permission == .granted, row.hasBanner {
            check("title", banners.map(\.title), is: [row.payload.contains("too slow") ? "Hi" : "Hi [changed]"])
        }
        return differences
    }
}
