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
    ) async throws -> [RegisteredDevice]
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
    ) async throws -> [RegisteredDevice]
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

/// The import of devices from a file.
package protocol DeviceImportStore: Sendable {
    /// Imports devices from the rows of a file, in one transaction. A registration id stays with the token that it came
    /// with, and a token belongs to one device; of several rows about the same one the last counts. A device as which an
    /// app has registered stays unchanged. A row has the ordinal of the device whose own id it has, if it is one that the
    /// service created.
    ///
    /// `environment` is that of rows that name none. Created devices get their installations from `installation`, an
    /// unguessable text.
    func importDevices(
        _ rows: [(row: DeviceImport, own: DeviceOrdinal?)],
        of app: App.ID,
        environment: APNSEnvironment,
        installation: String,
        seenAt date: Date
    ) async throws -> ImportResult
    func importedID(_ id: RegistrationID, of app: App.ID) async throws -> ImportedID?
}

/// The registry's data, which is read once at start, and the attributes of devices for new segments.
package protocol AudienceStore: Sendable {
    /// Returns about the number of devices that ``audience(_:)`` reads: those that were deleted count, too.
    func audienceSize() async throws -> Int
    /// Reads the registry's data on all devices of all apps, in parts, several of which may be passed concurrently. Called once at
    /// start.
    func audience(_ each: @escaping @Sendable (AudienceRows) -> Void) async throws
    /// Reads the tags that stay known without a device. Called once at start.
    func storedTags(_ each: @escaping @Sendable (App.ID, [String]) -> Void) async throws
    /// Reads all imported ids in parts. Called once at start.
    func importedIDs(_ each: @escaping @Sendable ([ImportedID]) -> Void) async throws
    /// Returns the app's next devices that have attributes, from an ordinal on, in its order.
    func attributes(of app: App.ID, from first: DeviceOrdinal, limit: Int) async throws -> [StoredAttributes]
}

/// The attributes of a device in the store.
package struct StoredAttributes: Sendable {
    package var ordinal: DeviceOrdinal
    package var version: UInt32
    package var attributes: [String: String]

    package init(_ ordinal: DeviceOrdinal, version: UInt32, _ attributes: [String: String]) {
        self.ordinal = ordinal
        self.version = version
        self.attributes = attributes
    }
}
