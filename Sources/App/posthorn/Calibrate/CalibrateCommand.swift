import ArgumentParser
import CallbackMatrix
import Foundation
import PosthornStack
import PushDevice

struct CalibrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Compares Posthorn with Apple's APNs or with a real iPhone, row by row.",
        discussion: "Documentation/Calibration.md says how, and has the results so far.",
        subcommands: [CalibrateAPNS.self, Phone.self]
    )

    struct Phone: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "phone",
            abstract: "Compares what an iPhone called in PushLab with the callback matrix of its iOS.",
            usage: "posthorn calibrate phone posthorn-run.json",
            discussion: """
                RUN is the recording that PushLab shares on its page 'Compare with the matrix'. Documentation/Calibration.md says how to \
                record it. The report has the rows, the version of iOS and the names of callbacks, and nothing else of the recording. \
                Exits with 1 if a row differs.
                """
        )

        @Argument(help: ArgumentHelp("Path of the recording.", valueName: "run")) var recording: String

        @Option(help: .file("Path of the report, a JSON file; the Markdown is written beside it."))
        var report = "posthorn-phone-calibration.json"

        @Flag(help: "Print the report as JSON.") var json = false

        func run() throws {
            let run: RunFile
            do { run = try RunFile(reading: Data(contentsOf: URL(filePath: recording))) } catch {
                throw ValidationError("'\(recording)' cannot be read: \(error)")
            }
            guard let comparison = PhoneComparison(run) else {
                throw ValidationError(
                    "'\(recording)' has no row of the callback matrix; expected a recording of PushLab's page 'Compare with the matrix'."
                )
            }
            let result = CalibrationReport(comparison, at: run.entries.last?.date ?? run.start.date)
            try result.write(report)
            if json {
                printLine(String(decoding: try result.json, as: UTF8.self))
            } else {
                result.rows.flatMap({ $0.lines(of: .phone) }).forEach(printLine)
                printLine(result.summary)
            }
            try result.endCommand()
        }
    }
}

extension CalibrationReport {
    /// Ends the command with the report's status: 1 if a row differs, 2 if the comparison is not finished.
    func endCommand() throws {
        if count(.differs) > 0 { throw ExitCode.failure }
        if !isComplete { throw ExitCode(2) }
    }
}

extension CalibrationReport {
    /// Creates the report of a comparison; rows that were not tried are not decided.
    init(_ comparison: PhoneComparison, at date: Date) {
        self.init(
            .phone,
            of: "iOS \(comparison.system)",
            version: BuildKind.version,
            at: date,
            planned: comparison.rows.count
        )
        rows = comparison.rows.map { row in
            row.found.map { Row(row.name, theirs: $0, ours: row.expected) }
                ?? Row(undecided: row.name, because: row.note)
        }
    }
}
