import APNSGateway
import AppleDeveloper
import ArgumentParser
import Foundation
import Logging
import NIOCore
import NetworkSupport
import PosthornPortal
import PosthornStack
import PushClock
import PushModel
import UnixSignals

extension GatewayNode.Mail: ExpressibleByArgument {}

struct GatewayCommand: AsyncParsableCommand, ServerProcess {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "Runs an APNs-compatible gateway.",
        discussion: """
            Creates an authority, a server certificate and a p8 key at first start. Emulated devices connect to its courier \
            port. Every push answered with 200 is stored on disk until its device receives it.
            """
    )

    @Option(help: "Path of the folder for authority, key and mailboxes.") var data = "posthorn-gateway"
    @Option(help: "Address to listen on.", transform: \.withoutBrackets) var host = "127.0.0.1"
    @Option(help: "The port for development; 0 for a free one.") var developmentPort = 2197
    @Option(help: "The port for production; 0 for a free one.") var productionPort = 2198
    @Option(help: "The port for devices; 0 for a free one (5223, or a free one with --port).") var courierPort: Int?

    @Option(
        help: .token(
            "The token that the courier port requires as 'Authorization: Bearer' (or POSTHORN_COURIER_TOKEN, which the process "
                + "list does not show); needed unless --host is this machine only."
        )
    )
    var courierToken: String?

    @Option(help: .port("Listen for providers only on this port, for production; 0 for a free one.")) var port: Int?

    @Option(
        help: .port(
            "The port for managing broadcast channels of development; 0 for a free one. Apple's is 2195. Without it, they "
                + "cannot be managed."
        )
    )
    var managementDevelopmentPort: Int?

    @Option(help: .port("The port for managing broadcast channels of production; 0 for a free one. Apple's is 2196."))
    var managementProductionPort: Int?

    @Option(
        help: .file(
            "Path of a PEM file with authorities whose client certificates are trusted, besides the gateway's own."
        )
    )
    var providerAuthorities: String?

    @Option(
        help: .port(
            "The port of the control endpoint, for faults, device tokens, counts and more as JSON; 0 for a free one."
        )
    )
    var controlPort: Int?

    @Flag(
        help: """
            Serve the console at the control endpoint: a web page that shows pushes as they come and sets faults by click. \
            Without --control-port its port is 2180, or a free one with --port.
            """
    )
    var console = false

    @Option(
        help: "Address of the control endpoint; any beyond this machine needs --control-token.",
        transform: \.withoutBrackets
    )
    var controlHost = "127.0.0.1"

    @Option(
        help: .token(
            "The token that the control endpoint requires as 'Authorization: Bearer' (or POSTHORN_CONTROL_TOKEN, which the "
                + "process list does not show)."
        )
    )
    var controlToken: String?

    @Option(
        help: "Path of a PEM file with the server's certificate and chain, instead of one by the gateway's authority."
    )
    var cert: String?

    @Option(help: "Path of a PEM file with the key of --cert.") var key: String?

    @Option(
        help: .folder(
            "Write the files a provider needs to this folder: `port` of production, `ca.pem`, `key.p8`, `keyID`, `teamID`, "
                + "`topic`, `authorization` (a bearer value, valid for an hour), `tokens`, one per line, the tokens "
                + "`unregistered`, `otherTopic` and `otherEnvironment`, which are refused, and without --cert "
                + "`development.p12` and `production.p12` with their `password`; of keys of other kinds `NAMEKey.p8` and "
                + "`NAMEKeyID`, for NAME `development`, `production`, `topic`, `related` and `secondTeam`, with `secondTeamID`, "
                + "`secondTeamTopic` and `secondTeamToken`. `authorization` is written last."
        )
    )
    var handOut: String?

    @Option(help: "Number of device tokens for --hand-out; they belong to no device.") var tokens = 1000

    @Option(
        help: ArgumentHelp(
            "Where tokens, mailboxes and channels are stored: disk, or memory, which loses them on exit. The default is memory "
                + "with --hand-out, which issues new tokens at each start, and disk otherwise.",
            valueName: "place"
        )
    )
    var mail: GatewayNode.Mail?

    @Option(
        help: ArgumentHelp(
            "Maximum number of open provider connections, on all ports together. Beyond it, the oldest connection without a "
                + "valid credential is closed; if all have one, the new connection is.",
            valueName: "number"
        )
    )
    var providerConnections = 500

    @Option(
        help: .seconds(
            "Idle timeout of a provider connection that has shown a valid credential; a PING resets it. Without a credential it "
                + "is two minutes, and a PING does not reset it."
        )
    )
    var providerIdle = 86_400

    @Option(
        name: .customLong("bundle-id"),
        help: ArgumentHelp(
            "A bundle id of the key's team; may be repeated. Pushes to others are refused with TopicDisallowed. Without one, "
                + "the team has all.",
            valueName: "bundle-id"
        )
    )
    var bundleIDs: [String] = []

    @Flag(help: "Allow one stream at first, and more after the first push with a valid credential, as APNs does.")
    var strict = false

    @Flag(help: "Print the addresses as one line of JSON.") var json = false

    @Flag(help: "Stop when standard input ends, too, so that the gateway does not outlive its test suite.")
    var untilEOF = false

    @OptionGroup var judgement: GatewayJudgementOptions
    @OptionGroup var storage: GatewayStorageOptions
    @OptionGroup var log: LogOptions

    func validate() throws {
        for (name, port) in [
            ("--development-port", developmentPort), ("--production-port", productionPort),
            ("--courier-port", courierPort ?? 0), ("--port", port ?? 0), ("--control-port", controlPort ?? 0),
            ("--management-development-port", managementDevelopmentPort ?? 0),
            ("--management-production-port", managementProductionPort ?? 0),
        ] {
            try check(name, port, in: 0...65_535)
        }
        try require(
            (cert == nil) == (key == nil),
            "--cert and --key belong together; \(cert == nil ? "--cert" : "--key") is missing."
        )
        try require(
            control != nil || controlToken == nil,
            "--control-token is for the control endpoint; --control-port is missing."
        )
        do { try control?.check() } catch { throw ValidationError("\(error)") }
        do { _ = try addresses.courierAdmission() } catch {
            throw ValidationError("\(error) The option is --courier-token, or POSTHORN_COURIER_TOKEN.")
        }
        try check("--provider-connections", providerConnections, in: 1...1_000_000)
        try check("--provider-idle", providerIdle, in: 1...31_536_000, unit: "seconds")
        try check("--tokens", tokens, in: 1...1_000_000)
    }

    private var control: GatewayServer.Control? {
        let token = controlToken ?? EnvironmentSettings["POSTHORN_CONTROL_TOKEN"]
        let consolePort = port == nil ? Self.consolePort : 0
        return (controlPort ?? (console ? consolePort : nil)).map {
            GatewayServer.Control(host: controlHost, port: $0, token: token)
        }
    }

    /// The port of a control endpoint that only `--console` asks for.
    private static let consolePort = 2180

    func run() async throws {
        let logger = log.logger("posthorn", default: .notice)
        BuildKind.warn(logger)
        let manager = try ServiceManager(logger: logger)
        // Each device and each provider takes one file descriptor.
        OpenFileLimit.raise()
        let folder = try DataFolder(data)
        var authority: GatewayAuthority?
        if let cert, let key {
            do { authority = try GatewayAuthority(certificates: cert, key: key) } catch {
                throw ValidationError("--cert '\(cert)' and --key '\(key)' cannot be used: \(error)")
            }
        }
        let node: GatewayNode
        do {
            node = try await GatewayNode.start(
                folder: folder.path,
                authority: authority,
                mail: mail ?? (handOut == nil ? .disk : .memory),
                configuration: try configuration(),
                rules: rules,
                clock: clock,
                sink: nil,
                logger: logger
            )
        } catch let problem as ProviderAuthorities.Problem {
            throw ValidationError("--provider-authorities '\(providerAuthorities ?? "")' cannot be used: \(problem)")
        }
        if !bundleIDs.isEmpty { node.server.gateway.setBundleIDs(Set(bundleIDs), ofTeam: GatewayNode.teamID) }
        do {
            let services = manager?.informed(of: [node.server], clock: SystemClock()) ?? [node.server]
            try await withServices(services, signals: [.sigint, .sigterm], logger: logger) {
                let keys = try handOut.map { handOut in
                    let keys = try HandedOutKeys(of: node.server.gateway, in: folder.path)
                    try GatewayExport(folder: handOut).write(node, keys: keys, tokens: tokens)
                    return keys
                }
                try await announce(node, keys)
                manager?.isReady("Devices connect to \(node.server.courierURL)")
                try await untilCancelled(orEndOfInput: untilEOF)
            }
        } catch is CancellationError {
            // A signal ended the run.
        }
        withExtendedLifetime(folder) {}
    }

    private var rules: GatewayRules {
        var rules = storage.rules
        judgement.apply(to: &rules)
        return rules
    }

    /// The machine's time; with a control endpoint, tests may turn it.
    private var clock: any CivilClock { control == nil ? SystemClock() : TurnableClock() }

    private var addresses: GatewayServer.Configuration {
        GatewayServer.Configuration {
            $0.host = host
            $0.developmentPort = port == nil ? developmentPort : nil
            $0.productionPort = port ?? productionPort
            $0.courierPort = courierPort ?? (port == nil ? 5223 : 0)
            $0.isStrict = strict
            $0.control = control
            $0.courierToken = courierToken?.setting ?? EnvironmentSettings["POSTHORN_COURIER_TOKEN"]
        }
    }

    private func configuration() throws -> GatewayServer.Configuration {
        var configuration = addresses
        configuration.providerSessions = providerConnections
        configuration.providerIdleLimit = .seconds(Int64(providerIdle))
        if console { configuration.control?.pages = try Console(reloading: ServedPortal.folder) }
        configuration.managementPorts[.development] = managementDevelopmentPort
        configuration.managementPorts[.production] = managementProductionPort
        configuration.providerAuthorities = try providerAuthorities.map { file in
            String(decoding: try readBytes(file, "--provider-authorities"), as: UTF8.self)
        }
        return configuration
    }

    /// `keys` are those that were handed out; nil without `--hand-out`.
    private func announce(_ node: GatewayNode, _ keys: HandedOutKeys?) async throws {
        let (control, console) = try await (node.controlURL, node.consoleURL)
        guard !json else {
            return printJSON([
                "host": host, "developmentPort": node.server.port(for: .development),
                "productionPort": node.server.port(for: .production), "ca": node.caPath,
                "keyFile": node.keyPath, "keyID": node.key.id, "teamID": node.key.teamID,
                "keys": keys?.members,
                "courier": node.server.courierURL, "events": node.server.eventsURL,
                "managementDevelopmentPort": node.server.managementPort(for: .development),
                "managementProductionPort": node.server.managementPort(for: .production),
                "providerAuthorities": providerAuthorities,
                "control": control, "console": console,
            ])
        }
        let providers = APNSEnvironment.allCases.compactMap { environment in
            node.server.port(for: environment).map { "\(host):\($0) (\(environment))" }
        }
        printLine("Providers   \(providers.joined(separator: "   "))")
        let managers = APNSEnvironment.allCases.compactMap { environment in
            node.server.managementPort(for: environment).map { "\(host):\($0) (\(environment))" }
        }
        if !managers.isEmpty { printLine("Channels    \(managers.joined(separator: "   "))") }
        printLine("Authority   \(node.caPath)")
        if let providerAuthorities { printLine("Trusts      \(providerAuthorities)") }
        printLine("Key         \(node.keyPath)   id \(node.key.id)   team \(node.key.teamID)")
        for (name, key) in keys?.named ?? [] { printLine("            id \(key.id)   team \(key.teamID)   \(name)") }
        printLine("Devices     \(node.server.courierURL)")
        printLine("Journeys    \(node.server.eventsURL)")
        if let control { printLine("Control     \(control)") }
        if let console { printLine("Console     \(console)") }
    }
}

extension HandedOutKeys {
    /// The keys by name, each with its file in the data folder, and its ids.
    fileprivate var members: JSONMembers {
        named.reduce(into: [:]) { members, named in
            let key = named.key
            members[named.name] = ["keyFile": path(of: key), "keyID": key.id, "teamID": key.teamID] as JSONMembers
        }
    }
}
