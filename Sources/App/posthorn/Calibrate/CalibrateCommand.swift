import ArgumentParser
import Foundation
import PosthornStack

struct CalibrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Compares Posthorn with Apple's APNs or with a real iPhone, row by row.",
        discussion: "Documentation/Calibration.md says how, and has the results so far.",
        subcommands: [CalibrateMerge.self]
    )
}

/// Ends the command with the status of a report: 1 if a row differs, 2 if the comparison is not finished.
func exit(with report: CalibrationReport) throws {
    if report.count(.differs) > 0 { throw ExitCode.failure }
    if !report.isComplete { throw ExitCode(2) }
}
