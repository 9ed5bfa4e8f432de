import DeviceLink
import PushModel
import SystemPort

// Credentials of PushKit: a token for each type, for the topic with the suffix of the type.
//
// Source: Apple, `PKPushRegistry`: an app registers at each launch, and receives its credentials each time. Apple's "Responding to
// VoIP Notifications from PushKit": the app needs the background mode "Voice over IP"; without it a phone issues no credentials.

extension DeviceState {
    mutating func call(_ call: PushKitCall, from process: Int, _ bundleID: String) -> SystemReply {
        switch call {
        case .desire(let types):
            if apps[bundleID]?.process == process { desire(types, of: bundleID) }
            return .done
        case .token(let type): return .pushToken(apps[bundleID]?.voIP.tokens[type])
        case .deliver(let payload): return deliver(payload, ofExtension: process, bundleID)
        }
    }

    private mutating func desire(_ types: Set<PushKitType>, of bundleID: String) {
        guard let record = apps[bundleID], let before = apps[bundleID]?.voIP.desire(types) else { return }
        for type in PushKitType.allCases where record.voIP.registered.contains(type) && !types.contains(type) {
            giveUp(type, of: bundleID)
            send(.pushKit(.invalidated(type)), to: bundleID)
        }
        for type in PushKitType.allCases where types.contains(type) && !before.contains(type) { register(type, record) }
    }

    private mutating func register(_ type: PushKitType, _ record: AppRecord) {
        let bundleID = record.app.bundleID
        if let problem = reasonForNoCredentials(type, record) { return warn(problem, app: bundleID) }
        apps[bundleID]?.voIP.registered.insert(type)
        if let token = record.voIP.tokens[type] {
            send(.pushKit(.updated(type, token)), to: bundleID)
        } else {
            registerTopic(type.pushType.topic(of: bundleID), of: record.app)
        }
    }

    /// Returns why an app gets no credentials; nil if it gets them.
    private func reasonForNoCredentials(_ type: PushKitType, _ record: AppRecord) -> String? {
        if !profile.hasPushKit { return "PKPushRegistry gets no credentials: PushKit appeared in iOS 8." }
        if !record.app.hasPushEntitlement {
            return "PKPushRegistry gets no credentials: the app has no aps-environment entitlement."
        }
        if type == .voIP, !record.app.answersCalls {
            return """
                PKPushRegistry gets no credentials for .voIP: UIBackgroundModes in the Info.plist does not contain "voip".
                """
        }
        return nil
    }

    /// Gives up the token of a type.
    private mutating func giveUp(_ type: PushKitType, of bundleID: String) {
        guard let record = apps[bundleID] else { return }
        unregisterTopic(type.pushType.topic(of: bundleID), of: record.app)
        apps[bundleID]?.voIP.unregister(type)
    }

    /// Gives up the tokens of all types, for an app that is removed or changes its environment.
    mutating func giveUpPushKitTokens(of bundleID: String) {
        for type in PushKitType.allCases where apps[bundleID]?.voIP.registered.contains(type) == true {
            giveUp(type, of: bundleID)
        }
    }

    /// Handles a token from the courier for a topic of PushKit.
    ///
    /// - Returns: false for another topic.
    mutating func receivedPushKitToken(_ token: DeviceToken, topic: String, environment: APNSEnvironment) -> Bool {
        for type in PushKitType.allCases {
            guard let bundleID = type.pushType.bundleID(of: topic), let record = apps[bundleID],
                record.voIP.registered.contains(type)
            else { continue }
            guard record.app.environment == environment, record.voIP.tokens[type] != token else { return true }
            apps[bundleID]?.voIP.tokens[type] = token
            emitChange("PushKit token for \(topic): \(token.abbreviation)…", app: bundleID)
            if record.voIP.desired.contains(type) { send(.pushKit(.updated(type, token)), to: bundleID) }
            return true
        }
        return false
    }
}

extension InstalledApp {
    /// Whether `UIBackgroundModes` has `voip`, without which an app gets no VoIP pushes and may not report calls.
    public var answersCalls: Bool { hasBackgroundMode("voip") }
}

extension SystemProfile {
    /// Whether there is PushKit (iOS 8 and later).
    var hasPushKit: Bool { major >= 8 }
    /// Whether there is CallKit (iOS 10 and later).
    var hasCallKit: Bool { major >= 10 }
    /// Whether an app must report a call for each VoIP push. Source: Apple,
    /// `pushRegistry(_:didReceiveIncomingPushWith:for:completion:)`: on iOS 13 and later the system terminates one that does not.
    var wantsCallForEachPush: Bool { major >= 13 }
    /// Whether no report is due for a push that the network has delayed. Source: Apple, `PKVoIPPushMetadata`. That it holds for an app
    /// without the method of iOS 26.4 too is our decision.
    var excusesDelayedPushes: Bool { isAtLeast(26, 4) }
}
