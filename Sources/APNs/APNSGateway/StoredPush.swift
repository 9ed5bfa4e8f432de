package import DeviceLink
package import PushModel

/// A push in a mailbox.
package struct StoredPush: Hashable, Sendable {
    package var id: PushID
    package var topic: String
    package var pushType: APNSPushType
    /// 10, 5 or 1.
    package var priority: Int
    package var collapseID: String?
    /// As the provider sent it, byte for byte.
    package var payload: [UInt8]

    package init(
        id: PushID,
        topic: String,
        pushType: APNSPushType,
        priority: Int,
        collapseID: String?,
        payload: [UInt8]
    ) {
        self.id = id
        self.topic = topic
        self.pushType = pushType
        self.priority = priority
        self.collapseID = collapseID
        self.payload = payload
    }

    /// As it travels on to the device, with the id in lower case.
    package func courierPush(_ environment: APNSEnvironment) -> CourierPush {
        CourierPush(
            apnsID: id.text,
            topic: topic,
            environment: environment,
            pushType: pushType,
            priority: priority,
            collapseID: collapseID,
            payload: payload
        )
    }
}
