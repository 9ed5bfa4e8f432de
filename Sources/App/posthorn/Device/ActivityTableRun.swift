import ArgumentParser
import CallbackMatrix
import PushModel

/// Runs the table of Live Activities, and prints each row with what came of it.
struct ActivityTableRun {
    let json: Bool

    func run() async throws {
        var different = 0
        var rows: [JSONValue] = []
        let cases = ActivityMatrixCase.all
        for row in cases {
            let outcome = try await ActivityMatrixStage(row).run()
            let differences = outcome.differences(from: row)
            if !differences.isEmpty { different += 1 }
            if json {
                rows.append(outcome.json(of: row, differences))
            } else {
                printLine("\(differences.isEmpty ? "✔" : "✘") \(row)")
                for line in outcome.lines { printLine("    \(line)") }
                for difference in differences { printLine("    differs in \(difference)") }
            }
        }
        if json {
            printLine(JSONValue.array(rows).text)
        } else {
            printLine("\(cases.count) cases, \(different) differ from the table")
        }
        if different > 0 { throw ExitCode.failure }
    }
}

extension ActivityMatrixOutcome {
    fileprivate var lines: [String] {
        let screen = shown.isEmpty ? "nothing changes" : shown.joined(separator: " > ")
        return [
            "afterwards: \(states)\(isInIsland ? ", in the Dynamic Island" : "")",
            "the app hears: \(hears.isEmpty ? "nothing" : hears.joined(separator: " > "))",
            "the screen: \(screen)", "verdict: \(verdict)",
        ]
    }

    fileprivate func json(of row: ActivityMatrixCase, _ differences: [String]) -> JSONValue {
        [
            "case": .string("\(row)"), "state": .string(states), "hears": .strings(hears), "shown": .strings(shown),
            "isInIsland": .bool(isInIsland), "verdict": .string(verdict), "differences": .strings(differences),
        ]
    }
}
