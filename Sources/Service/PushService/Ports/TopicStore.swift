package import Foundation
package import PushModel

/// The topics of apps, the devices that decline them, and the pushes that each has got of them.
package protocol TopicStore: Sendable {
    /// Returns the topics of an app, by name.
    func topics(of app: App.ID) async throws -> [PushTopic]
    /// Replaces the topics of an app.
    func setTopics(_ topics: [PushTopic], of app: App.ID) async throws
    /// Returns the topics that a device declines, by name.
    func declinedTopics(of device: DeviceID) async throws -> [String]
    /// Replaces the topics that a device declines, and writes an event of it if the events of its app are kept.
    func setDeclinedTopics(_ names: [String], of device: DeviceID, at date: Date) async throws
    /// Counts a push of a topic for the devices that get it; the last one of a device is not counted again.
    ///
    /// - Returns: why the others do not get it.
    func restrain(_ push: TopicPush) async throws -> [DeviceOrdinal: SuppressionReason]
}

/// A push of a topic that is about to be sent to devices.
package struct TopicPush: Sendable {
    package var app: App.ID
    package var topic: String
    package var message: MessageID
    /// Whether it is of the class `immediate`.
    package var isImmediate: Bool
    /// Whether it is a retry, which was counted before.
    package var isRetry: Bool
    /// The local times of the devices, in seconds since 1970 plus the offset of their zones.
    package var times: [DeviceOrdinal: Int64]

    package init(
        app: App.ID,
        topic: String,
        message: MessageID,
        isImmediate: Bool,
        isRetry: Bool,
        times: [DeviceOrdinal: Int64]
    ) {
        (self.app, self.topic, self.message) = (app, topic, message)
        (self.isImmediate, self.isRetry, self.times) = (isImmediate, isRetry, times)
    }
}
