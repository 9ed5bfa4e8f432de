import APNSProvider
import ArgumentParser
import Logging
import PushModel

/// The app whose channels a command is about, the servers, and the credential.
struct ChannelOptions: ParsableArguments {
    @Option(help: "The app's bundle id.") var bundleID: String
    @OptionGroup(title: "Where to") var destination: ChannelDestination
    @OptionGroup(title: "As whom") var identity: SendIdentity
    @Option(help: "Timeout for the response, in seconds.") var timeout = 30
    @Flag(help: "Print the result as one line of JSON.") var json = false

    func validate() throws {
        try require(timeout > 0, "--timeout is \(timeout); expected 1 or more.")
    }

    /// Sends a request about channels to the management port or to the one for pushes, and prints its result as JSON or as lines. Ends with
    /// the error's exit code after a refusal.
    func perform(
        at port: ChannelDestination.Port,
        _ work: (APNSChannels) async throws(APNSChannelError) -> (json: JSONMembers, lines: [String])
    ) async throws {
        let channels = APNSChannels(
            app: bundleID,
            credential: try identity.credential(topic: bundleID, environment: destination.server.environment),
            endpoints: try destination.endpoints(for: port),
            answerTimeout: .seconds(timeout),
            logger: Logger(label: "posthorn.channel") { _ in SwiftLogNoOpLogHandler() }
        )
        let result: (json: JSONMembers, lines: [String])
        var failure: APNSChannelError?
        do throws(APNSChannelError) { result = try await work(channels) } catch {
            result = (error.json, error.lines)
            failure = error
        }
        await channels.shutdown()
        if json { printJSON(result.json) } else { result.lines.forEach(printLine) }
        if let failure { throw ExitCode(failure.exitCode) }
    }
}

/// The servers for channel requests: Apple's service or a gateway.
struct ChannelDestination: ParsableArguments {
    enum Port {
        case management
        case pushes
    }

    @OptionGroup var server: APNSHost

    @Option(help: "The port of --host for managing channels, such as that of 'posthorn sandbox --channels'.")
    var managementPort: Int?

    @Option(help: "The port of --host for pushes.") var port: Int?

    func validate() throws {
        guard (server.environment == nil) != (server.host == nil) else { throw APNSHost.choice }
        for (name, port) in [("--management-port", managementPort), ("--port", port)] {
            guard let port else { continue }
            try require(server.host != nil, "\(name) belongs to --host; Apple's ports are known.")
            try check(name, port, in: 1...65_535)
        }
    }

    /// - Throws: if the needed port of a gateway is missing, or the authorities cannot be read.
    func endpoints(for needed: Port) throws -> APNSChannels.Endpoints {
        if let environment = server.environment {
            let apple = APNSChannels.Endpoints.apple(environment)
            return APNSChannels.Endpoints(
                management: try server.endpoint(apple.management.host, port: apple.management.port),
                broadcast: try server.endpoint(apple.broadcast.host, port: apple.broadcast.port)
            )
        }
        let (name, port) =
            needed == .management ? ("--management-port", managementPort) : ("--port", port)
        guard let host = server.host, let port else {
            throw ValidationError(
                "\(name) is missing; 'posthorn gateway' and 'posthorn sandbox --channels' print the port."
            )
        }
        // Only one of them is used by a command.
        let endpoint = try server.endpoint(host, port: port)
        return APNSChannels.Endpoints(management: endpoint, broadcast: endpoint)
    }
}

/// A channel request without the expected result, as text and as JSON.
extension APNSChannelError {
    /// 1 if the request was refused or not sent, 2 without a response.
    fileprivate var exitCode: Int32 { if case .failed = self { 2 } else { 1 } }

    fileprivate var lines: [String] {
        switch self {
        case .problem(let problem):
            ["Not sent: APNs would answer \(problem.reason.status) \(problem.reason).", problem.description]
        case .refused(let status, let reason, let requestID):
            ["\(status) \(reason)"] + (requestID.map { ["apns-request-id \($0)"] } ?? [])
                + [reason.advice(status: status).meaning, "What to do: \(reason.advice(status: status).remedy)"]
        case .failed(let text): [text]
        }
    }

    fileprivate var json: JSONMembers {
        switch self {
        case .problem(let problem):
            return ["ok": false, "reason": problem.reason.rawValue, "meaning": problem.description]
        case .refused(let status, let reason, let requestID):
            let advice = reason.advice(status: status)
            var object: JSONMembers = [
                "ok": false, "status": status, "reason": reason.rawValue,
                "meaning": advice.meaning, "remedy": advice.remedy,
            ]
            if let requestID { object["apns-request-id"] = requestID }
            return object
        case .failed(let text): return ["ok": false, "error": text]
        }
    }
}
