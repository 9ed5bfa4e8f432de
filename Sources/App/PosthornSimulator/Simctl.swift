import Dispatch
import Foundation

/// `xcrun simctl` with one of Xcode's Simulators.
package struct Simctl: Sendable {
    /// The UDID of the Simulator, or `booted`.
    package var simulator: String
    /// The time after which a call is ended.
    private static let limit = 30.0
    /// The most bytes that are kept of the output of a call.
    private static let outputLimit = 4096

    package init(simulator: String) { self.simulator = simulator }

    /// Hands a payload to an app, and returns when that has been done.
    ///
    /// - Returns: the reason why it failed; nil if it did not.
    package func push(_ payload: [UInt8], to bundleID: String) -> String? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["xcrun", "simctl", "push", simulator, bundleID, "-"]
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        do { try process.run() } catch { return "\(error)" }
        let end = DispatchWorkItem { process.terminate() }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.limit, execute: end)
        // A pipe holds a whole payload. An error means that the program has ended, and its status says why.
        try? input.fileHandleForWriting.write(contentsOf: payload)
        try? input.fileHandleForWriting.close()
        var said = Data()
        while let piece = try? output.fileHandleForReading.read(upToCount: Self.outputLimit), !piece.isEmpty {
            if said.count < Self.outputLimit { said += piece }
        }
        process.waitUntilExit()
        end.cancel()
        guard process.terminationStatus != 0 || process.terminationReason != .exit else { return nil }
        let words = String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        return words.isEmpty ? "xcrun simctl push ended with status \(process.terminationStatus)" : words
    }
}
