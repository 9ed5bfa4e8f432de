import ArgumentParser
import Foundation
import PosthornStack

struct CalibrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate",
        abstract: "Compares Posthorn with Apple's APNs or with a real iPhone, row by row.",
        discussion: "Documentation/Calibration.md says how, and has the results so far.",
        subcommands: [CalibrateAPNS.self, CalibrateMerge.self]
    )
}

extension CalibrationReport {
    /// Ends the command with the report's status: 1 if a row differs, 2 if the comparison is not finished.
    func endCommand() throws {
        if count(.differs) > 0 { throw ExitCode.failure }
        if !isComplete { throw ExitCode(2) }
    }
}
