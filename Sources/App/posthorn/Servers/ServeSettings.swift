import APNSProvider
import ArgumentParser
import Foundation
import Logging
import NetworkSupport
import PosthornStack
import PushAPI
import PushModel
import PushService

/// The settings of `posthorn serve`.
///
/// Each key may be set in the file that `--config` names (JSON, nested at the dots), in the environment as `POSTHORN_` and
/// the key in capitals (`POSTHORN_HTTP_PORT`), or by its flag, if it has one. Flags override the environment, which
/// overrides the file.
/// ``SettingKey`` lists the keys.
struct ServeSettings: Sendable {
    var data = "posthorn-data"
    var store = StorePlace.folder
    /// The number of this node; nil for any that is free.
    var number: Int16?
    var api = PushAPI.Settings { $0.port = 8080 }
    /// The path of the key of the server's certificate.
    var keyFile: String?
    /// The seconds for which a service that ends still answers requests.
    var drainSeconds = 0
    private var service = ServiceSettings()
    var apnsHost: String?
    var developmentPort = 443
    var productionPort = 443
    var authority: String?
    private var apnsProxy: HTTPProxy?
    private var callbackProxy: HTTPProxy?
    var events: String?
    var eventsToken: String?
    /// The collector of spans; nil for no tracing.
    var collector: TraceCollector?
    /// The percentage of the traces beginning here that are recorded.
    var tracingPercent = 100
    var logLevel = Logger.Level.notice
    var logFormat = LogFormat.text
    /// The networks besides the public internet to which callbacks are sent.
    private(set) var callbackNetworks: [IPRange] = []
    /// The values that were set, as text.
    private(set) var values: [SettingKey: String] = [:]

    /// Reads all keys and checks them.
    ///
    /// - Parameters:
    ///   - file: the path of the file that `--config` names.
    ///   - flags: the values from the command line.
    /// - Throws: ``SettingsProblem``, which names the key, what was found and what was expected; `ValidationError` about the
    ///   server's certificate.
    init(file: String?, flags: [SettingKey: String]) async throws {
        let reader = try await SettingsReader(file: file, flags: flags)
        for key in SettingKey.allCases { values[key] = await reader.printed(key) }
        logLevel = try await reader.word(.logLevel) ?? logLevel
        logFormat = try await reader.word(.logFormat) ?? logFormat
        data = try await reader.text(.data) ?? data
        for (key, place, range) in Self.numbers {
            if let number = try await reader.number(key, in: range) { self[keyPath: place] = number }
        }
        try await readStore(reader)
        try await readHTTP(reader)
        try await readLimits(reader)
        try await readOperator(reader)
        try await readAPNs(reader)
        try await readTracing(reader)
        try await readService(reader)
    }

    /// The whole numbers that have a default, with their places and ranges.
    private static var numbers: [(SettingKey, WritableKeyPath<ServeSettings, Int>, ClosedRange<Int>)] {
        [
            (.httpPort, \.api.port, 0...65_535),
            (.httpConnections, \.api.connections.total, 1...1_000_000),
            (.httpConnectionsPerAddress, \.api.connections.perAddress, 1...1_000_000),
            (.httpDrainSeconds, \.drainSeconds, 0...300),
            (.httpFailedLogins, \.api.failedLogins, 1...1_000_000),
            (.operatorChangesPerMinute, \.service.operators.changesPerMinute, 1...1_000_000),
            (.portalDevicesWithoutPassword, \.service.operators.devicesWithoutPassword, 0...100_000_000),
            (.retentionMessages, \.service.retention.messages, 1...3650),
            (.retentionSchedules, \.service.retention.schedules, 1...3650),
            (.retentionDevices, \.service.retention.devices, JPushLimits.inactiveDays...36_500),
            (.retentionUsers, \.service.retention.users, 62...3650),
            (.retentionAudit, \.service.retention.audit, 1...3650),
            (.retentionEvents, \.service.retention.events, 0...3650),
            (.retentionChanges, \.service.retention.changes, 1...31),
            (.callbackWaiting, \.service.waitingCallbacks, 1...10_000_000),
            (.pushWaitingMessages, \.service.link.waitingMessages, 1...1000),
            (.pushTags, \.service.link.tags.perApp, 1...100_000_000),
            (.linkTags, \.service.link.tags.fromDevices, 1...100_000_000),
            (.linkRegistrationsPerMinute, \.service.link.registrationsPerMinute, 0...10_000_000),
            (.apnsDevelopmentPort, \.developmentPort, 1...65_535),
            (.apnsProductionPort, \.productionPort, 1...65_535),
            (.tracingPercent, \.tracingPercent, 0...100),
        ]
    }

    private mutating func readService(_ reader: SettingsReader) async throws {
        if let seconds = try await reader.number(.schedulesCatchUp, in: 0...604_800) {
            service.schedules.catchUp = TimeInterval(seconds)
        }
        service.broadcastsPerDay = try await reader.number(.pushBroadcastsPerDay, in: 1...1_000_000)
        service.environments = environments
    }

    private mutating func readStore(_ reader: SettingsReader) async throws {
        store = try StorePlace(try await reader.text(.store))
        number = try await reader.number(.node, in: 1...Int(Int16.max)).map { Int16($0) }
        if case .folder = store, number != nil {
            throw ValidationError("--node needs --store: a service on SQLite is alone.")
        }
        if let connections = try await reader.number(.postgresConnections, in: 2...200) {
            if case .folder = store {
                throw ValidationError("'postgres.connections' needs 'store': SQLite has no connections.")
            }
            store = store.with(connections: connections)
        }
    }

    private mutating func readHTTP(_ reader: SettingsReader) async throws {
        api.host = try await reader.text(.httpHost)?.withoutBrackets ?? api.host
        keyFile = try await reader.text(.httpKey)
        api.tls = try Self.tls(certificates: try await reader.text(.httpCert), key: keyFile)
        api.hostNames = try await reader.list(.httpHostNames, of: "names without a port")
        let proxies = try await reader.list(.httpProxies, of: "addresses such as 127.0.0.1 or 10.0.0.0/8")
        do { api.proxies = try ProxyRule(proxies) } catch {
            throw SettingKey.httpProxies.problem(error.found, expected: "an address, or a range such as 10.0.0.0/8")
        }
        callbackNetworks = try await reader.list(.callbackNetworks, of: "networks such as 10.0.0.0/8").map { text in
            guard let range = IPRange(text) else {
                throw SettingKey.callbackNetworks.problem(text, expected: "an address, or a range such as 10.0.0.0/8")
            }
            return range
        }
        callbackProxy = try await proxy(.callbackProxy, reader)
        api.linkOrigins = try await reader.list(.linkOrigins, of: "origins such as https://console.example.com")
        for origin in api.linkOrigins where !Self.isOrigin(origin) {
            throw SettingKey.linkOrigins.problem(origin, expected: "an origin such as https://console.example.com")
        }
        if let name = try await reader.text(.timeZone) {
            guard let zone = TimeZone(iana: name) else {
                throw SettingKey.timeZone.problem(name, expected: TimeZone.expectedName(insteadOf: name))
            }
            api.timeZone = zone
        }
    }

    private mutating func readLimits(_ reader: SettingsReader) async throws {
        if let seconds = try await reader.number(.httpRequestSeconds, in: 1...3600) {
            api.requestLimit = .seconds(seconds)
        }
        if let seconds = try await reader.number(.httpAnswerSeconds, in: 1...3600) {
            api.responseLimit = .seconds(seconds)
        }
        if let calls = try await reader.number(.httpCallsPerMinute, in: 1...10_000_000) { api.callLimits = .all(calls) }
    }

    private mutating func readOperator(_ reader: SettingsReader) async throws {
        api.operatorToken = try await token(.operatorToken, reader)
        api.metricsToken = try await token(.metricsToken, reader)
    }

    private func token(_ key: SettingKey, _ reader: SettingsReader) async throws -> SecretHash? {
        guard let token = try await reader.text(key) else { return nil }
        guard token.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw key.problem("a text with control characters", expected: "one line, which a header can carry")
        }
        guard token.utf8.count >= 20 else {
            throw key.problem(
                "\(token.utf8.count) characters",
                expected: "20 or more, such as the output of 'openssl rand -hex 24'"
            )
        }
        return SecretHash(of: token)
    }

    private func proxy(_ key: SettingKey, _ reader: SettingsReader) async throws -> HTTPProxy? {
        guard let text = try await reader.text(key) else { return nil }
        // The text may have a password.
        guard let proxy = HTTPProxy(text) else {
            throw key.problem("another text", expected: "a URL, \(HTTPProxy.form)")
        }
        return proxy
    }

    private mutating func readAPNs(_ reader: SettingsReader) async throws {
        apnsHost = try await reader.text(.apnsHost)?.withoutBrackets
        authority = try await reader.text(.apnsCa)
        apnsProxy = try await proxy(.apnsProxy, reader)
        events = try await reader.text(.apnsEvents)
        eventsToken = try await reader.text(.apnsEventsToken)
        if let authority, !FileManager.default.isReadableFile(atPath: authority) {
            throw SettingKey.apnsCa.problem(authority, expected: "a readable PEM file")
        }
        if let events, !events.hasPrefix("ws://"), !events.hasPrefix("wss://") {
            throw SettingKey.apnsEvents.problem(events, expected: "a URL that begins with ws:// or wss://")
        }
    }

    private mutating func readTracing(_ reader: SettingsReader) async throws {
        if let url = try await reader.text(.tracingEndpoint) {
            collector = TraceCollector(url)
            guard collector != nil else {
                throw SettingKey.tracingEndpoint.problem(
                    url,
                    expected: "a URL that begins with http:// or https://, such as http://127.0.0.1:4318"
                )
            }
        }
    }

    private static func tls(certificates: String?, key: String?) throws -> ServerTLS? {
        guard let certificates, let key else {
            guard certificates == nil, key == nil else {
                let missing = certificates == nil ? "--cert" : "--key"
                throw ValidationError("--cert and --key belong together; \(missing) is missing.")
            }
            return nil
        }
        do {
            return try ServerTLS(certificates: certificates, key: key, protocols: ["http/1.1"], at: Date())
        } catch {
            throw ValidationError("--cert '\(certificates)' and --key '\(key)' cannot be used: \(error)")
        }
    }

    /// Returns the settings of the service with its network interfaces.
    ///
    /// - Parameters:
    ///   - folder: the data folder, in which operators find the socket.
    ///   - believesClock: whether to trust the clock as it is, even if it is far ahead of the last run.
    /// - Returns: the settings.
    func node(in folder: String? = nil, believesClock: Bool = false) -> ServiceNode.Settings {
        var settings = ServiceNode.Settings(service, api: api)
        settings.service.believesClock = believesClock
        settings.route = route
        settings.callbackNetworks = callbackNetworks
        settings.callbackProxy = callbackProxy
        settings.operatorFolder = folder
        settings.drain = .seconds(drainSeconds)
        settings.watchesClock = true
        return settings
    }

    /// The APNs endpoints to push to.
    var route: ProviderSender.Endpoints {
        var route = ProviderSender.Endpoints.apple
        if let apnsHost {
            let trust = authority.map { APNSEndpoint.Trust.file($0) } ?? .system
            route.development = APNSEndpoint(host: apnsHost, port: developmentPort, trust: trust)
            route.production = APNSEndpoint(host: apnsHost, port: productionPort, trust: trust)
        }
        route.development.proxy = apnsProxy
        route.production.proxy = apnsProxy
        return route
    }

    /// The proxies to try, each with a tunnel to the production environment of APNs.
    var proxies: [ProxyCheck] {
        let target = route.production
        return [(SettingKey.apnsProxy, apnsProxy), (.callbackProxy, callbackProxy)].compactMap { key, proxy in
            proxy.map { ProxyCheck(key.rawValue, $0, to: target.host, port: target.port) }
        }
    }

    /// The environments of APNs that can be used: both, unless only one port of `apns.host` is set.
    private var environments: Set<APNSEnvironment> {
        let ports: [APNSEnvironment: SettingKey] = [
            .development: .apnsDevelopmentPort, .production: .apnsProductionPort,
        ]
        let set = ports.filter { apnsHost != nil && values[$0.value] != nil }
        return Set((set.isEmpty ? ports : set).keys)
    }

    /// Whether the text is an origin as a browser sends it: scheme, host and an optional port, without a path.
    private static func isOrigin(_ text: String) -> Bool {
        guard let parts = URLComponents(string: text), parts.scheme != nil, parts.host?.isEmpty == false else {
            return false
        }
        return parts.path.isEmpty && parts.query == nil && parts.fragment == nil && parts.user == nil
    }
}
