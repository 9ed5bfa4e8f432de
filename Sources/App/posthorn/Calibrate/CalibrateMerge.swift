import ArgumentParser
import Foundation
import PosthornStack

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
