import PushModel

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
        (self.request, environment, timeToLive) = (request, message.environment, message.timeToLive)
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
