package import Foundation
package import PushModel

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
