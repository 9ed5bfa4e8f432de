import Foundation

/// The settings of a client.
public struct PosthornConfiguration: Sendable {
    /// The address of the service, such as `https://push.example.com`.
    public var service: URL
    /// The app's key at the service.
    public var appKey: String
    /// The app's bundle id.
    public var bundleID: String
    /// The values that the client reports of this device and build.
    public var values: DeviceValues
    /// The client's durable memory.
    public var store: any StateStore
    /// The place for the mark of this phone, which no backup brings to another one; nil without one.
    var phone: (any StateStore)?
    /// Calls its argument whenever there is a network again, for as long as the process lives.
    var watchNetwork: (@Sendable (_ returned: @escaping @Sendable () -> Void) -> Void)?
    /// The address of the service's SDK link; nil for `link` below the service's address.
    public var link: URL?
    /// Carries the requests; nil if all calls go over the link.
    public var transport: (any ServiceTransport)?
    /// Opens the link for custom messages while the app is in front; without one they are fetched.
    public var socketOpener: (any MessageSocketOpener)?
    /// The seconds between two fetches of custom messages while the app is in front, without an opener of links.
    public var messageInterval: TimeInterval = 30
    /// The waits after failures.
    public var backoff = Backoff()
    /// Read whenever a link opens: the device's time zone at that moment. Nil for the one in ``values``.
    public var currentZone: (@Sendable () -> String?)?
    /// Read whenever a link opens: the device's language at that moment, as a BCP 47 tag. Nil for the one in ``values``.
    public var currentLanguage: (@Sendable () -> String?)?
    /// The time for which a caller waits for an answer, in seconds. After that the call fails with
    /// ``PosthornError/notSentYet``; it stays in the queue.
    public var patience: TimeInterval = 20
    /// Measures the waits.
    public var clock: any ClientClock = ClientQueue()
    /// Runs the client's work, on a queue of its own by default.
    public var executor: any ClientExecutor = ClientQueue()
    /// The source of the installation's name and of the random parts of waits.
    public var random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    /// Receives lines for the developer, on any thread.
    public var log: @Sendable (String) -> Void = { _ in }
    /// Writes a line to the system's log, in which what it quotes is private; to standard error on Linux.
    public static let systemLog: @Sendable (String) -> Void = SystemActivity.write

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - service: the address of the service. Only a service on this machine may have `http`: the requests carry secrets.
    ///   - appKey: the app's key at the service.
    ///   - bundleID: the app's bundle id.
    ///   - values: what the client reports of this device and build.
    ///   - store: the client's durable memory.
    /// - Throws: a ``PosthornError`` if the address is not one of a service.
    public init(service: URL, appKey: String, bundleID: String, values: DeviceValues, store: any StateStore) throws {
        guard Self.isAllowed(service) else { throw Self.problem(with: service.absoluteString) }
        self.service = service
        self.appKey = appKey
        self.bundleID = bundleID
        self.values = values
        self.store = store
        transport = URLSessionTransport()
        #if canImport(Darwin)
        socketOpener = URLSessionSocketOpener()
        watchNetwork = SystemActivity.watchNetwork
        #endif
        #if os(iOS) || os(watchOS) || os(visionOS)
        phone = KeychainStateStore(service: "posthorn.\(bundleID)")
        #endif
    }

    /// Creates settings of a client whose calls all go over the SDK link. It cannot unregister, nor diagnose.
    ///
    /// - Parameters:
    ///   - link: the address of the SDK link, such as `wss://push.example.com/link`.
    ///   - opener: opens the links.
    ///   - appKey: the app's key at the service.
    ///   - bundleID: the app's bundle id.
    ///   - values: what the client reports of this device and build.
    ///   - store: the client's durable memory.
    public init(
        link: URL,
        opener: any MessageSocketOpener,
        appKey: String,
        bundleID: String,
        values: DeviceValues,
        store: any StateStore
    ) {
        service = link
        self.link = link
        socketOpener = opener
        self.appKey = appKey
        self.bundleID = bundleID
        self.values = values
        self.store = store
    }

    /// The settings of a client that sends nothing.
    static let unusable = PosthornConfiguration()

    private init() {
        service = URL(fileURLWithPath: "/")
        appKey = ""
        bundleID = ""
        values = DeviceValues(environment: .production, system: Self.system)
        store = ForgetfulStore()
    }

    /// Creates the settings of the running app: its bundle id and version, the environment of its signing, the system, the time
    /// zone and the language, with a store in Application Support.
    ///
    /// - Parameters:
    ///   - service: the address of the service; nil for the one in the Info.plist, under ``serviceKey``.
    ///   - appKey: the app's key at the service; nil for the one in the Info.plist, under ``appKeyKey``.
    ///   - bundle: the app's.
    ///   - store: the client's durable memory; nil for files in the App Group of the Info.plist, under ``groupKey``, without one in
    ///     Application Support, or for the Keychain on tvOS.
    /// - Returns: the settings, which can be changed before a client is created with them.
    /// - Throws: a ``PosthornError`` that says what is missing, or the system's error if the default store has no place.
    public static func app(
        service: URL? = nil,
        appKey: String? = nil,
        bundle: Bundle = .main,
        store: (any StateStore)? = nil
    ) throws -> Self {
        func required(_ key: String) throws -> String {
            guard let text = bundle.object(forInfoDictionaryKey: key) as? String, !text.isEmpty else {
                throw PosthornError(code: PosthornError.notRegistered, message: "The app's Info.plist has no '\(key)'.")
            }
            return text
        }
        let address = try service ?? self.address(required(serviceKey))
        var name = try bundle.bundleIdentifier ?? required("CFBundleIdentifier")
        // An extension is part of the app that contains it.
        if bundle.bundleURL.pathExtension == "appex" {
            name = name.split(separator: ".").dropLast().joined(separator: ".")
        }
        var values = DeviceValues(environment: AppBuild.read(bundle).environment, system: Self.system)
        values.appVersion = bundle.object(forInfoDictionaryKey: "CFBundleShortVersionString") as? String
        values.zone = TimeZone.current.identifier
        values.language = Locale.preferredLanguages.first
        return try Self(
            service: address,
            appKey: appKey ?? required(appKeyKey),
            bundleID: name,
            values: values,
            store: store ?? defaultStore(of: name, bundle)
        )
    }

    private static func defaultStore(of bundleID: String, _ bundle: Bundle) throws -> any StateStore {
        #if canImport(Darwin)
        if let group = bundle.object(forInfoDictionaryKey: groupKey) as? String {
            if let shared = FileStateStore(appGroup: group) { return shared }
            throw PosthornError(
                code: PosthornError.notRegistered,
                message: "The process is not in the App Group '\(group)' of its Info.plist; add it to the entitlements."
            )
        }
        #endif
        #if os(tvOS)
        // An Apple TV lets no app write Application Support.
        return KeychainStateStore(service: "posthorn.\(bundleID)")
        #else
        return try FileStateStore.applicationSupport()
        #endif
    }

    /// The key of the service's address in the Info.plist.
    public static let serviceKey = "PosthornService"
    /// The key of the App Group in the Info.plist that an app shares with its service extension.
    public static let groupKey = "PosthornAppGroup"
    /// The key of the app's key in the Info.plist.
    public static let appKeyKey = "PosthornAppKey"

    /// Reads the address of a service, which ``init(service:appKey:bundleID:values:store:)`` judges.
    static func address(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw problem(with: text) }
        return url
    }

    private static func problem(with address: String) -> PosthornError {
        PosthornError(
            code: PosthornError.notRegistered,
            message: "The service's address is '\(address)'; expected one like 'https://push.example.com'."
        )
    }

    /// HTTPS, or a service on this machine.
    private static func isAllowed(_ url: URL) -> Bool {
        guard let host = url.host, !host.isEmpty else { return false }
        return url.scheme == "https" || url.scheme == "http" && ["127.0.0.1", "::1", "localhost"].contains(host)
    }

    /// The system's name and version, such as `iOS 17.0`.
    private static var system: String {
        let version = ProcessInfo.processInfo.operatingSystemVersion
        #if os(iOS) || targetEnvironment(macCatalyst)
        let name = "iOS"
        #elseif os(macOS)
        let name = "macOS"
        #elseif os(watchOS)
        let name = "watchOS"
        #elseif os(tvOS)
        let name = "tvOS"
        #elseif os(visionOS)
        let name = "visionOS"
        #else
        let name = "Linux"
        #endif
        return "\(name) \(version.majorVersion).\(version.minorVersion)"
    }
}
