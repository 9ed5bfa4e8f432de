import Foundation
import PushModel

/// The content of an accepted push, as far as it decides what a phone shows and whether the app wakes.
///
/// Source: JPush, "iOS SDK debugging guide".
struct PayloadFacts {
    /// A property of the push that explains why less happens than its sender may expect.
    private struct Note {
        var found: String
        var remedy: String
    }

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
        guard !notes.isEmpty else {
            let wakes = request.notification.isContentAvailable ? "" : " It does not wake the app in the background."
            return Finding(of: "payload", .ok, "The push has an alert, a sound and mutable-content.\(wakes)")
        }
        return Finding(
            of: "payload",
            .warning,
            notes.map(\.found).joined(separator: " "),
            remedy: notes.map(\.remedy).joined(separator: " ")
        )
    }

    private var otherBuild: Note? {
        guard let build, build != environment else { return nil }
        return Note(
            found: "It went to \(environment), and the device has a \(build) build.",
            remedy: "Send it with apns_production: \(build == .production)."
        )
    }

    private var customOnly: Note? {
        guard !request.isForAPNs else { return nil }
        return Note(
            found: "It has no notification: the phone shows nothing, and only a connected app gets the message.",
            remedy: "Add a notification if the user is to see something."
        )
    }

    private var appearance: Note? {
        let notification = request.notification
        guard request.hasNotification, notification.alert == nil else { return nil }
        guard notification.isContentAvailable else {
            return Note(
                found: "It has no alert: the phone shows no banner.",
                remedy: "Set notification.ios.alert, or content-available to wake the app instead."
            )
        }
        guard notification.isSilent else {
            return Note(
                found: "It has content-available and no alert: the phone shows no banner.",
                remedy: "Set notification.ios.alert if the user is to see something."
            )
        }
        return Note(
            found:
                "It is silent (content-available without alert): it wakes the app only in the background, not after the user has "
                + "force-quit it, and with priority 5, which iOS may delay or drop.",
            remedy:
                "Set notification.ios.alert if the user must see it. The app needs the background mode remote-notification."
        )
    }

    private var sound: Note? {
        guard request.notification.alert != nil else { return nil }
        guard let sound = request.notification.sound else {
            return Note(found: "It has no sound.", remedy: "Set notification.ios.sound, such as 'default'.")
        }
        guard let name = sound.string, !name.isEmpty, name != "default", !name.contains(".") else { return nil }
        return Note(
            found: "The sound '\(name)' has no extension, so iOS may not find the file and plays the default.",
            remedy: "Name the file in the app's bundle with its extension, such as '\(name).caf'."
        )
    }

    private var statistics: Note? {
        guard request.notification.alert != nil, !request.notification.isContentMutable else { return nil }
        return Note(
            found: "It has no mutable-content: no service extension runs, so there are no delivery statistics from it.",
            remedy: "Set notification.ios.mutable-content to true."
        )
    }

    private var lifetime: Note? {
        guard timeToLive == 0, isOffline else { return nil }
        return Note(
            found: "Its time_to_live is 0, and the device is offline: neither APNs nor the service keeps it.",
            remedy: "Leave time_to_live out, or set the seconds for which the push is of use."
        )
    }
}
