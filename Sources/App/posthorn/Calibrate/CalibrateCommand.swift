import ArgumentParser
import Foundation
import PosthornStack

struct CalibrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Compares Posthorn with Apple's APNs or with a real iPhone, row by row.",
        discussion: "Documentation/Calibration.md says how, and has the results so far.",
        subcommands: [CalibrateAPNS.self, PhoneCalibration.self, CalibrateMerge.self]
    )
}

struct CalibrateMerge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Adds reports to the ledger, and makes its page anew.",
        usage: "posthorn calibrate merge posthorn-calibration.json",
        discussion: """
            The reports are files in a folder beside the page: PAGE is made from the files in the folder of the same name without \
            '.md'. Without reports the page is made from what the folder has. The decision about a difference is a member of \
            decisions.json in the folder: the name of the row, and a sentence.
            """
    )

    @Argument(help: .file("Paths of reports, the JSON files of 'calibrate apns' and 'calibrate phone'."))
    var reports: [String] = []

    @Option(help: .file("Path of the ledger's page."))
    var page = "Documentation/Calibration.md"

    func run() throws {
        let ledger = CalibrationLedger(page: page)
        for path in reports {
            let report: CalibrationReport
            do { report = try CalibrationReport.read(path) } catch {
                throw ValidationError(
                    "'\(path)' is not a report of 'posthorn calibrate': \(error.localizedDescription)"
                )
            }
            printLine("\(try ledger.add(report))   \(report.summary)")
        }
        try ledger.writePage()
    }
}

extension CalibrationReport {
    /// Ends the command with the report's status: 1 if a row differs, 2 if the comparison is not finished.
    func endCommand() throws {
        if count(.differs) > 0 { throw ExitCode.failure }
        if !isComplete { throw ExitCode(2) }
    }
}
