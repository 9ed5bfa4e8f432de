import PosthornTesting
import PushModel
import Testing
import UIKit

/// A row of the matrix without alternatives.
struct MatrixCase: Sendable, CustomTestStringConvertible {
    enum Start: String, Sendable { case foreground, background, terminatedBySystem, forceQuit }
    enum Delegate: String, Sendable { case complete, none, withoutWillPresent, neverAnswers }
    enum Permission: Sendable { case granted, denied, notAsked }
    enum Act: Sendable, Equatable {
        case none, tap, icon, reply, dismiss
        case button(String)
    }

    var id: String
    var start: Start
    var delegate: Delegate
    var payload: String
    var hasBackgroundMode: Bool
    var act: Act
    /// What `willPresent` answers.
    var options: UNNotificationPresentationOptions = [.banner, .list, .sound, .badge]
    var category = "quiet"
    var permission = Permission.granted
    /// Rule R1.
    var clearsOnActivation = false
    /// The app sets its badge to 0 at launch.
    var zeroesBadge = false

    /// What the row says comes of it.
    var sequence: [String]
    var launchOptions: String
    var hasBanner: Bool
    var isListed: Bool

    var isLocal: Bool { payload == "local" }

    var testDescription: String {
        "\(id) \(start) \(delegate) \(payload) \(act) mode:\(hasBackgroundMode) options:\(options.rawValue)"
            + " r1:\(clearsOnActivation) zero:\(zeroesBadge)"
    }

    /// The push that the column `payload_kind` describes.
    var json: JSONValue {
        let text: JSONObject = ["title": "Hi", "body": "there"]
        var aps: JSONObject = [:]
        if payload.hasPrefix("alert") {
            aps["alert"] = .object(text)
            aps["badge"] = 1
            aps["category"] = .string(category)
        }
        if payload.contains("content-available") || payload == "silent" { aps["content-available"] = 1 }
        if payload.contains("mutable-content") { aps["mutable-content"] = 1 }
        return ["aps": .object(aps)]
    }
}

// MARK: From a line to its cases

extension MatrixCase {
    /// Rows of the interface before iOS 10, which comes in a later issue: methods that are not declared yet.
    static let notYet: Set<String> = ["R10N-B-3", "L10N-F-1", "L10N-B-1"]

    static func all() throws -> [MatrixCase] {
        try MatrixLine.all().filter { $0["os"] == "iOS 10+" && !notYet.contains($0["id"]) }.flatMap(cases)
    }

    private static func cases(of line: MatrixLine) -> [MatrixCase] {
        var cases: [MatrixCase] = []
        for start in starts(line) {
            for delegate in delegates(line["un_delegate"]) {
                for payload in line["payload_kind"].components(separatedBy: " or ") {
                    for mode in modes(line["bg_mode_remote_notification"]) {
                        for (act, category) in acts(line["user_action"]) {
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
                                    launchOptions: line["launch_options"],
                                    hasBanner: line["banner"].hasPrefix("yes"),
                                    isListed: line["list_entry_after"].hasPrefix("present")
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
        default: [.neverAnswers]
        }
    }

    private static func modes(_ cell: String) -> [Bool] {
        switch cell {
        case "yes": [true]
        case "no": [false]
        case "any": [true, false]
        default: [true]
        }
    }

    private static func acts(_ cell: String) -> [(Act, String)] {
        switch cell {
        case "none": [(.none, "quiet")]
        case "tap_notification": [(.tap, "quiet")]
        case "tap_app_icon": [(.icon, "quiet")]
        case "tap_action_button": [(.button("later"), "quiet"), (.button("show"), "quiet")]
        case "tap_action_button(background)": [(.button("later"), "quiet")]
        case "tap_action_button(.foreground)": [(.button("show"), "quiet")]
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

    /// Both settings of each switch, and each answer of `willPresent`, where the line depends on them.
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
