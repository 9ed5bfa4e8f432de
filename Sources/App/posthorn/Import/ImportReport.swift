import Foundation
import PushModel

/// Reports the progress of an import: as a bar on a terminal, as plain lines elsewhere, or as JSON on standard output.
final class ImportReport {
    private let file: String
    private let isJSON: Bool
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let start = ContinuousClock.now
    private var last = ContinuousClock.now
    private var hasBar = false
    private var printedRejections = 0

    /// The number of rejected rows that are printed one by one; the file has all of them.
    private static let rejectionsPrinted = 20

    init(file: String, isJSON: Bool) {
        self.file = file
        self.isJSON = isJSON
    }

    func note(_ text: String) {
        clearBar()
        printNote(text)
    }

    func rejected(line: Int, problem: String) {
        if isJSON { tell(["event": "rejected", "line": .number(line), "problem": .string(problem)]) }
        printedRejections += 1
        guard !isJSON, printedRejections <= Self.rejectionsPrinted + 1 else { return }
        let isLast = printedRejections > Self.rejectionsPrinted
        note(isLast ? "More rows were rejected; all are in \(file).rejected." : "\(file), line \(line): \(problem)")
    }

    /// Reports the progress; `rowsNow` is the number of rows of this run, which gives the speed.
    func progress(_ tally: ImportTally, rowsNow: Int, offset: Int, of size: Int?) {
        if isJSON {
            var object: JSONObject = ["event": "progress"]
            for member in JSONCoding.object(of: tally).members { object[member.key] = member.value }
            object["bytes"] = .number(offset)
            object["of"] = size.map { .number($0) }
            return tell(object)
        }
        let pause: Duration = isTerminal ? .milliseconds(100) : .seconds(5)
        // The first bar is drawn at once, so that even a very short import shows one.
        let isFirst = isTerminal && !hasBar
        guard isFirst || ContinuousClock.now - last >= pause else { return }
        last = .now
        let seconds = max((ContinuousClock.now - start) / .seconds(1), 0.001)
        let share = size.map { $0 == 0 ? 1 : Double(offset) / Double($0) }
        let facts = "\(tally.rows) rows, \(Int(Double(rowsNow) / seconds)) a second, \(tally.rejected) rejected"
        guard isTerminal else { return printNote((share.map { "\(Int($0 * 100)) %, " } ?? "") + facts) }
        let bar = share.map { ProgressBar.text($0) + "  " }
        hasBar = true
        printBar("\r\u{1B}[K" + (bar ?? "") + facts)
    }

    func finished(_ tally: ImportTally) {
        clearBar()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        guard !isJSON else {
            var object: JSONObject = ["event": "finished"]
            for member in JSONCoding.object(of: tally).members { object[member.key] = member.value }
            object["seconds"] = .double((seconds * 1000).rounded() / 1000)
            return tell(object)
        }
        printLine(
            "\(tally.rows) rows: \(tally.created) new devices, \(tally.updated) changed, \(tally.unchanged) as they were."
        )
        if tally.kept > 0 {
            printLine("\(tally.kept) left as they are: their apps have registered, which outranks the file.")
        }
        if tally.rejected > 0 {
            printLine(
                "\(tally.rejected) rejected" + (file == "-" ? "." : ": they are in \(file).rejected, with the reason.")
            )
        }
    }

    private func tell(_ object: JSONObject) { printLine(JSONValue.object(object).text) }

    private func clearBar() {
        guard hasBar else { return }
        hasBar = false
        printBar("\r\u{1B}[K")
    }
}
