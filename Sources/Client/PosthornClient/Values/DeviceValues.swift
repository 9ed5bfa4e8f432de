import Foundation

/// The facts about the device and the app that the service keeps.
public struct DeviceValues: Hashable, Sendable, Codable {
    /// The notification permission, in the words of the service.
    public enum Permission: String, Hashable, Sendable, Codable, CaseIterable {
        /// The user was not asked.
        case notDetermined = "not_determined"
        /// The user has denied it.
        case denied
        /// Quiet delivery without a question.
        case provisional
        /// An App Clip's, for a limited time.
        case ephemeral
        /// The user has allowed it.
        case authorized
        /// Allowed, but alerts are switched off.
        case bannersOff = "banners_off"
        /// Allowed, and collected in the scheduled summary.
        case summary

        /// Creates the permission from the members of `UNNotificationSettings`.
        ///
        /// - Parameters:
        ///   - status: the number of the `authorizationStatus`.
        ///   - hasBanners: whether the `alertSetting` is not disabled.
        ///   - isScheduled: whether the `scheduledDeliverySetting` is enabled.
        public init(status: Int, hasBanners: Bool, isScheduled: Bool) {
            switch status {
            case 0: self = .notDetermined
            case 1: self = .denied
            case 2 where !hasBanners: self = .bannersOff
            case 2: self = isScheduled ? .summary : .authorized
            case 3: self = .provisional
            default: self = .ephemeral
            }
        }
    }

    /// The build's APNs environment: `development` or `production`.
    public var environment: PushEnvironment
    /// Such as `iOS 17.0`.
    public var system: String
    /// The app's `CFBundleShortVersionString`.
    public var appVersion: String?
    /// The name of the time zone.
    public var zone: String?
    /// The user's language, such as `zh-Hans-CN`.
    public var language: String?
    /// Free text for statistics.
    public var channel: String?
    /// The notification permission, once the app has reported it.
    public var permission: Permission?
    /// The device token in hexadecimal digits.
    public var token: String?
    /// The token of PushKit in hexadecimal digits.
    public var voipToken: String?
    /// Tokens of Live Activities by the activity.
    public var activityTokens: [String: String] = [:]
    /// Tokens that start Live Activities, by the attributes type.
    public var activityStartTokens: [String: String] = [:]

    /// Creates the values of an app without tokens.
    public init(environment: PushEnvironment, system: String) {
        self.environment = environment
        self.system = system
    }

    /// Reads the values of this version or another one.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        environment = try values.decode(PushEnvironment.self, forKey: .environment)
        system = try values.decode(String.self, forKey: .system)
        appVersion = try values.given(.appVersion)
        zone = try values.given(.zone)
        language = try values.given(.language)
        channel = try values.given(.channel)
        permission = try? values.given(.permission)
        token = try values.given(.token)
        voipToken = try values.given(.voipToken)
        activityTokens = try values.given(.activityTokens) ?? [:]
        activityStartTokens = try values.given(.activityStartTokens) ?? [:]
    }

    /// The number of tokens of Live Activities that the service keeps.
    static let mostActivities = 100
    /// The most bytes of a text, of a language and of a token's digits, at the service.
    private static let longest = (text: 256, language: 64, token: 512)

    private static func fits(_ text: String, _ longest: Int) -> Bool {
        text.utf8.count <= longest && !text.utf8.contains(0)
    }

    /// Whether the service takes a token under this name of an activity or an attributes type.
    static func isName(_ name: String) -> Bool { !name.isEmpty && fits(name, longest.text) }
}

extension DeviceValues {
    /// Returns the members of the call that changes the values at the service.
    ///
    /// - Parameter known: the values that the service has; nil if it has none.
    /// - Returns: the members that differ.
    func changes(from known: DeviceValues?) -> [String: Any] {
        var members: [String: Any] = [:]
        func add(_ name: String, _ value: String?, before: String?, longest: Int = Self.longest.text) {
            if let value, value != before, Self.fits(value, longest) { members[name] = value }
        }
        add("environment", environment.rawValue, before: known?.environment.rawValue)
        add("system", system, before: known?.system)
        add("app_version", appVersion, before: known?.appVersion)
        add("zone", zone, before: known?.zone)
        add("language", language, before: known?.language, longest: Self.longest.language)
        add("channel", channel, before: known?.channel)
        add("permission", permission?.rawValue, before: known?.permission?.rawValue)
        // The service drops a token of another environment.
        let isMoved = known != nil && known?.environment != environment
        add("token", token, before: isMoved ? nil : known?.token, longest: Self.longest.token)
        add("voip_token", voipToken, before: known?.voipToken, longest: Self.longest.token)
        members["activity_tokens"] = Self.entry(of: activityTokens, from: known?.activityTokens, named: "activity")
        members["activity_start_tokens"] = Self.entry(
            of: activityStartTokens,
            from: known?.activityStartTokens,
            named: "attributes_type"
        )
        return members
    }

    /// The one token that a change has, in a list; nil if it has none of them.
    private static func entry(
        of tokens: [String: String],
        from known: [String: String]?,
        named label: String
    ) -> [[String: Any]]? {
        name(differingIn: tokens, known).map { [[label: $0, "token": tokens[$0] as Any? ?? NSNull()]] }
    }

    /// The values of a registration: the tokens of Live Activities follow with the first change, as its body is small.
    var withoutActivities: DeviceValues {
        var values = self
        values.activityTokens = [:]
        values.activityStartTokens = [:]
        return values
    }

    /// The values without tokens, which follow one by one.
    var withoutTokens: DeviceValues {
        var values = withoutActivities
        values.token = nil
        values.voipToken = nil
        return values
    }

    /// A token, by the request that reports it.
    enum Token: Hashable, Sendable {
        case device(String)
        case voip(String)
        case activity(String, String?)
        case activityStart(String, String?)
    }

    /// Returns the first token that the service does not have; nil if it has all.
    func token(missingIn known: DeviceValues?) -> Token? {
        func isKnown(_ token: String?, _ before: String?) -> Bool {
            guard let token, token.utf8.count <= Self.longest.token else { return true }
            return token == before && known?.environment == environment
        }
        if let token, !isKnown(token, known?.token) { return .device(token) }
        if let voipToken, !isKnown(voipToken, known?.voipToken) { return .voip(voipToken) }
        if let name = Self.name(differingIn: activityTokens, known?.activityTokens) {
            return .activity(name, activityTokens[name])
        }
        return Self.name(differingIn: activityStartTokens, known?.activityStartTokens).map {
            .activityStart($0, activityStartTokens[$0])
        }
    }

    private static func name(differingIn tokens: [String: String], _ known: [String: String]?) -> String? {
        Set(tokens.keys).union(known?.keys ?? [:].keys).filter { name in
            tokens[name] != known?[name] && isName(name) && tokens[name]?.utf8.count ?? 0 <= longest.token
        }.min()
    }

    /// The values of the next change of one token; nil if the service has all.
    func nextToken(after known: DeviceValues) -> DeviceValues? {
        var next = known
        switch token(missingIn: known) {
        case .device(let token)?:
            next.token = token
            // One of another environment is gone.
            if known.environment != environment { next.voipToken = nil }
            next.environment = environment
        case .voip(let token)?:
            next.voipToken = token
            if known.environment != environment { next.token = nil }
            next.environment = environment
        case .activity(let name, let token)?: next.activityTokens[name] = token
        case .activityStart(let name, let token)?: next.activityStartTokens[name] = token
        case nil: return nil
        }
        return next
    }

    /// The digest by which the service names a token.
    static func digest(of token: String) -> String {
        String(
            token.lowercased().utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 },
            radix: 16
        )
    }

    /// Whether the service's digest is that of another token.
    func isToken(ofAnother digest: String?) -> Bool {
        guard let token, let digest else { return false }
        return Self.digest(of: token) != digest
    }

    /// The values of the next change: a token travels alone, so that a refused value cannot cost it.
    ///
    /// - Parameter known: the values that the service has.
    /// - Returns: these with the tokens that the service has, if anything else differs; otherwise those with one token more.
    func next(after known: DeviceValues) -> DeviceValues {
        var names = self
        names.token = known.environment == environment ? known.token : nil
        names.voipToken = known.voipToken
        names.activityTokens = known.activityTokens
        names.activityStartTokens = known.activityStartTokens
        return names == known ? nextToken(after: known) ?? self : names
    }
}
