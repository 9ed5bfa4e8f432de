import APNSProvider
import ArgumentParser
import Foundation
import PushModel

/// A `posthorn gateway` in its own process, whose memory and CPU time are measured.
final class BenchGateway {
    static let topic = "com.example.app"

    let port: Int
    let courier: String
    let events: String
    /// The path of the certificate of its authority.
    let authority: String
    let key: APNSSigningKey
    private let process: Process
    private let folder: URL

    private init(_ process: Process, folder: URL, announcement line: String) throws {
        guard let object = (try? JSONValue(parsing: line))?.object, let port = object["productionPort"]?.integer,
            let courier = object["courier"]?.string, let events = object["events"]?.string,
            let authority = object["ca"]?.string, let keyFile = object["keyFile"]?.string,
            let keyID = object["keyID"]?.string, let teamID = object["teamID"]?.string
        else {
            throw ValidationError(
                "'posthorn gateway' printed '\(line)'; expected a line of JSON with the addresses it listens on."
            )
        }
        self.process = process
        self.folder = folder
        self.port = Int(port)
        self.courier = courier
        self.events = events
        self.authority = authority
        key = try APNSSigningKey(p8: String(contentsOfFile: keyFile, encoding: .utf8), keyID: keyID, teamID: teamID)
    }

    /// Starts this executable as a gateway, in a folder that is removed at the end.
    static func start() async throws -> BenchGateway {
        let folder = FileManager.default.temporaryDirectory.appending(path: "posthorn-bench-" + UUID().uuidString)
        let process = Process()
        process.executableURL = Bundle.main.executableURL
        process.arguments = [
            "gateway", "--json", "--data", folder.path, "--development-port", "0", "--production-port", "0",
            "--courier-port", "0", "--log-level", "error",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        var line = Data()
        while !line.contains(UInt8(ascii: "\n")) {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            line += more
        }
        do {
            return try BenchGateway(process, folder: folder, announcement: String(decoding: line, as: UTF8.self))
        } catch {
            process.terminate()
            throw error
        }
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Resident memory, from `/proc/PID/statm`, which counts pages of 4096 bytes.
    func residentBytes() throws -> Int { (Int(try fields("statm")[1]) ?? 0) * 4096 }

    /// CPU time, from `/proc/PID/stat`, which counts user and system time in hundredths of a second.
    func cpuSeconds() throws -> Double {
        // The second field is the program's name in parentheses, which may contain spaces.
        let fields = try fields("stat", after: ")")
        return (Double(fields[11]) ?? 0) / 100 + (Double(fields[12]) ?? 0) / 100
    }

    private func fields(_ file: String, after mark: Character? = nil) throws -> [Substring] {
        let text = try String(contentsOfFile: "/proc/\(process.processIdentifier)/\(file)", encoding: .utf8)
        let rest = mark.flatMap { text.lastIndex(of: $0) }.map { text[text.index(after: $0)...] } ?? text[...]
        return rest.split(separator: " ")
    }
}
