import APNSGateway
import ArgumentParser
import DeviceLinkNIO
import Foundation
import Logging
import NIOCore
import PosthornStack
import PushClock
import PushModel
import UnixSignals

extension GatewayNode.Mail: ExpressibleByArgument {}

struct GatewayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway",
        abstract: "An APNs-compatible gateway: APNs in a box.",
        discussion: """
            Makes an authority, a server certificate and a p8 key at first start. Emulated devices connect to its courier \
            port. Every push that is answered with 200 is on disk, and waits there for its device.
            """
    )

    @Option(help: "The folder of authority and key.")
    var data = "posthorn-gateway"

    @Option(help: "Where to listen.")
    var host = "127.0.0.1"

    @Option(help: "The port for development, 0 for a free one.")
    var developmentPort = 2197

    @Option(help: "The port for production, 0 for a free one.")
    var productionPort = 2198

    @Option(help: "The port for devices, 0 for a free one.")
    var courierPort = 5223

    @Option(
        help: ArgumentHelp(
            "What has to come to the courier port as 'Authorization: Bearer' (or POSTHORN_COURIER_TOKEN, which does not show in "
                + "the process list); needed if it listens beyond this machine.",
            valueName: "token"
        )
    )
    var courierToken: String?

    @Option(
        help: ArgumentHelp(
            "Listen for providers of production on this port alone, 0 for a free one.",
            valueName: "port"
        )
    )
    var port: Int?

    @Option(
        help: ArgumentHelp(
            "Manage broadcast channels of development on this port, 0 for a free one; Apple's is 2195. Without it they "
                + "cannot be managed.",
            valueName: "port"
        )
    )
    var managementDevelopmentPort: Int?

    @Option(
        help: ArgumentHelp(
            "Manage broadcast channels of production on this port, 0 for a free one; Apple's is 2196.",
            valueName: "port"
        )
    )
    var managementProductionPort: Int?

    @Option(
        help: ArgumentHelp(
            "A PEM file of authorities whose client certificates are believed besides the gateway's own.",
            valueName: "file"
        )
    )
    var providerAuthorities: String?

    @Option(
        help: ArgumentHelp(
            "Open the control endpoint on this port, 0 for a free one: faults, device tokens, counts and more as JSON.",
            valueName: "port"
        )
    )
    var controlPort: Int?

    @Option(help: "Where the control endpoint listens; beyond this machine it needs --control-token.")
    var controlHost = "127.0.0.1"

    @Option(
        help: ArgumentHelp(
            "What has to come to the control endpoint as 'Authorization: Bearer' (or POSTHORN_CONTROL_TOKEN, which does not "
                + "show in the process list).",
            valueName: "token"
        )
    )
    var controlToken: String?

    @Option(
        help: "A PEM file with the server's certificate and its chain, instead of one by the gateway's own authority."
    )
    var cert: String?

    @Option(help: "A PEM file with the key of --cert.")
    var key: String?

    @Option(
        help: ArgumentHelp(
            "Write what a provider needs into this folder: `port` of production, `ca.pem`, `key.p8`, `keyID`, `teamID`, "
                + "`topic`, `authorization` (a bearer value, good for an hour), `tokens`, one a line, the tokens "
                + "`unregistered`, `otherTopic` and `otherEnvironment`, which are refused, and without --cert "
                + "`development.p12` and `production.p12` with their `password`. `authorization` is written last.",
            valueName: "folder"
        )
    )
    var handOut: String?

    @Option(help: "How many device tokens --hand-out issues; they belong to no device.")
    var tokens = 1000

    @Option(
        help: ArgumentHelp(
            "Where tokens, mailboxes and channels are kept: disk, or memory, which forgets them at the end. memory with "
                + "--hand-out, whose tokens are issued anew at each start; else disk.",
            valueName: "place"
        )
    )
    var mail: GatewayNode.Mail?

    @Option(
        help: ArgumentHelp(
            "How many connections of providers may be open, on all ports together. For one more the oldest is closed that has shown "
                + "no good credential; if all have, the new one.",
            valueName: "number"
        )
    )
    var providerConnections = 500

    @Option(
        help: ArgumentHelp(
            "How long a provider's connection may be silent after a good credential; PING counts as a sign of life. Without one "
                + "it is two minutes, and PING does not count.",
            valueName: "seconds"
        )
    )
    var providerIdle = 86_400

    @Flag(help: "Announce one stream at first, and more after the first push with a good credential, as APNs does.")
    var strict = false

    @Flag(help: "Print where it listens as one line of JSON.")
    var json = false

    @OptionGroup var storage: GatewayStorageOptions
    @OptionGroup var log: LogOptions

    func validate() throws {
        for (name, port) in [
            ("--development-port", developmentPort), ("--production-port", productionPort),
            ("--courier-port", courierPort), ("--port", port ?? 0), ("--control-port", controlPort ?? 0),
            ("--management-development-port", managementDevelopmentPort ?? 0),
            ("--management-production-port", managementProductionPort ?? 0),
        ] where !(0...65_535).contains(port) {
            throw ValidationError("\(name) is \(port); expected 0 to 65535.")
        }
        guard (cert == nil) == (key == nil) else {
            throw ValidationError("--cert and --key belong together; \(cert == nil ? "--cert" : "--key") is missing.")
        }
        guard controlPort != nil || controlToken == nil else {
            throw ValidationError("--control-token is for the control endpoint; --control-port is missing.")
        }
        do { try control?.check() } catch { throw ValidationError("\(error)") }
        do { _ = try addresses.courierAdmission() } catch {
            throw ValidationError("\(error) The option is --courier-token, or POSTHORN_COURIER_TOKEN.")
        }
        guard (1...1_000_000).contains(providerConnections) else {
            throw ValidationError("--provider-connections is \(providerConnections); expected 1 to 1000000.")
        }
        guard (1...31_536_000).contains(providerIdle) else {
            throw ValidationError("--provider-idle is \(providerIdle); expected 1 to 31536000 seconds.")
        }
        guard (1...1_000_000).contains(tokens) else {
            throw ValidationError("--tokens is \(tokens); expected 1 to 1000000.")
        }
    }

    private var control: GatewayServer.Control? {
        let token = controlToken ?? ProcessInfo.processInfo.environment["POSTHORN_CONTROL_TOKEN"]
        return controlPort.map { GatewayServer.Control(host: controlHost, port: $0, token: token) }
    }

    func run() async throws {
        let logger = log.logger("posthorn", default: .notice)
        // Each device and each provider takes one.
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
                policy: storage.policy,
                rules: storage.rules,
                clock: SystemClock(),
                sink: nil,
                logger: logger
            )
        } catch let problem as ProviderAuthorities.Problem {
            throw ValidationError("--provider-authorities '\(providerAuthorities ?? "")' cannot be used: \(problem)")
        }
        do {
            try await withServices([node.server], signals: [.sigint, .sigterm], logger: logger) {
                if let handOut { try GatewayExport(folder: handOut).write(node, tokens: tokens) }
                try await announce(node)
                try await untilCancelled()
            }
        } catch is CancellationError {
            // A signal asked for the end.
        }
        withExtendedLifetime(folder) {}
    }

    private var addresses: GatewayServer.Configuration {
        var configuration = GatewayServer.Configuration(
            host: host,
            developmentPort: port == nil ? developmentPort : nil,
            productionPort: port ?? productionPort,
            courierPort: port == nil ? courierPort : 0,
            isStrict: strict,
            control: control
        )
        configuration.courierToken = courierToken ?? ProcessInfo.processInfo.environment["POSTHORN_COURIER_TOKEN"]
        return configuration
    }

    private func configuration() throws -> GatewayServer.Configuration {
        var configuration = addresses
        configuration.providerConnections = providerConnections
        configuration.providerIdleLimit = .seconds(Int64(providerIdle))
        configuration.managementPorts[.development] = managementDevelopmentPort
        configuration.managementPorts[.production] = managementProductionPort
        configuration.providerAuthorities = try providerAuthorities.map { file in
            String(decoding: try readBytes(file, "--provider-authorities"), as: UTF8.self)
        }
        return configuration
    }

    private func announce(_ node: GatewayNode) async throws {
        let control = try await node.controlURL
        let development = node.server.port(for: .development) ?? 0
        let production = node.server.port(for: .production) ?? 0
        guard !json else {
            let object: JSONValue = [
                "host": .string(host), "developmentPort": .integer(Int64(development)),
                "productionPort": .integer(Int64(production)), "ca": .string(node.caPath),
                "keyFile": .string(node.keyPath), "keyID": .string(node.key.id), "teamID": .string(node.key.teamID),
                "courier": .string(node.server.courierURL), "events": .string(node.server.eventsURL),
                "managementDevelopmentPort": managementPort(.development, node),
                "managementProductionPort": managementPort(.production, node),
                "providerAuthorities": providerAuthorities.map { .string($0) } ?? .null,
                "control": control.map { .string($0) } ?? .null,
            ]
            return printLine(object.text)
        }
        printLine("Providers   \(host):\(development) (development)   \(host):\(production) (production)")
        let managers = APNSEnvironment.allCases.compactMap { environment in
            node.server.managementPort(for: environment).map { "\(host):\($0) (\(environment))" }
        }
        if !managers.isEmpty { printLine("Channels    \(managers.joined(separator: "   "))") }
        printLine("Authority   \(node.caPath)")
        if let providerAuthorities { printLine("Believes    \(providerAuthorities)") }
        printLine("Key         \(node.keyPath)   id \(node.key.id)   team \(node.key.teamID)")
        printLine("Devices     \(node.server.courierURL)")
        printLine("Journeys    \(node.server.eventsURL)")
        if let control { printLine("Control     \(control)") }
    }

    /// Null if channels cannot be managed there.
    private func managementPort(_ environment: APNSEnvironment, _ node: GatewayNode) -> JSONValue {
        node.server.managementPort(for: environment).map { .integer(Int64($0)) } ?? .null
    }
}
