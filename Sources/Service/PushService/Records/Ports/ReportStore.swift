package import Foundation
package import PushModel

/// Statistics, which are kept longer than the data they count.
package protocol ReportStore: Sendable {
    /// Returns the counts of those messages that belong to the app.
    func counts(of messages: [MessageID], app: App.ID) async throws -> [MessageID: MessageCounts]
    /// Returns the devices of a message by chunk, without those of retries, which repeat some; none if the app has no such message.
    func reach(of message: MessageID, app: App.ID) async throws -> [ChunkReach]
    /// Returns the devices, by push and in ascending order, that have opened pushes of the app with ids above `after`, accepted since
    /// `date`. At most `limit` pushes of all apps are looked at; `next` is the id after which the search goes on, nil at its end.
    func openers(
        of app: App.ID,
        since date: Date,
        after id: MessageID,
        limit: Int
    ) async throws -> (devices: [[DeviceOrdinal]], next: MessageID?)
    /// Returns what each of these devices that was a target of the message has reported; of an in-app message nothing. Empty if the app has
    /// no such message.
    func receipts(
        of message: MessageID,
        app: App.ID,
        to ordinals: [DeviceOrdinal]
    ) async throws -> [DeviceOrdinal: ReceiptBits]
    /// Returns the push with this `group_msgid`.
    func groupPush(_ id: String, of group: AppGroup.ID) async throws -> GroupPush?
    /// Stores a device's receipts in one transaction; those for pushes that were not for it are ignored. Receipts for
    /// in-app messages count like the others for a push that is none.
    func record(
        _ receipts: [MessageID: ReceiptBits],
        inApp: [MessageID: ReceiptBits],
        of device: DeviceID,
        at date: Date
    ) async throws
    /// Returns the time of the last take-back of any app; nil if there is none.
    func lastTakeBack() async throws -> Date?
    /// Returns the newest take-backs since `date` that concern a device and that it has not answered.
    func openTakeBacks(of device: DeviceID, since date: Date) async throws -> [TakeBack]
    /// Counts devices, each once per period however often it is noted.
    func note(_ note: UseNote, of ordinals: [DeviceOrdinal], app: App.ID) async throws
    /// Returns the counts of an app's devices by period, from one through another.
    func uses(
        of app: App.ID,
        _ unit: ReportUnit,
        from first: String,
        through last: String
    ) async throws -> [String: [UseMeasure: Int]]
}

extension ReportStore {
    /// Returns those of the devices on which a push was opened, which get none that has it as `x_unless_opened`.
    func openers(of message: MessageID, app: App.ID, among ordinals: [DeviceOrdinal]) async throws -> Set<DeviceOrdinal>
    {
        Set(try await receipts(of: message, app: app, to: ordinals).filter { $0.value.contains(.clicked) }.keys)
    }
}
