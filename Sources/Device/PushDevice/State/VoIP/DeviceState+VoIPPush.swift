import DeviceLink
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
// incoming call too many times", until it is installed again).

extension DeviceState {
    /// The time in which an app must report a call, if it does not finish with the push before. Apple documents none: our decision.
    static let callReportTime = Duration.seconds(10)
    /// The number of pushes in a row without a call after which an app is not launched for VoIP pushes any more. Apple documents
    /// none: our decision.
    static let unreportedCallLimit = 3
    /// The exception with which an app ends that reports no call.
    static let unreportedCall = """
        Killing app because it never posted an incoming call to the system after receiving a PushKit VoIP push.
        """

    mutating func receiveVoIP(_ push: CourierPush, for record: AppRecord) {
        let subject = push.subject
        guard let payload = (try? JSONValue(parsing: push.payload))?.object else {
            return suppress(subject, .badPayload)
        }
        let bundleID = record.app.bundleID
        emit(.pushArrived(apnsID: push.apnsID), app: bundleID)
        guard record.app.answersCalls else { return suppress(subject, .noVoIPMode) }
        deliverVoIP(payload, to: bundleID, for: subject)
    }

    /// Delivers a payload to the app's `PKPushRegistry`, and starts the app for it.
    private mutating func deliverVoIP(_ payload: JSONObject, to bundleID: String, for subject: JourneySubject) {
        guard let record = apps[bundleID] else { return }
        if record.process == nil {
            guard record.voIP.failures < Self.unreportedCallLimit else {
                return suppress(subject, .callsNotReported)
            }
            guard launchInBackground(bundleID, for: subject) else { return }
        } else if record.condition != .active {
            report(.woken(.background), of: subject)
        }
        apps[bundleID]?.voIP.receive(subject)
        let event = SystemEvent.Kind.pushKit(.push(.voIP, payload))
        send(event, to: bundleID, as: .call, for: subject)
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

    /// Handles an app's answer to a VoIP push.
    mutating func answeredVoIP(_ waiting: Outstanding, _ reply: EventReply) {
        guard let subject = waiting.subject else { return }
        guard reply == .notImplemented else { return finishedVoIP(waiting) }
        _ = apps[waiting.bundleID]?.voIP.finish(subject)
        suppress(subject, .noPushRegistry)
    }

    /// Handles the end of an app's work on a VoIP push, by its completion handler or because its time has expired.
    mutating func finishedVoIP(_ waiting: Outstanding, died: Bool = false) {
        let bundleID = waiting.bundleID
        guard let subject = waiting.subject, apps[bundleID]?.voIP.finish(subject) == true else { return }
        if died { return report(.crashed("the process ended before it reported a call"), of: subject) }
        guard profile.wantsCallForEachPush else { return suppress(subject, .noCall) }
        apps[bundleID]?.voIP.countFailure()
        report(.crashed(Self.unreportedCall), of: subject)
        emit(.processEnded(reason: Self.unreportedCall), app: bundleID)
        end(bundleID, .notRunning)
    }
}
