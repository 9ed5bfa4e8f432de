import Foundation

/// A row of Posthorn's callback matrix that a person can try with this app.
///
/// The other rows need another app: with another delegate, without permission or without the background mode.
public struct CalibrationStep: Hashable, Sendable {
    /// The state of the app when the notification arrives.
    public enum Start: String, Sendable {
        case foreground, background, terminatedBySystem, forceQuit
    }

    /// The person's action.
    public enum Act: String, Sendable {
        case none, tap, icon, backgroundButton, foregroundButton, reply, dismiss
        /// Dismisses a notification whose category does not report it.
        case dismissUnreported
    }

    /// The key in a payload for the service extension, which replaces the value with the times of its calls.
    static let extensionKey = "calibration"

    /// The id of the row, such as `R10-B-2`.
    public var row: String
    public var start: Start
    /// The kind of notification, in the words of the matrix, such as `alert+content-available`, `silent` or `local`.
    public var payload: String
    public var act: Act

    /// The name in the recording.
    public var name: String { "\(row) \(start.rawValue)" }
    public var isLocal: Bool { payload == "local" }
    /// Whether the service extension lets its time expire.
    public var isSlow: Bool { payload.hasSuffix("(extension too slow)") }
    /// The category of the notification, whose buttons fit the action.
    public var category: String {
        [.reply, .dismissUnreported].contains(act) ? Categories.message : Categories.offer
    }

    private init?(_ line: Substring) {
        let words = line.split(separator: " ").map(String.init)
        guard words.count > 3, let start = Start(rawValue: words[1]), let act = Act(rawValue: words[words.count - 1])
        else { return nil }
        (row, self.start, self.act) = (words[0], start, act)
        payload = words[2..<(words.count - 1)].joined(separator: " ")
    }

    /// All rows for iOS 10 and later, in the order of the matrix.
    public static let all = table.split(separator: "\n").compactMap(CalibrationStep.init)

    /// Row, state of the app, notification and action.
    private static let table = """
        R10-F-1 foreground alert none
        R10-F-2 foreground alert tap
        R10-F-3 foreground alert+content-available none
        R10-F-4 foreground alert+content-available tap
        R10-F-5 foreground silent none
        R10-F-6 foreground alert+mutable-content none
        R10-F-7 foreground alert+mutable-content+content-available none
        R10-F-8 foreground alert backgroundButton
        R10-F-9 foreground alert reply
        R10-F-10 foreground alert dismiss
        R10-F-11 foreground alert dismissUnreported
        R10-B-1 background alert none
        R10-B-2 background alert tap
        R10-B-3 background alert icon
        R10-B-4 background alert+content-available none
        R10-B-5 background alert+content-available tap
        R10-B-6 background alert+content-available icon
        R10-B-8 background silent none
        R10-B-10 background alert+mutable-content none
        R10-B-11 background alert+mutable-content tap
        R10-B-12 background alert+mutable-content (extension too slow) none
        R10-B-13 background mutable-content without alert none
        R10-B-14 background alert+mutable-content+content-available none
        R10-B-15 background alert backgroundButton
        R10-B-16 background alert foregroundButton
        R10-B-17 background alert reply
        R10-B-18 background alert dismiss
        R10-B-19 background alert dismissUnreported
        R10-T-1 terminatedBySystem alert tap
        R10-T-1 forceQuit alert tap
        R10-T-1b forceQuit alert+content-available tap
        R10-T-2 terminatedBySystem alert icon
        R10-T-2 forceQuit alert icon
        R10-T-2b forceQuit alert+content-available icon
        R10-T-15 terminatedBySystem alert+content-available icon
        R10-T-3 terminatedBySystem alert none
        R10-T-3 forceQuit alert none
        R10-T-4 terminatedBySystem alert+content-available none
        R10-T-5 terminatedBySystem alert+content-available tap
        R10-T-6 forceQuit alert+content-available none
        R10-T-7 terminatedBySystem silent none
        R10-T-8 forceQuit silent none
        R10-T-9 terminatedBySystem alert+mutable-content none
        R10-T-9 forceQuit alert+mutable-content none
        R10-T-10 terminatedBySystem alert+mutable-content tap
        R10-T-10 forceQuit alert+mutable-content tap
        R10-T-11 terminatedBySystem alert backgroundButton
        R10-T-11 forceQuit alert backgroundButton
        R10-T-12 terminatedBySystem alert foregroundButton
        R10-T-12 forceQuit alert foregroundButton
        R10-T-13 terminatedBySystem alert reply
        R10-T-13 forceQuit alert reply
        R10-T-14 terminatedBySystem alert dismiss
        R10-T-14 forceQuit alert dismiss
        L10-F-1 foreground local none
        L10-F-2 foreground local tap
        L10-F-3 foreground local backgroundButton
        L10-F-4 foreground local reply
        L10-F-5 foreground local dismiss
        L10-B-1 background local none
        L10-B-2 background local tap
        L10-B-3 background local icon
        L10-B-4 background local backgroundButton
        L10-B-5 background local foregroundButton
        L10-B-6 background local reply
        L10-B-7 background local dismiss
        L10-B-8 background local dismissUnreported
        L10-T-1 terminatedBySystem local tap
        L10-T-1 forceQuit local tap
        L10-T-2 terminatedBySystem local icon
        L10-T-2 forceQuit local icon
        L10-T-3 terminatedBySystem local backgroundButton
        L10-T-3 forceQuit local backgroundButton
        L10-T-4 terminatedBySystem local reply
        L10-T-4 forceQuit local reply
        L10-T-5 terminatedBySystem local dismiss
        L10-T-5 forceQuit local dismiss
        """
}

// MARK: For the person

extension CalibrationStep {
    /// Returns the instructions, one a line.
    ///
    /// - Parameter comes: whether the notification comes without a push by the person.
    /// - Returns: the text.
    func instructions(comes: Bool) -> String {
        let isBack = start == .foreground || [.tap, .icon, .foregroundButton].contains(act)
        let arrival = comes ? text("Wait for the notification: it comes after 15 seconds.") : text("Send the push.")
        let end =
            if isBack {
                text("Select End.")
            } else if isSlow {
                text("Wait a minute, open the app by its icon and select End.")
            } else {
                text("Wait ten seconds, open the app by its icon and select End.")
            }
        return [way, arrival, action, end].compactMap { $0 }.joined(separator: "\n")
    }

    private var way: String {
        switch start {
        case .foreground: text("Leave the app open.")
        case .background: text("Go to the home screen.")
        case .terminatedBySystem: text("Go to the home screen. The app ends itself there.")
        case .forceQuit: text("Swipe the app away in the app switcher.")
        }
    }

    private var action: String? {
        switch act {
        case .none: nil
        case .tap: text("Tap the notification.")
        case .icon: text("Open the app by its icon.")
        case .backgroundButton: text("Touch and hold the notification, and tap Ignore.")
        case .foregroundButton: text("Touch and hold the notification, and tap Have a look.")
        case .reply: text("Touch and hold the notification, tap Reply, write a word and send it.")
        case .dismiss, .dismissUnreported: text("Clear the notification in the Notification Centre.")
        }
    }

    private func text(_ key: String) -> String { NSLocalizedString(key, comment: "") }
}

// MARK: For the service

extension CalibrationStep {
    /// Returns the body of a request to `/v3/push` of Posthorn.
    ///
    /// - Parameters:
    ///   - registrationID: the recipient.
    ///   - isProduction: how the app was built.
    /// - Returns: a JSON object.
    public func push(to registrationID: String, isProduction: Bool) -> [String: Any] {
        var notification: [String: Any] = [:]
        if payload.hasPrefix("alert") {
            notification["alert"] = ["title": "PushLab", "body": name]
            notification["category"] = category
        } else if payload != "silent" {
            // The service wants an alert, and sends none if it is empty.
            notification["alert"] = ""
        }
        if payload.contains("content-available") || payload == "silent" { notification["content-available"] = true }
        if payload.contains("mutable-content") {
            notification["mutable-content"] = true
            notification["extras"] = [Self.extensionKey: isSlow ? "slow" : "asked"]
        }
        return [
            "platform": ["ios"], "audience": ["registration_id": [registrationID]],
            "notification": ["ios": notification], "options": ["apns_production": isProduction],
        ]
    }

    /// Returns the body of a request to `/v3/schedules`, which sends the push at a date.
    func schedule(at date: Date, to registrationID: String, isProduction: Bool) throws -> Data {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        // The time zone in which the service reads a time.
        format.timeZone = TimeZone(identifier: "Asia/Shanghai")
        format.dateFormat = "yyyy-MM-dd HH:mm:ss"
        let body: [String: Any] = [
            "name": "PushLab", "enabled": true, "trigger": ["single": ["time": format.string(from: date)]],
            "push": push(to: registrationID, isProduction: isProduction),
        ]
        return try JSONSerialization.data(withJSONObject: body, options: .sortedKeys)
    }

    /// Returns a command that sends the push; it uses the variables of step 6 in README.md.
    public func curl(to registrationID: String, isProduction: Bool) throws -> String {
        let body = try JSONSerialization.data(
            withJSONObject: push(to: registrationID, isProduction: isProduction),
            options: [.sortedKeys, .withoutEscapingSlashes]
        )
        return """
            curl --user "$POSTHORN_APP_KEY:$POSTHORN_MASTER_SECRET" --header 'Content-Type: application/json' \\
              "$POSTHORN_URL/v3/push" --data '\(String(decoding: body, as: UTF8.self))'
            """
    }
}
