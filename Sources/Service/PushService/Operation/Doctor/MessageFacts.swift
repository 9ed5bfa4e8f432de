import PushModel

/// The facts about a push that `posthorn doctor` judges.
struct MessageFacts {
    var message: MessageID
    /// Nil if the app has no such push.
    var counts: MessageCounts?
    /// The reason why there is none.
    var absence: Remark?
    /// The journey to the device that is examined too; nil if there is none.
    var journey: Journey?
    /// Whether a device is examined too.
    var hasDevice: Bool
    /// The push as it was accepted; nil if it is not stored, or cannot be read.
    var payload: PayloadFacts?

    func findings() -> [Finding] {
        guard let counts else {
            return [Finding(of: "message", .wrong, [absence ?? Remark(.messageUnknown, ["message": message])])]
        }
        return [sent(counts)] + [payload?.finding].compactMap(\.self) + (hasDevice ? [delivery] : [])
    }

    private func sent(_ counts: MessageCounts) -> Finding {
        let custom = counts.custom.target + counts.inApp.target
        guard counts.target > 0 || custom > 0 else { return Finding(of: "message", .wrong, .messageForNobody) }
        var remarks = [Remark(.messageSent, ["sent": counts.sent, "target": counts.target])]
        if custom > 0 {
            let received = counts.custom.received + counts.inApp.received
            remarks.append(Remark(.customArrived, ["received": received, "target": custom]))
        }
        guard counts.sent < counts.target else { return Finding(of: "message", .ok, remarks) }
        return Finding(of: "message", .warning, remarks + [Remark(.messagePartly)])
    }

    private var delivery: Finding {
        guard let journey else { return Finding(of: "journey", .wrong, .journeyOfAnother) }
        let verdict = journey.verdict
        let state: Finding.State =
            switch verdict.state {
            case .delivered, .handled, .shown, .dismissed, .opened, .sent: .ok
            case .waiting, .paused, .stored, .unknown: .warning
            case .suppressed, .withdrawn, .refused, .coalesced, .expired, .crashed: .wrong
            }
        let decisive = journey.events.last { $0.kind.name == verdict.state.rawValue }
        let values: [String: any CustomStringConvertible] = [
            "sentence": "\(verdict.sentence.prefix(1).uppercased())\(verdict.sentence.dropFirst())",
            "state": verdict.state.rawValue, "reason": decisive?.kind.reason ?? "",
            "message": message, "id": journey.registrationID,
        ]
        return Finding(of: "journey", state, state == .ok ? .journeyRight : .journeyOther, with: values)
    }
}

/// The content of an accepted push, as far as it decides what a phone shows and whether the app wakes: its remarks explain why
/// less happens than its sender may expect.
///
/// Source: JPush, "iOS SDK debugging guide".
struct PayloadFacts {
    var request: PushRequest
    var environment: APNSEnvironment
    var timeToLive: Int64
    /// The environment of the examined device's build; nil without a device.
    var build: APNSEnvironment?
    /// Whether the examined device is known to be offline.
    var isOffline = false

    /// Reads a stored push; nil if its body cannot be read.
    init?(_ message: Message, to device: (device: RegisteredDevice, presence: Presence)?) {
        guard let request = try? PushRequest(parsing: message.body, file: .allowed) else { return nil }
        self.request = request
        environment = message.environment
        timeToLive = message.timeToLive
        build = device?.device.environment
        if case .offline? = device?.presence { isOffline = true }
    }

    var finding: Finding {
        let notes = [otherBuild, customOnly, appearance, sound, statistics, lifetime].compactMap(\.self)
        guard notes.isEmpty else { return Finding(of: "payload", .warning, notes) }
        let wakes = request.notification.isContentAvailable
        return Finding(of: "payload", .ok, [Remark(.payloadFull)] + (wakes ? [] : [Remark(.payloadDoesNotWake)]))
    }

    private var otherBuild: Remark? {
        guard let build, build != environment else { return nil }
        let values: [String: any CustomStringConvertible] = [
            "environment": environment.rawValue, "other": build.rawValue, "production": build == .production,
        ]
        return Remark(.payloadOtherBuild, values)
    }

    private var customOnly: Remark? { request.isForAPNs ? nil : Remark(.payloadCustomOnly) }

    private var appearance: Remark? {
        let notification = request.notification
        guard request.hasNotification, notification.alert == nil else { return nil }
        guard notification.isContentAvailable else { return Remark(.payloadWithoutAlert) }
        return Remark(notification.isSilent ? .payloadSilent : .payloadWakesUnseen)
    }

    private var sound: Remark? {
        guard request.notification.alert != nil else { return nil }
        guard let sound = request.notification.sound else { return Remark(.payloadMute) }
        guard let name = sound.string, !name.isEmpty, name != "default", !name.contains(".") else { return nil }
        return Remark(.payloadSoundWithoutExtension, ["sound": name])
    }

    private var statistics: Remark? {
        guard request.notification.alert != nil, !request.notification.isContentMutable else { return nil }
        return Remark(.payloadNotMutable)
    }

    private var lifetime: Remark? { timeToLive == 0 && isOffline ? Remark(.payloadNotKept) : nil }
}
