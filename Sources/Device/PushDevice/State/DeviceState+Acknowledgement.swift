import DeviceLink
import PushModel

// A push that a service extension may change is acknowledged when it has been presented, changed or as it came. If the device ends
// before, the push comes again, and is shown once. Apple does not document when a phone acknowledges: our decision, since the device
// keeps no push on disk.

extension DeviceState {
    /// Handles a frame of the courier.
    mutating func received(_ frame: CourierFrame) -> [CourierClient.Action] {
        guard case .push(let push) = frame else { return courier.received(frame) }
        let mayExtend = apps[push.topic]?.hasServiceExtension == true && RemotePayload(push.payload)?.isMutable == true
        return courier.received(frame, acknowledgesLater: mayExtend)
    }

    /// Whether a service extension works on the push.
    func isExtending(_ apnsID: String) -> Bool {
        events.all.contains { waiting in
            if case .extend(let shown, _) = waiting.purpose { shown.apnsID == apnsID } else { false }
        }
    }
}
