public import Foundation
import PosthornPhone

extension CallbackMatrix {
    /// The results of all cases: a value to keep, as JSON (`Codable`) or as ``text``, and to compare with a later one.
    public struct Table: Hashable, Sendable, Codable, CustomStringConvertible {
        /// The results, by version and then in the order of the table behind `posthorn matrix`.
        public var rows: [Row]

        /// Creates a table of these rows.
        public init(rows: [Row]) { self.rows = rows }

        /// The rows in which an app could have been called and none of this app's methods that tell of the notification was.
        ///
        /// Rows in which iOS calls no method whatever the app implements are in ``silent``.
        public var unreached: [Row] { rows.filter { !$0.reachesApp && $0.silence == nil } }

        /// The rows in which no app gets a call that tells of the notification, with the reason in ``Row/silence``.
        public var silent: [Row] { rows.filter { $0.silence != nil } }

        /// The methods to implement, so that no call is missing; each once, in the order of the rows.
        public var methodsToImplement: [String] {
            var seen: Set<String> = []
            return rows.flatMap(\.missing).map(\.call.method).filter { seen.insert($0).inserted }
        }

        /// The table as text: a paragraph for each row, then the rows that did not reach the app, and those that reach none.
        ///
        /// The text of two runs of the same app is the same.
        public var text: String {
            var parts = rows.map(\.text)
            parts.append(
                Self.list(unreached, under: "Not reached, and an app could be") { row in
                    row.missing.map(\.reason).joined(separator: " ")
                }
            )
            parts.append(Self.list(silent, under: "No app is called") { $0.silence ?? "" })
            return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
        }

        public var description: String { text }

        /// Compares this table with an earlier one.
        ///
        /// - Parameter earlier: the ``text`` that was expected.
        /// - Returns: the lines that differ, `-` before those of the earlier one and `+` before those of this; empty if there are none.
        public func difference(from earlier: String) -> String { LineDifference.text(of: text, from: earlier) }

        private static func list(_ rows: [Row], under title: String, _ reason: (Row) -> String) -> String {
            guard !rows.isEmpty else { return "" }
            return (["\(title):"] + rows.map { "  \($0.name): \(reason($0))" }).joined(separator: "\n")
        }
    }
}

extension CallbackMatrix.Row {
    /// The row as text: its name, the calls, their results, the screen, and what is missing.
    public var text: String {
        var lines = ["\(name) (\(id))"]
        lines += calls.isEmpty ? ["  no call"] : calls.map { "  \($0)" }
        if !couldAct { lines.append("  the user cannot act: the notification is not on the screen") }
        if let fetchResult { lines.append("  fetch: \(fetchResult)") }
        if answeredWillPresent == false { lines.append("  willPresent: its completion handler was not called") }
        if let serviceExtension { lines.append("  service extension: \(serviceExtension)") }
        let shown = presentation.isEmpty ? "nothing" : presentation.joined(separator: ", ")
        let title = banner.map { " '\($0)'" } ?? ""
        lines.append("  shown: \(shown)\(title); \(isListed ? "left" : "not left") in the notification centre")
        lines += missing.map { "  missing: \($0.call)" }
        return lines.joined(separator: "\n")
    }
}

extension CallbackMatrix.Table {
    /// Compares the table with one that is kept beside the test, and fails the test with the lines that differ.
    ///
    /// The file is `Snapshots/NAME.txt` in the folder of the test's source, and has the ``text``. If it does not exist, or the variable
    /// `POSTHORN_RECORD` of the environment is `1`, it is written: the first time the test fails and says so.
    ///
    /// - Parameters:
    ///   - name: the name of the snapshot, different for each one in the folder.
    ///   - folder: the folder of the snapshots; nil for `Snapshots` beside the test's source.
    ///   - fileID: the module and the file of the test.
    ///   - filePath: the path of the file.
    ///   - line: the line at which a failure is shown.
    ///   - column: the column.
    /// - Returns: whether the table is as in the snapshot.
    @discardableResult
    public func expectSnapshot(
        named name: String,
        in folder: URL? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) -> Bool {
        let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        let kept = KeptText(name: name, ending: "txt", folder: folder, location: location) { reason in
            TestIssues.record(reason, at: location)
        }
        return kept.expect(text, of: "The callback matrix") { difference(from: $0) }
    }
}

extension CallbackMatrix {
    /// A call of one of the app's methods.
    public struct Call: Hashable, Sendable, Codable, CustomStringConvertible {
        /// The method, such as `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`.
        public var method: String
        /// The app's state during the call: `active`, `inactive` or `background`; nil for the service extension.
        public var state: String?

        /// The method and the state in brackets.
        public var description: String { state.map { "\(method) [\($0)]" } ?? method }
    }

    /// A method that the notification calls in an app that implements all of them, and did not call in this one.
    public struct MissingCall: Hashable, Sendable, Codable, CustomStringConvertible {
        /// The call that did not come.
        public var call: Call
        /// The reason, with what to do.
        public var reason: String

        /// The reason.
        public var description: String { reason }
    }

    /// The result of one case.
    public struct Row: Hashable, Sendable, Codable {
        /// The row of the table behind `posthorn matrix`, such as `R10-B-4`.
        public var id: String
        /// The version of iOS, such as `17.0`.
        public var system: String
        /// Where the app is when the push arrives.
        public var start: Start
        /// The keys in `aps` that decide which callbacks run.
        public var payload: Payload
        /// The user's action on the notification.
        public var act: Act
        /// The identifier of the button that was pressed; nil without one.
        public var button: String?
        /// Whether the user has allowed notifications.
        public var permission: Permission

        /// The calls of the app's methods and its service extension's, in order, with those of the life cycle.
        public var calls: [Call]
        /// The calls in an app that implements all methods, without those of the life cycle.
        public var complete: [Call]
        /// The calls of ``complete`` that this app did not get.
        public var missing: [MissingCall]
        /// The reason why no app gets a call that tells of the notification; nil if one does.
        public var silence: String?

        /// The result of the background fetch: `newData`, `noData`, `failed`, or `overran` if the completion handler was not called
        /// within 30 seconds; nil without one.
        public var fetchResult: String?
        /// Whether ``calls`` has `willPresent` and its completion handler was called within 30 seconds; nil without the call.
        public var answeredWillPresent: Bool?
        /// The ways in which the notification was presented: `banner`, `list`, `sound`, `badge` and so on. In the foreground, these are
        /// the options that `willPresent` has returned.
        public var presentation: [String]
        /// The outcome of the service extension: `ran` or `timedOut`; nil if it did not run.
        public var serviceExtension: String?
        /// The title of the banner, or its body if it has no title; nil if none was shown.
        public var banner: String?
        /// Whether the notification is in the notification centre in the end.
        public var isListed: Bool
        /// Whether the user could act: whether the notification was on the screen.
        public var couldAct: Bool

        /// Whether one of the app's methods was called that tells of the notification. The launch and the life cycle do not count.
        public var reachesApp: Bool { calls.contains { MatrixMethods.tellsOfNotification($0.method) } }

        /// The case in words, such as `iOS 17.0, background, silent`.
        public var name: String {
            var parts = ["iOS \(system)", start.rawValue, payload.rawValue]
            if act != .none { parts.append(button.map { "\(act.rawValue) '\($0)'" } ?? act.rawValue) }
            if permission == .denied { parts.append("permission denied") }
            return parts.joined(separator: ", ")
        }
    }
}
