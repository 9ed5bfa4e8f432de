import APNSProvider
import ArgumentParser
import Logging
import PushModel

/// The app whose channels a command is about, the servers, and the credential.
struct ChannelOptions: ParsableArguments {
    @Option(help: "The app's bundle id.")
    var bundleID: String

    @OptionGroup(title: "Where to") var destination: ChannelDestination
    @OptionGroup(title: "As whom") var identity: SendIdentity

    @Option(help: "Timeout for the response, in seconds.")
    var timeout = 30

    @Flag(help: "Print the result as one line of JSON.")
    var json = false

    func validate() throws {
        guard timeout > 0 else { throw ValidationError("--timeout is \(timeout); expected 1 or more.") }
    }

    /// Sends a request about channels to the management port or to the one for pushes, and prints its result as JSON or as lines. Ends with
    /// the exit code of ``ChannelFailure`` after a refusal.
    func perform(
        at port: ChannelDestination.Port,
        _ work: (APNSChannels) async throws(APNSChannelError) -> (json: JSONObject, lines: [String])
    ) async throws {
        let channels = APNSChannels(
            app: bundleID,
            credential: try identity.credential(topic: bundleID, environment: destination.environment),
            endpoints: try destination.endpoints(for: port),
            answerTimeout: .seconds(timeout),
            logger: Logger(label: "posthorn.channel") { _ in SwiftLogNoOpLogHandler() }
        )
        let failure: ChannelFailure?
        do throws(APNSChannelError) {
            let result = try await work(channels)
            failure = nil
            if json { printLine(JSONValue.object(result.json).text) } else { result.lines.forEach(printLine) }
        } catch { failure = ChannelFailure(error: error) }
        await channels.shutdown()
        guard let failure else { return }
        if json { printLine(JSONValue.object(failure.json).text) } else { failure.lines.forEach(printLine) }
        throw ExitCode(failure.exitCode)
    }
}

/// The servers for channel requests: Apple's service or a gateway.
struct ChannelDestination: ParsableArguments {
    enum Port {
        case management
        case pushes
    }

    @Option(help: "Use Apple's service, for apps built for development or production.")
    var environment: APNSEnvironment?

    @Option(help: "Use this gateway instead of Apple's service.")
    var host: String?

    @Option(help: "The port of --host for managing channels, such as that of 'posthorn sandbox --channels'.")
    var managementPort: Int?

    @Option(help: "The port of --host for pushes.")
    var port: Int?

    @Option(help: .file("Path of a PEM file with authorities to trust instead of the system's."))
    var ca: String?

    @OptionGroup var proxy: ProxyOption

    func validate() throws {
        guard (environment == nil) != (host == nil) else {
            throw ValidationError(
                "Say where to: --environment development or production for Apple's service, or --host for a gateway."
            )
        }
        for (name, port) in [("--management-port", managementPort), ("--port", port)] {
            guard let port else { continue }
            guard host != nil else { throw ValidationError("\(name) belongs to --host; Apple's ports are known.") }
            guard (1...65_535).contains(port) else { throw ValidationError("\(name) is \(port); expected 1 to 65535.") }
        }
    }

    /// - Throws: if the needed port of a gateway is missing, or the authorities cannot be read.
    func endpoints(for needed: Port) throws -> APNSChannels.Endpoints {
        let trust: APNSEndpoint.Trust = try ca.map { .file(try authorities($0, "--ca")) } ?? .system
        if let environment {
            var endpoints = APNSChannels.Endpoints.apple(environment)
            endpoints.management.trust = trust
            endpoints.broadcast.trust = trust
            (endpoints.management.proxy, endpoints.broadcast.proxy) = (try proxy.value, try proxy.value)
            return endpoints
        }
        let (name, port) =
            needed == .management ? ("--management-port", managementPort) : ("--port", port)
        guard let host, let port else {
            throw ValidationError(
                "\(name) is missing; 'posthorn gateway' and 'posthorn sandbox --channels' print the port."
            )
        }
        // Only one of them is used by a command.
        var endpoint = APNSEndpoint(host: host, port: port, trust: trust)
        endpoint.proxy = try proxy.value
        return APNSChannels.Endpoints(management: endpoint, broadcast: endpoint)
    }
}

/// A channel request without the expected result, as text and as JSON.
struct ChannelFailure {
    var error: APNSChannelError

    /// 1 if the request was refused or not sent, 2 without a response.
    var exitCode: Int32 { if case .failed = error { 2 } else { 1 } }

    var lines: [String] {
        switch error {
        case .problem(let problem):
            ["Not sent: APNs would answer \(problem.reason.status) \(problem.reason).", problem.description]
        case .refused(let status, let reason, let requestID):
            ["\(status) \(reason)"] + (requestID.map { ["apns-request-id \($0)"] } ?? [])
                + [reason.advice(status: status).meaning, "What to do: \(reason.advice(status: status).remedy)"]
        case .failed(let text): [text]
        }
    }

    var json: JSONObject {
        switch error {
        case .problem(let problem):
            return ["ok": false, "reason": .string(problem.reason.rawValue), "meaning": .string(problem.description)]
        case .refused(let status, let reason, let requestID):
            let advice = reason.advice(status: status)
            var object: JSONObject = [
                "ok": false, "status": .number(status), "reason": .string(reason.rawValue),
                "meaning": .string(advice.meaning), "remedy": .string(advice.remedy),
            ]
            object["apns-request-id"] = requestID.map { .string($0) }
            return object
        case .failed(let text): return ["ok": false, "error": .string(text)]
        }
    }
}
