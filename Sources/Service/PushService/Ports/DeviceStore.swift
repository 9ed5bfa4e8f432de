package import Foundation
package import PushModel

/// Devices and their tokens.
package protocol DeviceStore: Sendable {
    /// Returns the device of this installation, created if there is none, after `change`.
    ///
    /// `note` counts the device in the same transaction, and a created one as new.
    func registerDevice(
        app: App.ID,
        installation: String,
        note: UseNote?,
        make: @escaping @Sendable (DeviceOrdinal) -> RegisteredDevice,
        change: @escaping @Sendable (inout RegisteredDevice) -> Void
    ) async throws -> RegisteredDevice
    /// Changes a device, if there is one; `note` counts it in the same transaction.
    func updateDevice(
        _ id: DeviceID,
        note: UseNote?,
        _ change: @escaping @Sendable (inout RegisteredDevice) -> Void
    ) async throws -> RegisteredDevice?
    /// Changes many devices of an app in one transaction, and adds tags that stay known without a device.
    ///
    /// Missing devices are skipped; devices that `change` leaves unchanged cost no write.
    /// - Returns: every device that changed.
    /// - Throws: the error of `change`; then nothing has changed.
    func updateDevices(
        _ ordinals: [DeviceOrdinal],
        of app: App.ID,
        keepingTags tags: [String],
        _ change: @escaping @Sendable (inout RegisteredDevice) throws -> Void
    ) async throws
        -> [RegisteredDevice]
    /// Keeps the tag only as long as a device has it.
    func forgetTag(_ tag: String, of app: App.ID) async throws
    /// Resumes pushes to up to `limit` devices whose tokens were refused, in the order of their ordinals.
    ///
    /// - Returns: the devices.
    func forgetRefusals(of app: App.ID, after last: DeviceOrdinal?, limit: Int) async throws -> [RegisteredDevice]
    /// Gives a token to a device and takes it from any other of the app. Data imported for the token, including registration ids,
    /// moves to the device, unless an app has registered as the previous device: ids stay with the device that has a secret.
    ///
    /// - Returns: every device that changed.
    func setToken(
        _ token: DeviceToken,
        _ environment: APNSEnvironment,
        of id: DeviceID,
        at date: Date
    ) async throws
        -> [RegisteredDevice]
    func device(_ id: DeviceID) async throws -> RegisteredDevice?
    /// Returns the devices with these ordinals, in the order of `ordinals`, without missing ones.
    func devices(_ ordinals: [DeviceOrdinal], of app: App.ID) async throws -> [RegisteredDevice]
    /// Returns up to `limit` devices of an app from an ordinal on, in ascending order.
    func devices(of app: App.ID, from start: DeviceOrdinal, limit: Int) async throws -> [RegisteredDevice]
    func importedIDs(of device: DeviceID) async throws -> [ImportedID]
    /// Replaces the token of the same channel and name. Only the latest `limit` tokens per channel of Live Activities are kept.
    func setChannelToken(_ token: ChannelToken, of device: DeviceID, limit: Int, at date: Date) async throws
    func removeChannelToken(_ channel: ChannelToken.Channel, name: String, of device: DeviceID) async throws
    /// Returns a device's tokens, ordered by channel and name.
    func channelTokens(of device: DeviceID) async throws -> [ChannelToken]
}

extension DeviceStore {
    /// Changes a device without counting it among the app's users.
    package func updateDevice(
        _ id: DeviceID,
        _ change: @escaping @Sendable (inout RegisteredDevice) -> Void
    ) async throws -> RegisteredDevice? {
        try await updateDevice(id, note: nil, change)
    }
}
