import DeviceLink
import Foundation
import PushModel

// What the headers of a push, as APNs passes them on, mean for the device.
//
// Sources: Apple, "Sending notification requests to APNs", of apns-push-type: it must reflect the payload, or the push may be
// dropped, and systems before iOS 13 ignore it. Apple, WWDC 2019, session 707 "Advances in App Background Execution": a
// background push needs priority 5, or the app is not launched. Measured on devices: developer.apple.com/forums/thread/745345
// (an alert of type background is not shown, and its content-available wakes the app; without content-available nothing
// happens), codedge-llc/pigeon#155 (a silent push of type alert reaches iOS 12 and not iOS 13). Without the header a silent push
// still wakes the app of iOS 13 if its priority is 5: noodlewerk/NWPusher#74, and push-relay #32.

extension DeviceState {
    /// Whether the type of a push lets it show something.
    func mayShow(_ push: CourierPush) -> Bool { !profile.judgesPushTypes || push.pushType != .background }

    /// Returns why type and priority do not let a push wake an app that is not in the foreground; nil if they do.
    func reasonNotToWake(for payload: RemotePayload, of push: CourierPush) -> SuppressionReason? {
        guard profile.judgesPushTypes else { return nil }
        let isSilent = !payload.isForUser
        if push.pushType == .background || push.pushType == nil && isSilent {
            return push.priority == APNSPriority.immediately.rawValue ? .backgroundPriority : nil
        }
        return isSilent ? .silentAlertType : nil
    }
}

extension CourierPush {
    var subject: JourneySubject { .push(apnsID: apnsID) }

    /// Whether pushes of its type go to the app itself; those of every other type go to another part of the system.
    ///
    /// Source: Apple, "Sending notification requests to APNs", of each value of apns-push-type.
    var goesToApp: Bool { [nil, .alert, .background].contains(pushType) }

    /// Returns why nothing on the device takes a push of its type; nil for the app's own types, for `voip`, `liveactivity` and `widgets`, and
    /// for a type that came with a later iOS.
    ///
    /// An app's Info.plist does not name its extensions, so an app with a File Provider, location push or WidgetKit extension has
    /// the same result: the device runs service and content extensions only. Sources: Apple, "Sending notification requests to
    /// APNs", "Creating a location push service extension", "Using push notifications to signal changes" (File Provider),
    /// `PTChannelManager`, "Updating widgets with WidgetKit push notifications", "Updating controls locally and remotely",
    /// "Receiving iOS notifications on an accessory", "Publishing remote media sessions", "Setting up push notifications for your
    /// MDM customers".
    func reasonNotTaken(on profile: SystemProfile) -> SuppressionReason? {
        switch pushType {
        case .complication: .noWatch
        case .fileprovider: .noFileProvider
        case .location: .noLocationPushExtension
        case .pushtotalk: .noPushToTalk
        case .controls: .noControls
        case .accessory where profile.isAtLeast(26, 5): .noAccessory
        case .nowplaying where profile.isAtLeast(27, 0): .noNowPlaying
        case .mdm: .notEnrolled
        default: nil
        }
    }

    /// The bundle id of the app that it is for: the topic without the suffix of its type.
    var bundleID: String {
        let topic = CourierTopic(text: topic).topic
        return pushType?.bundleID(of: topic) ?? topic
    }
}

/// A push that wakes its app.
struct SilentPush: Sendable {
    var apnsID: String
    var payload: JSONObject
    var expiration: APNSExpiration?

    init(_ push: CourierPush, payload: JSONObject) {
        apnsID = push.apnsID
        self.payload = payload
        expiration = push.expiration
    }

    var subject: JourneySubject { .push(apnsID: apnsID) }

    /// Whether a push that the device held must not be delivered any more.
    func hasExpired(at date: Date) -> Bool {
        expiration?.hasPassed(at: date) ?? false
    }
}
