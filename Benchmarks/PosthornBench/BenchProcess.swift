import ArgumentParser
import Foundation
import PushModel

/// A `posthorn` in its own process, whose memory and CPU time are measured.
final class BenchProcess: Sendable {
    /// The first line that it has printed.
    let announcement: JSONObject
    private let process: Process
    private let folder: URL

    private init(_ process: Process, folder: URL, line: Data) throws {
        let text = String(decoding: line, as: UTF8.self)
        guard let object = (try? JSONValue(parsing: text))?.object else {
            throw ValidationError(
                "posthorn printed '\(text)'; expected a line of JSON with the addresses it listens on."
            )
        }
        announcement = object
        self.process = process
        self.folder = folder
    }

    /// Starts it with these arguments, for a folder that is removed at the end.
    static func start(_ arguments: (_ folder: URL) throws -> [String]) throws -> BenchProcess {
        let folder = FileManager.default.temporaryDirectory.appending(path: "posthorn-bench-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (process, output) = try run(arguments(folder))
        var line = Data()
        while !line.contains(UInt8(ascii: "\n")) {
            let more = output.availableData
            guard !more.isEmpty else { break }
            line += more
        }
        do {
            return try BenchProcess(process, folder: folder, line: line)
        } catch {
            process.terminate()
            throw error
        }
    }

    /// Runs a command that ends by itself, and returns the object of JSON that it prints.
    static func answer(_ arguments: [String]) throws -> JSONObject {
        let (process, output) = try run(arguments)
        let text = String(decoding: output.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return try JSONValue(parsing: text).object ?? [:]
    }

    private static func run(_ arguments: [String]) throws -> (Process, FileHandle) {
        let process = Process()
        process.executableURL = try executable()
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return (process, output.fileHandleForReading)
    }

    /// Returns the `posthorn` that `POSTHORN_BINARY` names, otherwise the one built beside this program.
    private static func executable() throws -> URL {
        let beside = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "posthorn")
        let named = ProcessInfo.processInfo.environment["POSTHORN_BINARY"].map { URL(filePath: $0) }
        guard let found = named ?? beside, FileManager.default.isExecutableFile(atPath: found.path) else {
            throw ValidationError("There is no posthorn beside this program. Build it, or set POSTHORN_BINARY.")
        }
        return found
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Resident memory, from `/proc/PID/statm`, which counts pages of 4096 bytes.
    func residentBytes() throws -> Int { try Self.residentBytes(of: "\(process.processIdentifier)") }

    /// Resident memory of a process by its number, or of this one with `self`.
    static func residentBytes(of process: String) throws -> Int {
        let fields = try String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8).split(separator: " ")
        return (Int(fields[1]) ?? 0) * 4096
    }

    /// CPU time, from `/proc/PID/stat`, which counts user and system time in hundredths of a second.
    func cpuSeconds() throws -> Double { try Self.cpuSeconds(of: "\(process.processIdentifier)") }

    /// CPU time of a process by its number, or of this one with `self`.
    static func cpuSeconds(of process: String) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        // The second field is the program's name in parentheses, which may contain spaces.
        let fields = text.drop { $0 != ")" }.dropFirst().split(separator: " ")
        return (Double(fields[11]) ?? 0) / 100 + (Double(fields[12]) ?? 0) / 100
    }
}
