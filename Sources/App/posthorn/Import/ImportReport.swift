import Foundation
import PushModel

/// The sentence that a signal writes before it ends an import. Unsafe: the signal's handler reads it, and it is set before that is installed.
private nonisolated(unsafe) var farewell: StaticString = "Interrupted. The same command continues from here.\n"
/// The sequence that removes the bar from a terminal before that. Unsafe for the same reason.
private nonisolated(unsafe) var clearing: StaticString = ""

/// Reports the progress of an import: as a bar on a terminal, as plain lines elsewhere, or as JSON on standard output.
final class ImportReport {
    private let file: String
    private let isJSON: Bool
    private let bar: ProgressBar
    private let start = ContinuousClock.now
    private var printedRejections = 0
    private var remarkedRows = 0

    /// The number of rejected rows that are printed one by one, for the file has all of them; and of rows without some of their values.
    private static let rowsPrinted = 20

    init(file: String, isJSON: Bool) {
        self.file = file
        self.isJSON = isJSON
        bar = ProgressBar(isQuiet: isJSON)
    }

    /// Clears the bar, and says how to go on, before a signal ends the process.
    func tellInterruption() {
        if isatty(STDERR_FILENO) == 1 { unsafe clearing = "\r\u{1B}[K" }
        if file == "-" { unsafe farewell = "Interrupted. Importing the same rows again changes nothing.\n" }
        EndingSignal.handle { number in
            _ = unsafe write(STDERR_FILENO, clearing.utf8Start, clearing.utf8CodeUnitCount)
            _ = unsafe write(STDERR_FILENO, farewell.utf8Start, farewell.utf8CodeUnitCount)
            raise(number)
        }
    }

    func note(_ text: String) {
        bar.clear()
        printNote(text)
    }

    func rejected(line: Int, problem: String) {
        if isJSON { printJSON(["event": "rejected", "line": line, "problem": problem]) }
        printedRejections += 1
        guard !isJSON, printedRejections <= Self.rowsPrinted + 1 else { return }
        let isLast = printedRejections > Self.rowsPrinted
        note(isLast ? "More rows were rejected; all are in \(file).rejected." : "\(file), line \(line): \(problem)")
    }

    /// Reports values that are not imported with their device.
    func remarked(line: Int, remarks: [String]) {
        let some = remarks.prefix(10).joined(separator: "; ")
        let problem = "imported without \(counted(remarks.count, "value")): \(some)."
        if isJSON { printJSON(["event": "remark", "line": line, "problem": problem]) }
        remarkedRows += 1
        if !isJSON, remarkedRows <= Self.rowsPrinted { note("\(file), line \(line): \(problem)") }
    }

    /// Reports the progress; `rowsNow` is the number of rows of this run, which gives the speed.
    func progress(_ tally: ImportTally, rowsNow: Int, offset: Int, of size: Int?) {
        if isJSON {
            var object: JSONMembers = ["event": "progress"]
            for member in JSONCoding.object(of: tally).members { object[member.key] = member.value }
            object["bytes"] = offset
            if let size { object["of"] = size }
            return printJSON(object)
        }
        let share = size.map { $0 == 0 ? 1 : Double(offset) / Double($0) }
        let facts = "\(tally.rows) rows, \(Pace(of: rowsNow, since: start).rate) a second, \(tally.rejected) rejected"
        bar.show(
            bar: (share.map { ProgressBar.text($0) + "  " } ?? "") + facts,
            line: (share.map { "\(Int($0 * 100)) %, " } ?? "") + facts
        )
    }

    /// Reports the result; `rowsNow` as for ``progress(_:rowsNow:offset:of:)``.
    func finished(_ tally: ImportTally, rowsNow: Int, leftOut: Int) {
        bar.clear()
        let pace = Pace(of: rowsNow, since: start)
        guard !isJSON else {
            var object: JSONMembers = ["event": "finished"]
            for member in JSONCoding.object(of: tally).members { object[member.key] = member.value }
            object["left_out"] = leftOut
            pace.add(to: &object)
            return printJSON(object)
        }
        printLine(
            "\(tally.rows) rows: \(tally.created) new devices, \(tally.updated) changed, \(tally.unchanged) as they were."
        )
        if tally.kept > 0 {
            printLine("\(tally.kept) left as they are: their apps have registered, which outranks the file.")
        }
        if remarkedRows > 0 { printLine("\(remarkedRows) imported without some of their values.") }
        if tally.rejected > 0 {
            printLine(
                "\(tally.rejected) rejected" + (file == "-" ? "." : ": they are in \(file).rejected, with the reason.")
            )
        }
        printLine(pace.text)
    }
}
