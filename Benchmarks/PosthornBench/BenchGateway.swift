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
    let process: BenchProcess

    private init(_ process: BenchProcess) throws {
        let object = process.announcement
        guard let port = object["productionPort"]?.integer,
            let courier = object["courier"]?.string, let events = object["events"]?.string,
            let authority = object["ca"]?.string, let keyFile = object["keyFile"]?.string,
            let keyID = object["keyID"]?.string, let teamID = object["teamID"]?.string
        else {
            throw ValidationError(
                "'posthorn gateway' printed '\(object)'; expected the addresses it listens on."
            )
        }
        self.process = process
        self.port = Int(port)
        self.courier = courier
        self.events = events
        self.authority = authority
        managementPort = object["managementProductionPort"]?.integer.map { Int($0) }
        control = object["control"]?.string
        key = try APNSSigningKey(p8: String(contentsOfFile: keyFile, encoding: .utf8), keyID: keyID, teamID: teamID)
    }

    /// Starts `posthorn gateway` with these arguments and its own.
    static func start(extra: [String] = []) throws -> BenchGateway {
        let process = try BenchProcess.start { folder in
            [
                "gateway", "--json", "--data", folder.path, "--development-port", "0", "--production-port", "0",
                "--courier-port", "0", "--log-level", "error",
            ] + extra
        }
        do {
            return try BenchGateway(process)
        } catch {
            process.stop()
            throw error
        }
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

    func stop() { process.stop() }
    func residentBytes() throws -> Int { try process.residentBytes() }
    func cpuSeconds() throws -> Double { try process.cpuSeconds() }
}
