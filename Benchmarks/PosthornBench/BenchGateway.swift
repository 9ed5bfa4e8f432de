import APNSProvider
import ArgumentParser
import Foundation
import Logging
import PosthornStack
import PushModel

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `posthorn gateway` in its own process, whose memory and CPU time are measured.
final class BenchGateway {
    static let topic = "com.example.app"

    let port: Int
    let courier: String
    let events: String
    /// The path of the certificate of its authority.
    let authority: String
    let key: APNSSigningKey
    /// The port for managing channels, and the address of the control endpoint, if they were asked for.
    private let managementPort: Int?
    private let control: String?
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
        managementPort = object["managementProductionPort"]?.integer.map { Int($0) }
        control = object["control"]?.string
        key = try APNSSigningKey(p8: String(contentsOfFile: keyFile, encoding: .utf8), keyID: keyID, teamID: teamID)
    }

    /// Starts `posthorn gateway` with these arguments and its own, in a folder that is removed at the end.
    static func start(extra: [String] = []) async throws -> BenchGateway {
        let folder = FileManager.default.temporaryDirectory.appending(path: "posthorn-bench-" + UUID().uuidString)
        let process = Process()
        process.executableURL = try executable()
        process.arguments =
            [
                "gateway", "--json", "--data", folder.path, "--development-port", "0", "--production-port", "0",
                "--courier-port", "0", "--log-level", "error",
            ] + extra
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

    /// Returns the `posthorn` that `POSTHORN_BINARY` names, otherwise the one built beside this program.
    private static func executable() throws -> URL {
        let beside = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "posthorn")
        let named = ProcessInfo.processInfo.environment["POSTHORN_BINARY"].map { URL(filePath: $0) }
        guard let found = named ?? beside, FileManager.default.isExecutableFile(atPath: found.path) else {
            throw ValidationError("There is no posthorn beside this program. Build it, or set POSTHORN_BINARY.")
        }
        return found
    }

    private func endpoint(_ port: Int) -> APNSEndpoint {
        APNSEndpoint(host: "127.0.0.1", port: port, trust: .file(authority))
    }

    private static let logger = Logger(label: "posthorn.bench") { _ in SwiftLogNoOpLogHandler() }

    /// Makes a client that sends pushes to it.
    func client() -> APNSClient {
        APNSClient(credential: .key(key), endpoint: endpoint(port), logger: Self.logger)
    }

    /// Makes a client for its channels.
    ///
    /// - Throws: if it was started without a port for managing them.
    func channels() throws -> APNSChannels {
        guard let managementPort else { throw ValidationError("The gateway has no port for managing channels.") }
        return APNSChannels(
            app: Self.topic,
            credential: .key(key),
            endpoints: APNSChannels.Endpoints(management: endpoint(managementPort), broadcast: endpoint(port)),
            logger: Self.logger
        )
    }

    /// The number of pushes and channel messages that devices have acknowledged.
    ///
    /// - Throws: if it was started without a control endpoint, or does not answer.
    func delivered() async throws -> Int {
        guard let url = control.flatMap({ URL(string: $0 + "/counts") }) else {
            throw ValidationError("The gateway has no control endpoint.")
        }
        let (body, _) = try await PhoneNetwork(reachesMachine: true).fetch(URLRequest(url: url), 65_536)
        return Int((try JSONValue(parsing: Array(body))).object?["delivered"]?.integer ?? 0)
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
