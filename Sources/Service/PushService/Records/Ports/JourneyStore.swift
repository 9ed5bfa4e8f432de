package import PushModel

/// Reads and writes the data of journeys.
package protocol JourneyStore: Sendable {
    func record(_ events: [JourneyEntry]) async throws
    /// Returns the store's data on a message and a device; nil if there is no such message.
    func journey(of message: MessageID, to ordinal: DeviceOrdinal) async throws -> JourneyFacts?
    /// Returns the message of a push's VoIP push: the push itself if it has nothing else for APNs; nil if it has none.
    func voipPush(of message: MessageID) async throws -> MessageID?
    /// Returns the push that a VoIP push stands beside; nil if the message is no VoIP push, or stands alone.
    func origin(ofVoIPPush message: MessageID) async throws -> MessageID?
    /// Returns the take-backs of a push, the newest first: all, or those that may ask a device.
    func takeBacks(of message: MessageID, on device: DeviceOrdinal?) async throws -> [TakeBack]
    /// Returns the deletion of a message; nil if the message exists, was never the app's, or was deleted so long ago that this is
    /// forgotten.
    func deletion(of message: MessageID, app: App.ID) async throws -> Deletion?
    /// Returns the deletion of a device; nil if its ordinal was never assigned, or the device exists.
    func deletion(of device: DeviceID) async throws -> Deletion?
}
