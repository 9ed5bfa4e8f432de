import Foundation

/// A row of the table of Live Activities without alternatives.
package struct ActivityMatrixCase: Sendable, CustomStringConvertible {
    /// The state of the Live Activity when the push arrives.
    package enum ActivityStart: String, Sendable, CaseIterable {
        /// The app has none.
        case none
        case active, stale, ended
        /// The user has swiped it off the lock screen.
        case dismissed
        /// The user has switched the app's Live Activities off.
        case off
    }

    package enum Push: String, Sendable, CaseIterable {
        case start, update
        case alert = "update with alert"
        case end
        case endAtOnce = "end with dismissal-date in the past"
        case channel = "update of a channel"
        case channelEnd = "end of a channel"

        /// Whether it is a message of a broadcast channel.
        var isBroadcast: Bool { self == .channel || self == .channelEnd }
    }

    package typealias AppStart = MatrixCase.Start

    package var id: String
    package var activity: ActivityStart
    package var push: Push
    package var app: AppStart

    /// The expected outcome.
    package var expected: ActivityMatrixOutcome

    package var description: String { "\(id) activity:\(activity) push:\(push.rawValue) app:\(app)" }

    /// The columns of the table, in order.
    package static let columns = [
        "id", "activity", "push", "app_state", "state_after", "app_hears", "shown", "island_after", "verdict", "source",
        "notes",
    ]

    /// All rows, each once for each of its states of the app, in the order of the table.
    package static var all: [ActivityMatrixCase] {
        MatrixLine.activities.flatMap { line in
            states(line["app_state"]).compactMap { ActivityMatrixCase(line, app: $0) }
        }
    }

    /// Nil for a line with a word that the columns `activity` and `push` do not have.
    init?(_ line: MatrixLine, app: AppStart) {
        guard let activity = ActivityStart(rawValue: line["activity"]), let push = Push(rawValue: line["push"]) else {
            return nil
        }
        id = line["id"]
        self.activity = activity
        self.push = push
        self.app = app
        expected = ActivityMatrixOutcome(
            states: line["state_after"],
            hears: Self.list(line["app_hears"]),
            shown: Self.list(line["shown"]),
            isInIsland: line["island_after"] == "yes",
            verdict: line["verdict"],
            story: ""
        )
    }

    /// The states of the app that a cell names.
    package static func states(_ cell: String) -> [AppStart] {
        let all: [(String, AppStart)] = [
            ("foreground", .foreground), ("background", .background), ("terminated", .terminatedBySystem),
            ("force-quit", .forceQuit),
        ]
        if cell == "any" { return all.map(\.1) }
        let words = cell.split(separator: "|").map(String.init)
        return all.filter { words.contains($0.0) }.map(\.1)
    }

    private static func list(_ cell: String) -> [String] { cell == "-" ? [] : cell.components(separatedBy: " > ") }
}

/// The outcome of a push to a Live Activity.
package struct ActivityMatrixOutcome: Sendable {
    /// The states after the push: of the activity, and of one that the push has started, in ActivityKit's words; `none` without any.
    package var states: String
    /// The calls and the elements that the app's code gets, in the order launch, `activityUpdates`, `pushTokenUpdates`, `contentUpdates`,
    /// `activityStateUpdates`.
    package var hears: [String]
    /// The changes on the screen, in order.
    package var shown: [String]
    /// Whether the Dynamic Island shows an activity afterwards.
    package var isInIsland: Bool
    /// The verdict of the push's journey.
    package var verdict: String
    /// The journey as readable text.
    package var story: String

    /// Returns one sentence for each difference from the row; empty if there is none.
    package func differences(from row: ActivityMatrixCase) -> [String] {
        let expected = row.expected
        let pairs = [
            ("state", states, expected.states),
            ("the app hears", "\(hears)", "\(expected.hears)"),
            ("shown", "\(shown)", "\(expected.shown)"),
            ("in the island", "\(isInIsland)", "\(expected.isInIsland)"),
            ("verdict", verdict, expected.verdict),
        ]
        return pairs.compactMap { what, found, wanted in
            found == wanted ? nil : "\(what): \(found), expected \(wanted)"
        }
    }
}
