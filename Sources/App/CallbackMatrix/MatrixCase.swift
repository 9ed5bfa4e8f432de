import CMatrix
import PushDevice
package import PushModel
package import UIKit

/// A row of the matrix without alternatives.
package struct MatrixCase: Sendable, CustomStringConvertible {
    package enum Start: String, Sendable { case foreground, background, terminatedBySystem, forceQuit }
    package enum Delegate: String, Sendable {
        case complete, none, withoutWillPresent, neverAnswers
        /// An app with the APIs from before iOS 10.
        case legacy
    }
    package enum Permission: Sendable { case granted, denied, notAsked }
    package enum Act: Sendable, Equatable {
        case none, tap, icon, reply, dismiss
        case button(String)
        /// Chooses the quick action of the app's icon.
        case shortcut
        /// Follows a link with the app's scheme.
        case url
        /// Goes to the home screen.
        case leave
        /// Swipes the app away.
        case swipeAway
    }

    package var id: String
    package var start: Start
    package var delegate: Delegate
    package var payload: String
    package var hasBackgroundMode: Bool
    package var act: Act
    /// The options that `willPresent` returns.
    package var options: UNNotificationPresentationOptions = [.banner, .list, .sound, .badge]
    package var category = "quiet"
    /// The identifier of the button that asks for text.
    package var replyAction = "answer"
    /// Whether the notification plays the default sound.
    package var hasSound = false
    /// The members of the payload beside `aps`.
    package var additions: JSONObject = [:]
    package var permission = Permission.granted
    /// Whether rule R1 applies.
    package var clearsOnActivation = false
    /// Whether the app sets its badge to 0 at launch.
    package var zeroesBadge = false
    /// Whether the app declares a scene.
    package var hasScenes = false

    /// The callbacks that the row expects.
    package var sequence: [String]
    /// The callbacks of ``sequence`` that are not the life cycle of a running app.
    package var notificationCallbacks: [String] = []
    package var launchOptions: String
    package var hasBanner: Bool
    package var isListed: Bool

    /// The section of the guide that explains the row, as page, `#` and section; empty for a case of one's own.
    package var explainedIn = ""

    package var isLocal: Bool { payload == "local" }

    /// Whether a notification arrives.
    package var hasNotification: Bool { payload != "none" }

    /// The id of the row for apps without scenes, such as `R10-T-1` for `R13-T-1`.
    package var idWithoutScenes: String { MatrixLine.idWithoutScenes(id) }

    package var description: String {
        "\(id) \(start) \(delegate) \(payload) \(act) mode:\(hasBackgroundMode) options:\(options.rawValue)"
            + " r1:\(clearsOnActivation) zero:\(zeroesBadge)\(hasScenes ? " scenes" : "")"
    }

    /// The push described by the column `payload_kind`.
    package var json: JSONValue {
        let text: JSONObject = ["title": "Hi", "body": "there"]
        var aps: JSONObject = [:]
        if payload.hasPrefix("alert") {
            aps["alert"] = .object(text)
            aps["badge"] = 1
            aps["category"] = .string(category)
            if hasSound { aps["sound"] = "default" }
        }
        if payload.contains("content-available") || payload == "silent" { aps["content-available"] = 1 }
        if payload.contains("mutable-content") { aps["mutable-content"] = 1 }
        var payload = additions
        payload["aps"] = .object(aps)
        return .object(payload)
    }
}

extension MatrixCase {
    /// Creates a case that is not in the table: with permission and the background mode, a complete delegate on iOS 10 and
    /// later, and rule R1 as in that version.
    ///
    /// `payload` is written as in the table's column: `alert`, `alert+content-available`, `silent` and so on.
    package init(start: Start, payload: String, act: Act, iOS major: Int) {
        self.init(
            id: "",
            start: start,
            delegate: major < 10 ? .legacy : .complete,
            payload: payload,
            hasBackgroundMode: true,
            act: act,
            category: act == .dismiss ? "hears" : "quiet",
            clearsOnActivation: SystemProfile.iOS(major).clearsDeliveredOnActivation,
            sequence: [],
            launchOptions: "",
            hasBanner: false,
            isListed: false
        )
    }
}

// MARK: From a line to its cases

extension MatrixCase {
    /// Returns every row for a version of iOS, with its alternatives expanded and each switch in both settings.
    ///
    /// The table has rows for iOS 9, and for iOS 10 and later. For iOS 7 and 8, these are the rows of iOS 9 without what came later:
    /// replies and the methods with a `responseInfo` (9), and buttons (8). Source: Apple, `UIApplicationDelegate` and
    /// `UIUserNotificationAction`, availability.
    ///
    /// The rows of iOS 13 and later are those of iOS 10 with other callbacks in an app with scenes. A row of iOS 10 without one holds for
    /// both kinds of apps. Before iOS 13 a declaration of scenes has no effect.
    ///
    /// - Parameters:
    ///   - major: the version of iOS.
    ///   - hasScenes: whether the app declares a scene.
    /// - Returns: the cases, in the order of the table.
    package static func all(iOS major: Int, hasScenes: Bool = false) -> [MatrixCase] {
        let cases =
            switch major {
            case 13... where hasScenes: sceneLines.flatMap(cases)
            case 10...: since10
            case 9: before10
            default: before10.compactMap { $0.before9(on: SystemProfile.iOS(major)) }
            }
        guard hasScenes else { return cases }
        return cases.map { row in
            var row = row
            row.hasScenes = true
            return row
        }
    }

    private static let linesSince10 = MatrixLine.all.filter { $0["os"] == "iOS 10+" }
    private static let since10 = linesSince10.flatMap(cases)

    /// The lines for an app with scenes.
    private static let sceneLines = {
        let own = MatrixLine.all.filter { $0["os"] == "iOS 13+" }
        return linesSince10.map { line in own.first { $0.idWithoutScenes == line["id"] } ?? line }
    }()

    private static let before10 = MatrixLine.all.filter { $0["os"] == "iOS 9" }.flatMap(cases)

    /// Returns a row of iOS 9 as an earlier version has it; nil if the version lacks the user's action.
    private func before9(on system: SystemProfile) -> MatrixCase? {
        switch act {
        case .none, .tap, .icon, .dismiss, .shortcut, .url, .leave, .swipeAway: break
        case .reply: if !system.hasTextInput { return nil }
        case .button: if !system.hasButtons { return nil }
        }
        var row = self
        row.sequence = sequence.map { $0.replacing("withResponseInfo:", with: "") }
        row.notificationCallbacks = notificationCallbacks.map { $0.replacing("withResponseInfo:", with: "") }
        return row
    }

    private static func cases(of line: MatrixLine) -> [MatrixCase] {
        var cases: [MatrixCase] = []
        for start in starts(line) {
            for delegate in delegates(line["un_delegate"]) {
                for payload in line["payload_kind"].components(separatedBy: " or ") {
                    for mode in modes(line["bg_mode_remote_notification"]) {
                        for (act, category) in acts(line["user_action"], start) {
                            cases.append(
                                MatrixCase(
                                    id: line["id"],
                                    start: start,
                                    delegate: delegate,
                                    payload: payload,
                                    hasBackgroundMode: mode,
                                    act: act,
                                    category: category,
                                    sequence: sequence(line["full_sequence"], start),
                                    notificationCallbacks: sequence(line["notification_callbacks"], start),
                                    launchOptions: line["launch_options"],
                                    hasBanner: line["banner"].hasPrefix("yes"),
                                    isListed: line["list_entry_after"].hasPrefix("present"),
                                    explainedIn: line["explained_in"]
                                )
                            )
                        }
                    }
                }
            }
        }
        return cases.flatMap { $0.settings(line) }
    }

    private static func starts(_ line: MatrixLine) -> [Start] {
        let terminated: [Start] =
            switch line["terminated_by"] {
            case "system": [.terminatedBySystem]
            case "user": [.forceQuit]
            default: [.terminatedBySystem, .forceQuit]
            }
        return switch line["app_state"] {
        case "foreground": [.foreground]
        case "background": [.background]
        case "foreground or background": [.foreground, .background]
        case "terminated": terminated
        default: [.foreground, .background] + terminated
        }
    }

    private static func delegates(_ cell: String) -> [Delegate] {
        switch cell {
        case "set": [.complete]
        case "nil": [.none]
        case "set but willPresent missing": [.withoutWillPresent]
        case "any": [.complete, .none]
        case "n/a": [.legacy]
        default: [.neverAnswers]
        }
    }

    private static func modes(_ cell: String) -> [Bool] {
        cell == "no" ? [false] : cell == "any" ? [true, false] : [true]
    }

    /// Returns the actions of a cell. In the foreground, either kind of button leaves the app's state unchanged; elsewhere, only
    /// a button without `.foreground` does.
    private static func acts(_ cell: String, _ start: Start) -> [(Act, String)] {
        switch cell {
        case "none": [(.none, "quiet")]
        case "tap_notification": [(.tap, "quiet")]
        case "tap_app_icon": [(.icon, "quiet")]
        case "tap_quick_action": [(.shortcut, "quiet")]
        case "open_url": [(.url, "quiet")]
        case "go_home": [(.leave, "quiet")]
        case "swipe_away": [(.swipeAway, "quiet")]
        case "tap_action_button" where start == .foreground: [(.button("later"), "quiet"), (.button("show"), "quiet")]
        case "tap_action_button", "tap_action_button(background)": [(.button("later"), "quiet")]
        case "tap_action_button(.foreground)", "tap_action_button(foreground)": [(.button("show"), "quiet")]
        case "reply_text": [(.reply, "quiet")]
        case "dismiss(category has customDismissAction)": [(.dismiss, "hears")]
        default: [(.dismiss, "quiet")]
        }
    }

    private static func sequence(_ cell: String, _ start: Start) -> [String] {
        if cell == "-" { return [] }
        let state = start == .foreground ? "active" : "background"
        return cell.replacing("active|background", with: state).components(separatedBy: " > ")
    }

    /// Returns the cases of a line: both settings of each switch, and each result of `willPresent`, where the line depends on them.
    private func settings(_ line: MatrixLine) -> [MatrixCase] {
        var one = self
        if line["id"] == "R10-X-1" {
            return [Permission.denied, .notAsked].map { permission in
                one.permission = permission
                return one
            }
        }
        if line["id"] == "R10-X-2" {
            one.permission = .denied
            return [one]
        }
        if line["banner"] == "per returned options" {
            let answers: [UNNotificationPresentationOptions] = [
                [], [.alert], [.banner, .list], [.banner], [.list], [.sound],
            ]
            return answers.map { options in
                one.options = options
                one.hasBanner = options.contains(.banner) || options.contains(.alert)
                one.isListed = options.contains(.list) || options.contains(.alert)
                return one
            }
        }
        if line["notes"].contains("R1") || line["implement"].contains("device switch") {
            return [true, false].map { isOn in
                one.clearsOnActivation = isOn
                one.isListed = !isOn
                return one
            }
        }
        if line["list_entry_after"].contains("zeroes the badge") {
            return [true, false].map { zeroes in
                one.zeroesBadge = zeroes
                one.isListed = !zeroes
                return one
            }
        }
        return [one]
    }
}

/// One line of a table of `Sources/App/CMatrix`.
package struct MatrixLine: Sendable {
    private let cells: [String: String]

    package subscript(column: String) -> String { cells[column] ?? "" }

    /// The id of the line for apps without scenes, which is its own if it is such a line.
    package var idWithoutScenes: String { Self.idWithoutScenes(self["id"]) }

    /// Returns `R10-T-1` for `R13-T-1`.
    fileprivate static func idWithoutScenes(_ id: String) -> String {
        let parts = id.split(separator: "-", maxSplits: 1)
        guard parts.count == 2 else { return id }
        return "\(parts[0].replacing("13", with: "10"))-\(parts[1])"
    }

    /// The names of the columns of the table of callbacks, in order; nil if it is empty.
    package static var columns: [String]? { parse(callbacks).first }

    /// All lines of the table of callbacks, in order.
    package static let all = read(callbacks)

    /// All lines of the table of Live Activities, in order.
    static let activities = read(unsafe text(of: matrix_activities()))

    /// All lines of the table of calls, in order.
    static let calls = read(unsafe text(of: matrix_calls()))

    private static let callbacks = unsafe text(of: matrix_callbacks())

    private static func text(of table: matrix_table) -> String {
        // The bytes are constants of the binary.
        unsafe String(decoding: UnsafeBufferPointer(start: table.bytes, count: table.length), as: UTF8.self)
    }

    /// Parses comma-separated values whose first line names the columns.
    package static func read(_ text: String) -> [MatrixLine] {
        var lines = parse(text)
        let names = lines.removeFirst()
        return lines.map { line in
            MatrixLine(cells: Dictionary(zip(names, line)) { first, _ in first })
        }
    }

    private static func parse(_ text: String) -> [[String]] {
        var reader = CSVReader()
        reader.add(text.utf8)
        var lines: [[String]] = []
        while let row = reader.next(isEnd: true) { lines.append(row.fields) }
        return lines
    }
}
