import DeviceLink
public import PushDevice
public import PushModel
import Synchronization

extension TestPhone {
    /// Sends a push to an app of this phone, with the headers that a provider sends to APNs.
    ///
    /// The push is not checked as APNs checks it: a type, a priority or a topic that APNs refuses reaches the phone, which
    /// judges it.
    ///
    /// - Parameters:
    ///   - payload: the payload, such as `["aps": ["alert": "Hello"]]`.
    ///   - app: the app that receives the push.
    ///   - collapseID: the collapse id; a later push with the same id replaces this one.
    ///   - type: the push type; nil for the one that the payload needs: `background` if it has `content-available` and neither
    ///     alert, sound nor badge, otherwise `alert`.
    ///   - priority: 10, 5 or 1; nil for 5 with the type `background`, otherwise 10.
    ///   - expiration: the time after which the phone does not deliver the push, if it holds it; nil for none.
    ///   - topic: the topic; nil for the app's bundle id with the suffix of the type.
    /// - Returns: the apns-id, which identifies the journey.
    @discardableResult
    public func push(
        _ payload: JSONValue,
        to app: InstalledApp,
        collapseID: String? = nil,
        type: APNSPushType? = nil,
        priority: APNSPriority? = nil,
        expiration: APNSExpiration? = nil,
        topic: String? = nil
    ) async -> String {
        let type = type ?? (payload.isSilentPush ? .background : .alert)
        let push = CourierPush(
            apnsID: nextID(),
            topic: topic ?? type.topic(of: app.bundleID),
            environment: app.environment,
            pushType: type,
            priority: (priority ?? (type == .background ? .consideringPower : .immediately)).rawValue,
            collapseID: collapseID,
            payload: payload.bytes,
            expiration: expiration
        )
        await deliver(push)
        return push.apnsID
    }

    /// Returns the apns-id of the next push.
    func nextID() -> String {
        let number = pushes.withLock { number in
            number += 1
            return number
        }
        let digits = String(number, radix: 16)
        return "00000000-0000-4000-8000-\(String(repeating: "0", count: 12 - digits.count))\(digits)"
    }

    /// Sends a push, and returns when the phone has it and the app has processed the resulting events; without a connection at once.
    func deliver(_ push: CourierPush) async {
        // Requests of an app in a separate process are handled on other threads, one of which may deliver the push.
        let deviceEvents = device.deviceEvents()
        courier.send(push, to: device.id)
        if device.isConnected { await arrival(of: push.apnsID, in: deviceEvents) }
        await device.settled()
    }

    /// Returns when the journey of a push has begun, it has arrived, or the connection has ended.
    private func arrival(of apnsID: String, in deviceEvents: AsyncStream<DeviceEvent>) async {
        await withTaskGroup { [journeys] group in
            group.addTask { _ = await journeys.first(of: apnsID) { _ in true } }
            group.addTask {
                for await deviceEvent in deviceEvents {
                    switch deviceEvent.kind {
                    case .pushArrived(apnsID), .disconnected: return
                    default: continue
                    }
                }
            }
            await group.next()
            group.cancelAll()
        }
    }
}

extension JSONValue {
    /// Whether it is the payload of a background push: content-available, and nothing for the user.
    package var isSilentPush: Bool {
        let aps = object?["aps"]?.object ?? [:]
        return aps["content-available"]?.isOn == true && aps["alert"] == nil && aps["sound"] == nil
            && aps["badge"] == nil
    }
}
