package import PushModel

/// The conclusion of a test push that a device has asked for.
package struct Diagnosis: Sendable {
    /// The reason why the user got nothing, or that all is well.
    package enum Cause: String, Sendable, CaseIterable {
        case pushOff = "push_off"
        case noToken = "no_token"
        case tokenRefused = "token_refused"
        case tokenGone = "token_gone"
        case environment
        case credentialMissing = "credential_missing"
        case credentialExpired = "credential_expired"
        case credentialRefused = "credential_refused"
        case refused
        case permission
        case provisional
        case bannersOff = "banners_off"
        case focus
        case summary
        case foreground
        case deviceOffline = "device_offline"
        case notShown = "not_shown"
        case notReported = "not_reported"
        case waiting
        case well
    }

    package var cause: Cause
    /// False if the cause may change when more is known.
    package var isFinal: Bool
    /// The test push; nil if none was sent.
    package var message: MessageID?
    package var facts: JSONObject = [:]

    /// Returns the cause for which no push has to be sent; nil if one has to.
    static func cause(of device: RegisteredDevice) -> Cause? {
        if device.isStopped { return .pushOff }
        if device.token == nil { return .noToken }
        return device.tokenRefusal.map { Cause($0) }
    }

    /// Judges the journey of the test push.
    ///
    /// Apple's APNs reports nothing after its answer, so what the app has said of its permission decides where no device has reported.
    ///
    /// - Returns: the cause, and whether it is certain before the device had its time.
    static func cause(of events: [JourneyEvent], on device: RegisteredDevice) -> (cause: Cause, isCertain: Bool) {
        let rules = events.compactMap { event in
            if case .suppressed(let reason) = event.kind, event.station == .device { Cause(reason) } else { nil }
        }
        if let rule = rules.first(where: { $0 != .notShown }) ?? rules.first { return (rule, true) }
        switch Verdict(events).state {
        case .unknown, .waiting, .withdrawn: return (.waiting, false)
        case .paused: return (events.compactMap(\.pause).last.map { Cause($0) } ?? .waiting, true)
        case .refused: return (events.compactMap(\.refusal).last.map { Cause($0) } ?? .refused, true)
        case .suppressed: return (cause(of: device) ?? .notShown, true)
        case .sent: return (device.permission.flatMap { Cause($0) } ?? .notReported, false)
        case .stored, .coalesced, .expired: return (.deviceOffline, false)
        case .delivered: return (device.permission.flatMap { Cause($0) } ?? .well, false)
        case .crashed, .handled: return (.notShown, true)
        case .shown where events.contains { $0.kind == .presented(.banner) || $0.kind == .presented(.lockScreen) }:
            return (.well, true)
        // In the list alone; the rule that has kept the banner back may be reported later.
        case .shown: return (device.permission.flatMap { Cause($0) } ?? .well, false)
        case .dismissed, .opened: return (.well, true)
        }
    }
}

extension JourneyEvent {
    fileprivate var pause: PauseReason? { if case .paused(let reason) = kind { reason } else { nil } }
    fileprivate var refusal: APNSReason? { if case .refused(let reason) = kind { reason } else { nil } }
}

extension Diagnosis.Cause {
    /// Whether more may become known later.
    var isOpen: Bool { self == .waiting || self == .notReported || self == .deviceOffline }

    fileprivate init(_ reason: APNSReason) {
        self =
            switch reason {
            // APNs says no more of a token of the other environment.
            case .badDeviceToken: .environment
            case .deviceTokenNotForTopic: .tokenRefused
            case _ where reason.isTokenGone: .tokenGone
            default: .refused
            }
    }

    fileprivate init(_ reason: PauseReason) {
        self =
            switch reason {
            case .noCredential: .credentialMissing
            case .certificateExpired: .credentialExpired
            case .credentialRefused, .credentialScope: .credentialRefused
            }
    }

    fileprivate init?(_ permission: NotificationPermission) {
        switch permission {
        case .denied, .notDetermined: self = .permission
        case .provisional: self = .provisional
        case .bannersOff: self = .bannersOff
        case .summary: self = .summary
        case .authorized, .ephemeral: return nil
        }
    }

    /// Creates the cause of a rule; nil for one that leaves the notification visible.
    fileprivate init?(_ reason: SuppressionReason) {
        guard reason.effect != .reduced else { return nil }
        self = Self.causes[reason] ?? .notShown
    }

    /// The causes of reasons about which the user or the developer can do something.
    private static let causes: [SuppressionReason: Self] = [
        .permissionDenied: .permission, .permissionNotDetermined: .permission, .provisional: .provisional,
        .bannersOff: .bannersOff, .focus: .focus, .focusFilter: .focus, .scheduledSummary: .summary,
        .foreground: .foreground, .foregroundLegacy: .foreground,
    ]
}

extension Diagnosis.Cause {
    /// The sentence for the user.
    package func sentence(in language: Language) -> String {
        Words.diagnosis["\(rawValue)_\(language.rawValue)"] ?? ""
    }

    /// The advice for the developer, in English.
    package var advice: String { Words.diagnosis["\(rawValue)_advice"] ?? "" }
}

extension Language {
    /// The text of the test push.
    var testPush: (title: String, body: String) {
        switch self {
        case .english: ("Test notification", "Notifications from this app arrive on this device.")
        case .simplifiedChinese: ("测试通知", "本 App 的通知可以送达这台设备。")
        }
    }
}
