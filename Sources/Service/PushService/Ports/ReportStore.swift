package import PushModel

/// What is counted, and kept beyond what it counts.
package protocol ReportStore: Sendable {
    /// What is counted of those of the messages that the app has.
    func counts(of messages: [MessageID], app: App.ID) async throws -> [MessageID: MessageCounts]
    /// Whether a delivery of the message was reported, for each of these devices to which it was to go. Empty if the app has
    /// no such message.
    func deliveries(
        of message: MessageID,
        app: App.ID,
        to ordinals: [DeviceOrdinal]
    ) async throws -> [DeviceOrdinal: Bool]
    /// Counts devices, each once in a time however often it is noted.
    func note(_ note: UseNote, of ordinals: [DeviceOrdinal], app: App.ID) async throws
    /// What is counted of an app's devices, by the names of the times from one through another.
    func uses(
        of app: App.ID,
        _ unit: ReportUnit,
        from first: String,
        through last: String
    ) async throws -> [String: [UseMeasure: Int]]
}
