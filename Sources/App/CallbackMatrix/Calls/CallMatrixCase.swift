/// A row of the table of calls without alternatives.
package struct CallMatrixCase: Sendable, CustomStringConvertible {
    package enum Method: String, Sendable { case old, new, newAsync = "new async" }
    package enum Start: String, Sendable {
        case foreground, background, locked, terminated
        case forceQuit = "force-quit"
        case onCall = "on a call"
        /// In the background, and the network has delayed the push.
        case delayed
    }
    package enum Report: String, Sendable { case none, method, task, late }

    package var id: String
    /// The version of iOS.
    package var system: String
    /// The framework that the app reports to; `both` for two.
    package var framework: String
    package var method: Method
    package var start: Start
    package var report: Report
    package var expected: CallMatrixOutcome
    package var source: String

    package var description: String {
        "\(id) iOS \(system) \(framework) \(method.rawValue) \(start.rawValue) report:\(report)"
    }

    /// All rows, each once for each version, state and report that it names, in the order of the table.
    package static let all = MatrixLine.calls.flatMap { line in
        list(line["os"]).flatMap { system in
            list(line["app_state"]).compactMap(Start.init(rawValue:)).flatMap { start in
                list(line["report"]).compactMap(Report.init(rawValue:)).map { report in
                    CallMatrixCase(
                        id: line["id"],
                        system: system,
                        framework: line["framework"],
                        method: Method(rawValue: line["method"]) ?? .old,
                        start: start,
                        report: report,
                        expected: CallMatrixOutcome(
                            hears: line["app_hears"] == "-" ? [] : [line["app_hears"]],
                            result: line["outcome"],
                            appAfter: line["app_after"],
                            story: ""
                        ),
                        source: line["source"]
                    )
                }
            }
        }
    }

    private static func list(_ cell: String) -> [String] { cell.split(separator: "|").map(String.init) }
}

/// The outcome of a VoIP push.
package struct CallMatrixOutcome: Sendable {
    /// The methods of PushKit that ran.
    package var hears: [String]
    /// The outcome in the words of the table.
    package var result: String
    /// The condition of the app afterwards.
    package var appAfter: String
    /// The journey as readable text.
    package var story: String

    /// Returns one sentence for each difference from the row; empty if there is none.
    package func differences(from row: CallMatrixCase) -> [String] {
        let expected = row.expected
        let pairs = [
            ("methods", "\(hears)", "\(expected.hears)"), ("outcome", result, expected.result),
            ("the app afterwards", appAfter, expected.appAfter),
        ]
        return pairs.compactMap { what, found, wanted in
            found == wanted ? nil : "\(what): \(found), expected \(wanted)"
        }
    }
}
