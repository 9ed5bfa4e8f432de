import APNSProvider
import ArgumentParser
import Configuration
import DeviceLinkNIO
import Foundation
import Logging
import PosthornStack
import PushAPI
import PushModel
import PushService
import SystemPackage

/// The settings of `posthorn serve`.
///
/// Each key may be set in the file that `--config` names (JSON, nested at the dots), in the environment as `POSTHORN_` and
/// the key in capitals (`POSTHORN_HTTP_PORT`), or by its flag, if it has one. Flags override the environment, which
/// overrides the file.
///
/// | key | type | default | meaning |
/// | --- | --- | --- | --- |
/// | `data` | path | `posthorn-data` | the folder for database and keys |
/// | `http.host` | text | `127.0.0.1` | the address to listen on |
/// | `http.port` | 0 to 65535 | 8080 | 0 takes a free port |
/// | `http.cert` | path | none | the server's certificate and its chain, PEM: https and wss instead of http and ws |
/// | `http.key` | path | none | the key of `http.cert`, PEM |
/// | `http.hostNames` | list of names | none | while listening on the loopback, further names accepted in `Host`, such as the one a proxy uses |
/// | `http.proxies` | list of addresses | none | proxies such as `127.0.0.1` and `10.0.0.0/8`, whose `X-Forwarded-For` is trusted |
/// | `http.connections` | 1 to 1000000 | 100000 | the maximum number of open connections, including links |
/// | `http.connectionsPerAddress` | 1 to 1000000 | 10000 | the maximum number of open connections from one address |
/// | `http.requestSeconds` | 1 to 3600 | 120 | the timeout for receiving a whole request, in seconds |
/// | `http.answerSeconds` | 1 to 3600 | 120 | the timeout for the client to read a response, in seconds |
/// | `http.failedLogins` | 1 to 1000000 | 30 | failed logins allowed from one address in a minute |
/// | `http.callsPerMinute` | 1 to 10000000 | JPush's | calls an app may make in 60 seconds, in each family of the API |
/// | `timeZone` | IANA name | UTC+8 | the time zone for times in responses and in schedules |
/// | `push.broadcastsPerDay` | 1 to 1000000 | no limit | pushes to `"all"` that an app may make in a day |
/// | `push.waitingMessages` | 1 to 1000 | 5 | the maximum number of custom messages that wait for a device |
/// | `link.origins` | list of origins | none | web pages that may open the SDK link, such as `https://console.example.com` |
/// | `link.registrationsPerMinute` | 0 to 10000000 | 600 | registrations of an app accepted from one address in a minute; 0 for no limit |
/// | `schedules.catchUp` | 0 to 604800 | 3600 | seconds by which a scheduled push may be late after the service was down |
/// | `retention.messages` | 1 to 3650 | 31 | days for which a push is kept after its last delivery, with statistics and journeys |
/// | `retention.schedules` | 1 to 3650 | 31 | days for which a schedule is kept after its end |
/// | `retention.devices` | 255 to 36500 | 255 | days for which a device is kept after its last sign of life |
/// | `retention.users` | 62 to 3650 | 92 | days for which user counts are kept |
/// | `apns.host` | text | Apple | a gateway instead of Apple's service |
/// | `apns.developmentPort` | 1 to 65535 | 443 | its port for development |
/// | `apns.productionPort` | 1 to 65535 | 443 | its port for production |
/// | `apns.ca` | path | the system's | the authority to trust for `apns.host`, PEM |
/// | `apns.events` | URL | none | the journey events of Posthorn's gateway (`ws://HOST:PORT/events`) |
/// | `apns.eventsToken` | text | none | the token that the gateway requires there (its `--courier-token`) |
struct ServeSettings: Sendable {
    var data = "posthorn-data"
    var api = PushAPI.Settings(port: 8080)
    /// The path of the key of the server's certificate.
    var keyFile: String?
    var scheduleCatchUp = 3600
    var retention = RetentionRules()
    var broadcastsPerDay: Int?
    var link = LinkRules()
    var apnsHost: String?
    var developmentPort = 443
    var productionPort = 443
    var authority: String?
    var events: String?
    var eventsToken: String?

    private static let keys = [
        "data", "http.host", "http.port", "http.cert", "http.key", "http.hostNames", "http.proxies",
        "http.callsPerMinute", "http.connections", "http.connectionsPerAddress", "http.requestSeconds",
        "http.answerSeconds", "http.failedLogins",
        "link.origins", "link.registrationsPerMinute", "apns.host", "apns.developmentPort", "apns.productionPort",
        "apns.ca", "apns.events", "apns.eventsToken", "push.broadcastsPerDay", "push.waitingMessages",
        "schedules.catchUp", "timeZone",
        "retention.messages", "retention.schedules", "retention.devices", "retention.users",
    ]

    /// Reads all keys and checks them.
    ///
    /// `flags` are the values from the command line, by key.
    /// - Throws: ``SettingsProblem``, which names the key, what was found and what was expected; `ValidationError` about the
    ///   server's certificate.
    init(file: String?, flags: [String: String]) async throws {
        var providers: [any ConfigProvider] = [
            InMemoryProvider(
                values: Dictionary(
                    uniqueKeysWithValues: flags.map {
                        (AbsoluteConfigKey(ConfigKey($0.key)), ConfigValue(.string($0.value), isSecret: false))
                    }
                )
            ),
            EnvironmentVariablesProvider().prefixKeys(with: ["posthorn"]),
        ]
        if let file { providers.append(try await Self.provider(of: file)) }
        let reader = ConfigReader(providers: providers)
        data = try await Self.text("data", reader) ?? data
        api.host = try await Self.text("http.host", reader) ?? api.host
        api.port = try await Self.number("http.port", 0...65_535, reader, flags) ?? api.port
        keyFile = try await Self.text("http.key", reader)
        api.tls = try Self.tls(certificates: try await Self.text("http.cert", reader), key: keyFile)
        api.hostNames = try await Self.list("http.hostNames", "names without a port", reader)
        let proxies = try await Self.list("http.proxies", "addresses such as 127.0.0.1 or 10.0.0.0/8", reader)
        do { api.proxies = try ProxyRule(proxies) } catch {
            throw SettingsProblem(
                key: "http.proxies",
                found: error.found,
                expected: "an address, or a range such as 10.0.0.0/8"
            )
        }
        api.linkOrigins = try await Self.list("link.origins", "origins such as https://console.example.com", reader)
        for origin in api.linkOrigins where !Self.isOrigin(origin) {
            throw SettingsProblem(
                key: "link.origins",
                found: origin,
                expected: "an origin such as https://console.example.com"
            )
        }
        link.registrationsPerMinute =
            try await Self.number("link.registrationsPerMinute", 0...10_000_000, reader, flags)
            ?? link.registrationsPerMinute
        let connections = 1...1_000_000
        api.connections.total =
            try await Self.number("http.connections", connections, reader, flags) ?? api.connections.total
        api.connections.perAddress =
            try await Self.number("http.connectionsPerAddress", connections, reader, flags)
            ?? api.connections.perAddress
        if let seconds = try await Self.number("http.requestSeconds", 1...3600, reader, flags) {
            api.request = .seconds(seconds)
        }
        if let seconds = try await Self.number("http.answerSeconds", 1...3600, reader, flags) {
            api.answer = .seconds(seconds)
        }
        api.failedLogins =
            try await Self.number("http.failedLogins", 1...1_000_000, reader, flags) ?? api.failedLogins
        if let calls = try await Self.number("http.callsPerMinute", 1...10_000_000, reader, flags) {
            api.callLimits = .all(calls)
        }
        if let name = try await Self.text("timeZone", reader) {
            guard let zone = TimeZone(identifier: name) else {
                throw SettingsProblem(key: "timeZone", found: name, expected: "an IANA name such as Asia/Shanghai")
            }
            api.timeZone = zone
        }
        scheduleCatchUp =
            try await Self.number("schedules.catchUp", 0...604_800, reader, flags) ?? scheduleCatchUp
        retention.messages =
            try await Self.number("retention.messages", 1...3650, reader, flags) ?? retention.messages
        retention.schedules =
            try await Self.number("retention.schedules", 1...3650, reader, flags) ?? retention.schedules
        retention.devices =
            try await Self.number("retention.devices", JPushLimits.inactiveDays...36_500, reader, flags)
            ?? retention.devices
        retention.users = try await Self.number("retention.users", 62...3650, reader, flags) ?? retention.users
        broadcastsPerDay = try await Self.number("push.broadcastsPerDay", 1...1_000_000, reader, flags)
        link.waitingMessages =
            try await Self.number("push.waitingMessages", 1...1000, reader, flags) ?? link.waitingMessages
        apnsHost = try await Self.text("apns.host", reader)
        developmentPort = try await Self.number("apns.developmentPort", 1...65_535, reader, flags) ?? developmentPort
        productionPort = try await Self.number("apns.productionPort", 1...65_535, reader, flags) ?? productionPort
        authority = try await Self.text("apns.ca", reader)
        events = try await Self.text("apns.events", reader)
        eventsToken = try await Self.text("apns.eventsToken", reader)
        if let authority, !FileManager.default.isReadableFile(atPath: authority) {
            throw SettingsProblem(key: "apns.ca", found: authority, expected: "a readable PEM file")
        }
        if let events, !events.hasPrefix("ws://"), !events.hasPrefix("wss://") {
            throw SettingsProblem(key: "apns.events", found: events, expected: "a URL that begins with ws:// or wss://")
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

    /// The APNs endpoints to push to.
    var route: ProviderSender.Route {
        guard let apnsHost else { return .apple }
        let trust = authority.map { APNSEndpoint.Trust.file($0) } ?? .system
        return ProviderSender.Route(
            development: APNSEndpoint(host: apnsHost, port: developmentPort, trust: trust),
            production: APNSEndpoint(host: apnsHost, port: productionPort, trust: trust)
        )
    }

    /// Returns the file's provider; refuses unknown keys, so that a typo is not taken for a default.
    private static func provider(of file: String) async throws -> any ConfigProvider {
        let content: Data
        do { content = try Data(contentsOf: URL(filePath: file)) } catch {
            throw SettingsProblem(key: "--config", found: file, expected: "a readable file")
        }
        let json: JSONValue
        do { json = try JSONValue(parsing: content) } catch {
            throw SettingsProblem(key: "--config", found: "\(file), \(error)", expected: "JSON")
        }
        for key in paths(of: json, below: "") where !keys.contains(key) {
            throw SettingsProblem(key: key, found: "not known", expected: "one of \(keys.joined(separator: ", "))")
        }
        return try await FileProvider<JSONSnapshot>(filePath: FilePath(file))
    }

    private static func paths(of json: JSONValue, below path: String) -> [String] {
        guard let object = json.object else { return [path] }
        return object.members.flatMap { paths(of: $0.value, below: path.isEmpty ? $0.key : "\(path).\($0.key)") }
    }

    private static func text(_ key: String, _ reader: ConfigReader) async throws -> String? {
        do { return try await reader.fetchString(forKey: ConfigKey(key)) } catch {
            throw SettingsProblem(key: key, found: "\(error)", expected: "text")
        }
    }

    /// Reads a list: an array in the file, comma-separated words elsewhere.
    private static func list(_ key: String, _ expected: String, _ reader: ConfigReader) async throws -> [String] {
        do { return try await reader.fetchStringArray(forKey: ConfigKey(key)) ?? [] } catch {
            throw SettingsProblem(key: key, found: "\(error)", expected: "a list of \(expected)")
        }
    }

    /// Whether the text is an origin as a browser sends it: scheme, host and an optional port, without a path.
    private static func isOrigin(_ text: String) -> Bool {
        guard let parts = URLComponents(string: text), parts.scheme != nil, parts.host?.isEmpty == false else {
            return false
        }
        return parts.path.isEmpty && parts.query == nil && parts.fragment == nil && parts.user == nil
    }

    private static func number(
        _ key: String,
        _ range: ClosedRange<Int>,
        _ reader: ConfigReader,
        _ flags: [String: String]
    ) async throws -> Int? {
        let expected = "a whole number from \(range.lowerBound) to \(range.upperBound)"
        // A flag is text; the other two sources convert their values.
        if let text = flags[key] {
            guard let number = Int(text), range.contains(number) else {
                throw SettingsProblem(key: key, found: text, expected: expected)
            }
            return number
        }
        let number: Int?
        do { number = try await reader.fetchInt(forKey: ConfigKey(key)) } catch {
            throw SettingsProblem(key: key, found: "\(error)", expected: expected)
        }
        if let number, !range.contains(number) {
            throw SettingsProblem(key: key, found: "\(number)", expected: expected)
        }
        return number
    }
}

struct SettingsProblem: Error, CustomStringConvertible {
    var key: String
    var found: String
    var expected: String
    var description: String {
        let found = found == "not known" ? found : "'\(found)'"
        return "Configuration key '\(key)' is \(found); expected \(expected)."
    }
}
