import ArgumentParser
import Foundation
import Logging
import Metrics
import NIOCore
import NIOPosix
import NetworkSupport
import OTLPExport
import PosthornPortal
import PosthornStack
import PrometheusExport
import PushAPI
import PushClock
import PushModel
import PushService
import ServiceLifecycle
import Tracing
import UnixSignals

struct Serve: AsyncParsableCommand, ServerProcess {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Runs the push service.",
        discussion: """
            Stores everything in one folder, which is created at first start, or in a PostgreSQL database, which several nodes can \
            share; each node has a folder of its own, with the same secret.key. Settings come from flags, the environment \
            (POSTHORN_ and the key in capitals, such as POSTHORN_HTTP_PORT) and a JSON file, in this order of precedence. \
            Without apns.host, pushes go to Apple.
            """
    )

    @Option(help: "Path of a JSON file with settings.") var config: String?
    @Option(help: "Path of the folder for database and keys (key data; posthorn-data).") var data: String?

    @Option(
        help: .url(
            "URL of a PostgreSQL database for several nodes, instead of SQLite in --data (key store). POSTHORN_STORE keeps a "
                + "password out of the process list."
        )
    )
    var store: String?

    @Option(help: "Number of this node among those of --store (key node; a free one).") var node: String?
    @Option(help: "Address to listen on (key http.host; 127.0.0.1).") var host: String?
    @Option(help: "Port to listen on; 0 for a free one (key http.port; 8080).") var port: String?

    @Option(help: "Path of a PEM file with the server's certificate and chain, for https (key http.cert; plain http).")
    var cert: String?

    @Option(help: "Path of a PEM file with the key of --cert (key http.key).") var key: String?
    @Option(help: "Host of a gateway to push to instead of Apple (key apns.host).") var apnsHost: String?

    @Option(help: "The gateway's port for development (key apns.developmentPort; 443).")
    var apnsDevelopmentPort: String?

    @Option(help: "The gateway's port for production (key apns.productionPort; 443).") var apnsProductionPort: String?
    @Option(help: "Path of a PEM file with the authority to trust for apns.host (key apns.ca).") var apnsCA: String?
    @Option(help: "URL of the journey events of Posthorn's gateway (key apns.events).") var apnsEvents: String?
    @Flag(help: "Trust the machine's clock even if it is far ahead of the service's last run.") var trustClock = false
    @Flag(help: "Print the addresses as one line of JSON.") var json = false
    @OptionGroup var log: LogOptions

    private var flags: [SettingKey: String] {
        let given: [SettingKey: String?] = [
            .data: data, .store: store, .node: node, .httpHost: host, .httpPort: port, .httpCert: cert, .httpKey: key,
            .apnsHost: apnsHost,
            .apnsDevelopmentPort: apnsDevelopmentPort, .apnsProductionPort: apnsProductionPort, .apnsCa: apnsCA,
            .apnsEvents: apnsEvents, .logLevel: log.logLevel?.rawValue, .logFormat: log.logFormat?.rawValue,
        ]
        return given.compactMapValues(\.self)
    }

    func run() async throws {
        // By default the signal ends the process; one that comes during the start takes effect when the service runs.
        let hangups = await UnixSignalsSequence(trapping: .sighup)
        FreedMemory.keep()
        var given = try await ServeSettings(file: config, flags: flags)
        let logLevel = Adjustable(given.logLevel)
        let logger = LogOptions.logger("posthorn", at: logLevel, given.logFormat)
        BuildKind.warn(logger)
        let exporter = PrometheusMetricsFactory(help: Words.metrics)
        // Before anything creates a metric.
        MetricsSystem.bootstrap(exporter)
        BuildMetrics.record()
        given.api.metrics = exporter
        let clock = SystemClock()
        let traces = given.collector?.record(given.tracingPercent, clock: clock, logger: logger)
        let limits = limitConnections(&given.api, logger: logger)
        let settings = given
        let folder = try await DataFolder.whenUnused(settings.data)
        warn(settings, folder, logger: logger)
        let reload = SettingsReload(from: config, flags: flags, settings: settings, logLevel: logLevel, logger: logger)
        var node = try await open(settings, in: folder, reload: reload, limits: limits, clock: clock, logger: logger)
        let portal = ServedPortal(phones: PhoneShelf(), logger: logger)
        try node.add(pages: portal.make)
        reload.begin(with: node)
        // The spans of the others are sent last.
        var services = [traces].compactMap(\.self) + node.services
        services += [
            HangupWatch(reload: reload, hangups: hangups), FreedMemory(store: node.storeInspector, clock: clock),
        ]
        if let events = settings.events {
            let token = settings.eventsToken
            services.insert(GatewayFollowing(events, token: token, core: node.core, logger: logger), at: 0)
        }
        let manager = try ServiceManager(logger: logger)
        services = manager?.informed(of: services, clock: clock) ?? services
        try await run(services, of: node, portal, settings: settings, folder: folder, manager: manager, logger: logger)
        withExtendedLifetime(folder) {}
    }

    /// Opens the store and reads it, and answers meanwhile how far that is.
    private func open(
        _ settings: ServeSettings,
        in folder: DataFolder,
        reload: SettingsReload,
        limits: MachineFacts.Limits,
        clock: SystemClock,
        logger: Logger
    ) async throws -> ServiceNode {
        let reading = ReadingProgress()
        return try await StartingServer(settings.api, reading, clock: clock).serve {
            let (store, secret) = try await ServiceStore.open(
                settings.store,
                in: folder,
                as: NodeIdentity(number: settings.number, version: Posthorn.version),
                clock: clock,
                logger: logger
            )
            return try await ServiceNode(
                settings.node(in: folder.path, believesClock: trustClock),
                store: store,
                secret: secret,
                clock: clock,
                logger: logger
            ) { ports in
                ports.reading = reading
                ports.reload = { () async throws(OperatorError) in try await reload.reload() }
                ports.machine = ServiceMachine(
                    folder: folder.path,
                    storeInspector: store.inspector,
                    settings: settings.api,
                    keyFile: settings.keyFile,
                    limits: limits,
                    proxies: settings.proxies
                )
            }
        }
    }

    /// Runs the services until a signal ends them.
    private func run(
        _ services: [any Service],
        of node: ServiceNode,
        _ portal: ServedPortal,
        settings: ServeSettings,
        folder: DataFolder,
        manager: ServiceManager?,
        logger: Logger
    ) async throws {
        do {
            try await withServices(services, signals: [.sigint, .sigterm], limit: node.shutdownLimit, logger: logger) {
                let port = try await node.port.value
                Output.endsGracefully()
                announce(settings, on: port, folder: folder, invitation: try await portal.value.invitation())
                manager?.isReady("Listens on \(settings.api.url(at: port))")
                try await untilCancelled()
            }
        } catch is CancellationError {
            // A signal ended the run.
        } catch  where !node.port.isMade && (error is IOError || error is SocketAddressError) {
            let host = settings.api.host
            let port = settings.api.port
            let advice = error is IOError ? "choose another --port" : "choose another --host"
            throw ListenProblem(host: host, port: port, error: error, advice: advice)
        }
    }

    /// Lowers the number of connections to what the process may have open, since each takes one file descriptor.
    ///
    /// - Returns: the limits as the machine and the settings have them.
    private func limitConnections(_ api: inout PushAPI.Settings, logger: Logger) -> MachineFacts.Limits {
        let files = OpenFileLimit.raise()
        let wanted = api.connections.total
        api.connections = api.connections.within(files: files)
        if api.connections.total < wanted {
            logger.warning(
                """
                Up to \(api.connections.total) connections are accepted instead of \(wanted): the process may have \(files) open \
                files; 'ulimit -Hn' or LimitNOFILE= raises that
                """
            )
        }
        return MachineFacts.Limits(openFiles: files, connections: wanted)
    }

    /// Warns of settings that expose the service's traffic or files to others.
    private func warn(_ settings: ServeSettings, _ folder: DataFolder, logger: Logger) {
        var found: [String] = []
        if settings.api.isOpenToReaders {
            found.append(
                """
                The service listens on \(settings.api.host) without TLS: secrets and pushes can be read in transit. Use --cert \
                and --key, or listen on 127.0.0.1 behind a proxy with TLS.
                """
            )
        }
        found += ServiceMachine.readable(in: folder.path, keyFile: settings.keyFile).map(\.found)
        for warning in found { logger.warning("\(warning)") }
    }

    /// Prints the addresses. `invitation` is the path of the one-time link for the first user of the portal.
    private func announce(_ settings: ServeSettings, on port: Int, folder: DataFolder, invitation: String?) {
        let url = settings.api.url(at: port)
        let link = settings.api.link(at: port)
        let storeName = settings.store.name
        guard !json else {
            return printJSON([
                "url": url, "link": link, "data": folder.path, "store": storeName,
                "portal": url + "/portal", "invitation": invitation.map { url + $0 },
            ])
        }
        printLine(
            """
            Posthorn listens on \(url)
            SDKs link to \(link)
            The portal is at \(url)/portal
            """
        )
        if let invitation { printLine("Create its first user at \(url)\(invitation), a link that works once") }
        printLine("Data is kept in \(storeName ?? folder.path)")
    }
}

/// The error for a socket that cannot listen.
struct ListenProblem: Error, CustomStringConvertible {
    var description: String

    /// - `advice`: the change to make, such as "choose another --port".
    init(host: String, port: Int, error: any Error, advice: String) {
        description = "cannot listen on \(host):\(port): \(NetworkWords.reason(of: error)); \(advice)"
    }
}

extension TraceCollector: ExpressibleByArgument {
    init?(argument: String) { self.init(argument) }

    /// Sets the backend of traces, before anything looks for one. Of the traces that begin in this process, a percentage is recorded.
    ///
    /// - Returns: its exporter, to run.
    func record(_ percent: Int, clock: any CivilClock, logger: Logger) -> OTLPExporter {
        let exporter = exporter(of: "posthorn", clock: clock, logger: logger)
        InstrumentationSystem.bootstrap(OTLPTracer(exporter: exporter, percent: percent))
        return exporter
    }
}
