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
    /// The launch options of the launch that the case caused.
    package var launch: MatrixLaunch
    /// Whether the user could perform the action of the case.
    package var couldAct: Bool
    /// The journey so far.
    package var journey: [JourneyEvent]
    /// The journey as readable text.
    package var story: String

    package static let lifeCycle = [
        "applicationWillEnterForeground(_:)", "applicationDidBecomeActive(_:)", "applicationWillResignActive(_:)",
        "applicationDidEnterBackground(_:)", "applicationWillTerminate(_:)", "sceneWillEnterForeground(_:)",
        "sceneDidBecomeActive(_:)", "sceneWillResignActive(_:)", "sceneDidEnterBackground(_:)",
        "sceneDidDisconnect(_:)",
        "application(_:didDiscardSceneSessions:)",
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
        if let expected = row.launch {
            check("launch options", launch.rawValue, is: expected.rawValue)
        } else {
            let launches = sequence.filter { $0.contains("didFinishLaunchingWithOptions") }
            check("launches", launches, is: [String]())
        }
        if row.payload.hasPrefix("alert+mutable-content"), row.permission == .granted, row.hasBanner {
            check("title", banners.map(\.title), is: [row.payload.contains("too slow") ? "Hi" : "Hi [changed]"])
        }
        return differences
    }
}

/// The launch options of an app, in the words of the table.
package enum MatrixLaunch: String, Sendable, Codable, CaseIterable {
    case none = "nil"
    case push = "[.remoteNotification: userInfo]"
    case local = "[.localNotification: UILocalNotification]"
    case shortcut = "[.shortcutItem: UIApplicationShortcutItem]"
    case url = "[.url: URL]"
    case other
}

extension MatrixCase {
    /// The launch options that the row expects; nil for a row without a launch.
    package var launch: MatrixLaunch? {
        // A cell may go on: at which of two launches, or that the notification is a copy.
        MatrixLaunch.allCases.first { launchOptions.hasPrefix($0.rawValue.prefix { $0 != ":" }) }
    }
}
