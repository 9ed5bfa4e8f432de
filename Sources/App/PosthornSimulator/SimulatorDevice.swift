package import DeviceLink
import Dispatch
package import PushClock
package import PushModel
import Synchronization

/// A device of the gateway whose pushes go to the apps of one of Xcode's Simulators.
package struct SimulatorDevice: Sendable {
    private let courier: LinkedCourier

    /// - Parameters:
    ///   - client: the device, without topics.
    ///   - apps: the bundle ids of the apps. The topics of other types of pushes to them are registered too, so that their pushes are
    ///     refused with a reason.
    ///   - environment: the environment of the apps' tokens.
    ///   - url: the address of the gateway's courier link.
    ///   - dialer: opens the links.
    ///   - clock: the dates of events.
    ///   - push: hands a payload to an app, and returns the reason why that failed; called one at a time.
    ///   - tell: receives each event, one at a time.
    ///   - refused: receives the reason if the gateway refuses the device for good.
    package init(
        _ client: CourierClient,
        apps: [String],
        environment: APNSEnvironment,
        url: String,
        dialer: any LinkDialer,
        clock: any CivilClock,
        push: @escaping @Sendable (_ payload: [UInt8], _ bundleID: String) -> String?,
        tell: @escaping @Sendable (JSONMembers) -> Void,
        refused: @escaping @Sendable (String) -> Void
    ) {
        // The gateway has at most a thousand pushes of a token in flight, so no more wait here.
        let queue = DispatchQueue(label: "posthorn.simulator")
        let obstacle = Mutex<String?>(nil)
        courier = LinkedCourier(
            client,
            url: url,
            dialer: dialer,
            random: SplitMix(seed: .random(in: .min ... .max)),
            acknowledgesLater: true,
            failed: { reason, isRefusal in
                if isRefusal { return refused(reason) }
                // Not each attempt, which would fill the output.
                if obstacle.withLock({ exchange(&$0, with: reason) }) != reason {
                    queue.async { tell(["event": "disconnected", "reason": reason]) }
                }
            }
        ) { courier, action in
            switch action {
            case .wait(let delay):
                queue.asyncAfter(deadline: .now() + delay / .seconds(1)) { courier.change { $0.waited() } }
            case .connected: queue.async { tell(["event": "connected"]) }
            case .disconnected(let reason): queue.async { tell(["event": "disconnected", "reason": reason]) }
            case .token(let topic, _, let token) where apps.contains(topic):
                queue.async { tell(["event": "registered", "app": topic, "token": token.hexadecimal]) }
            case .deliver(let received):
                queue.async { Self.hand(received, of: courier, at: clock, push: push, tell: tell) }
            case .open, .close, .send, .token, .channelEnded: break
            }
        }
        for topic in apps.flatMap({ app in ([""] + APNSPushType.suffixes).map { app + $0 } }) {
            courier.change { $0.register(topic: topic, environment: environment) }
        }
    }

    /// Opens the link, and keeps it open.
    package func connect() { courier.change { $0.start() } }

    /// Closes the link.
    package func disconnect() { courier.change { $0.stop() } }

    /// Hands a push to its app, reports what the Simulator cannot do, and acknowledges the push.
    private static func hand(
        _ received: CourierPush,
        of courier: LinkedCourier,
        at clock: any CivilClock,
        push: (_ payload: [UInt8], _ bundleID: String) -> String?,
        tell: (JSONMembers) -> Void
    ) {
        var event: JSONMembers = ["event": "pushed", "app": received.topic, "apnsID": received.apnsID]
        var problem: SuppressionReason?
        switch SimulatorPush(received, at: clock.date) {
        case .refused(let reason): problem = reason
        case .handed(let bundleID, let losesHeaders):
            if losesHeaders { problem = .simulatorHeaders }
            if let words = push(received.payload, bundleID) {
                problem = .simulatorFailed
                event["detail"] = words
            }
        }
        if let problem {
            event["reason"] = problem.rawValue
            if problem != .simulatorHeaders { event["event"] = "refused" }
            let report = JourneyEvent(date: clock.date, station: .device, kind: .suppressed(problem))
            courier.change { $0.report(report, of: received.apnsID) }
        }
        courier.change { $0.acknowledge(received.apnsID) }
        tell(event)
    }
}
