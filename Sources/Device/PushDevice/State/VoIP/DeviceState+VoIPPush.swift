import DeviceLink
import Foundation
import PushModel
import SystemPort

// VoIP pushes.
//
// Sources: Apple, `PKPushRegistry` and "Voice Over IP (VoIP) Best Practices": PushKit wakes the app, and launches it if it does not
// run. Apple documents no exception for an app that the user swiped away, and phones launch it too; only a restart of the device
// before its first unlock differs (developer.apple.com/forums/thread/784473). Apple,
// `pushRegistry(_:didReceiveIncomingPushWith:for:completion:)`: "On iOS 13.0 and later, if you fail to report a call to CallKit, the
// system will terminate your app. Repeatedly failing to report calls may cause the system to stop delivering any more VoIP push
// notifications to your app." The texts of a phone: developer.apple.com/forums/thread/801446 (the exception, and "failed to post
// an incoming call in time") and react-native-voip-push-notification#102 ("will not be launched because it failed to report an
// incoming call too many times", until it is installed again). When a phone looks for a report, and that the completion handler plays
// no role: developer.apple.com/forums/thread/817976. When no report is due: Apple, `PKVoIPPushMetadata` and the method with it;
// developer.apple.com/forums/thread/816211.

extension DeviceState {
    /// The time after which the system looks for a report once more, whether the app's method has returned or not.
    static let callReportTime = Duration.seconds(7)
    /// The time after a connection in which a push that was stored counts as delayed by the network. Apple says nothing: our decision.
    static let delayedTime: TimeInterval = 1
    /// The number of pushes in a row without a call after which an app is not launched for VoIP pushes any more. Apple documents
    /// none: our decision.
    static let unreportedCallLimit = 3
    /// The exception with which an app ends that reports no call.
    static let unreportedCall = """
        Killing app because it never posted an incoming call to the system after receiving a PushKit VoIP push.
        """

    /// The same 7 seconds after the delivery.
    static let lateCall = """
        the system ended it (0xbaadca11), because it failed to post an incoming call in time: within 7 seconds after the VoIP push
        """

    mutating func receiveVoIP(_ push: CourierPush, for record: AppRecord) {
        let subject = push.subject
        guard let payload = (try? JSONValue(parsing: push.payload))?.object else {
            return suppress(subject, .badPayload)
        }
        let bundleID = record.app.bundleID
        emit(.pushArrived(apnsID: push.apnsID), app: bundleID)
        guard record.app.answersCalls else { return suppress(subject, .noVoIPMode) }
        let isStorable = push.expiration.map { $0 != .oneAttempt } ?? false
        let isDelayed = isStorable && reconnected.map { date.timeIntervalSince($0) <= Self.delayedTime } ?? false
        deliverVoIP(payload, to: bundleID, for: subject, isDelayed: isDelayed)
    }

    /// Returns why an app need not report a call for a push that it gets now; nil if it must.
    private func excuse(_ record: AppRecord, isDelayed: Bool) -> SuppressionReason? {
        if !profile.wantsCallForEachPush { return .noCall }
        if record.condition == .active { return .reportNotDueInFront }
        if !phoneCalls.of(record.app.bundleID).isEmpty { return .reportNotDueOnCall }
        return isDelayed && profile.excusesDelayedPushes ? .reportNotDueDelayed : nil
    }

    /// Delivers a payload to the app's `PKPushRegistry`, and starts the app for it.
    private mutating func deliverVoIP(
        _ payload: JSONObject,
        to bundleID: String,
        for subject: JourneySubject,
        isDelayed: Bool = false
    ) {
        guard let record = apps[bundleID] else { return }
        let excuse = excuse(record, isDelayed: isDelayed)
        if record.process == nil {
            guard record.voIP.failures < Self.unreportedCallLimit else {
                return suppress(subject, .callsNotReported)
            }
            guard launchInBackground(bundleID, for: subject) else { return }
        } else if record.condition != .active {
            report(.woken(.background), of: subject)
        }
        apps[bundleID]?.voIP.unreported.append(UnreportedPush(subject: subject, excuse: excuse))
        send(.pushKit(.push(.voIP, payload, mustReport: excuse == nil)), to: bundleID, as: .call, for: subject)
    }

    /// Handles the payload that a service extension passes on.
    ///
    /// Source: Apple, `reportNewIncomingVoIPPushPayload(_:completion:)` (iOS 14.5): for service extensions with the entitlement
    /// `com.apple.developer.usernotifications.filtering`.
    mutating func deliver(_ payload: JSONObject, ofExtension process: Int, _ bundleID: String) -> SystemReply {
        guard apps[bundleID]?.process != process else { return CallKitError.serviceExtension(.invalidClientProcess) }
        guard apps[bundleID]?.app.entitlements.contains(.filtering) == true else {
            return CallKitError.serviceExtension(.missingNotificationFilteringEntitlement)
        }
        guard let subject = events.of(process).lazy.compactMap(\.waiting.subject).first else {
            return CallKitError.serviceExtension(.invalidClientProcess)
        }
        deliverVoIP(payload, to: bundleID, for: subject)
        return .done
    }

    /// Handles an app's answer to a VoIP push: its completion handler was called, or it has no method for the push.
    mutating func answeredVoIP(_ waiting: Outstanding, _ reply: EventReply) {
        guard let push = unreported(waiting) else { return }
        let reason = reply == .notImplemented ? .noPushRegistry : push.excuse
        if let reason { conclude(push, of: waiting.bundleID, for: reason) }
    }

    /// Looks for a report when the delegate's method has returned.
    mutating func methodReturned(_ waiting: Outstanding) {
        guard let push = unreported(waiting), push.excuse == nil else { return }
        phoneCalls.unreported = [waiting.process: push.subject]
        end(waiting.bundleID, without: push, for: Self.unreportedCall)
    }

    /// Looks for a report when the time for it is over.
    mutating func callTimeOver(_ waiting: Outstanding) {
        guard let push = unreported(waiting) else { return }
        if let excuse = push.excuse { return conclude(push, of: waiting.bundleID, for: excuse) }
        end(waiting.bundleID, without: push, for: Self.lateCall)
    }

    mutating func diedBeforeReport(_ waiting: Outstanding) {
        guard let push = unreported(waiting) else { return }
        apps[waiting.bundleID]?.voIP.finish(push.subject)
        report(.crashed("the process ended before it reported a call"), of: push.subject)
    }

    private func unreported(_ waiting: Outstanding) -> UnreportedPush? {
        waiting.subject.flatMap { apps[waiting.bundleID]?.voIP.unreported($0) }
    }

    private mutating func conclude(_ push: UnreportedPush, of bundleID: String, for reason: SuppressionReason) {
        apps[bundleID]?.voIP.finish(push.subject)
        suppress(push.subject, reason)
    }

    /// Ends an app that has not reported a call for a push.
    private mutating func end(_ bundleID: String, without push: UnreportedPush, for reason: String) {
        apps[bundleID]?.voIP.finish(push.subject)
        apps[bundleID]?.voIP.failures += 1
        report(.crashed(reason), of: push.subject)
        emit(.processEnded(reason: reason), app: bundleID)
        end(bundleID, .notRunning)
    }
}
