package import DeviceLink
package import Foundation
package import PushModel

/// A push in a mailbox.
package struct MailboxPush: Hashable, Sendable {
    package var id: APNSID
    package var head: PushHead
    /// The bytes that the provider sent.
    package var payload: [UInt8]

    /// Returns the push in the form that is sent to the device, with the id in lower case; `end` is its expiration.
    package func courierPush(_ environment: APNSEnvironment, until end: Date? = nil) -> CourierPush {
        CourierPush(
            apnsID: id.text,
            topic: head.topic,
            environment: environment,
            pushType: head.pushType,
            priority: head.priority,
            collapseID: head.collapseID,
            payload: payload,
            expiration: end.map(APNSExpiration.at)
        )
    }
}
