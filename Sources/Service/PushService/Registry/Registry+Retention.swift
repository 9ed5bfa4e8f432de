import Foundation
import PushModel
import Synchronization

extension Registry {
    /// The apps with devices, in ascending order.
    var appsWithDevices: [App.ID] { state.withLock { $0.devices.keys.sorted() } }

    /// Returns the pieces of an app's devices that may have devices not seen since `date`.
    func pieces(of app: App.ID, unseenSince date: Date) -> [Int] {
        knownDevices(of: app)?.state.withLock { $0.columns.pieces(unseenSince: date) } ?? []
    }

    /// Returns the devices of a piece that have no link and were last seen before `date`, in ascending order.
    func devices(ofPiece piece: Int, of app: App.ID, unseenSince date: Date) -> [DeviceOrdinal] {
        knownDevices(of: app)?.state.withLock { state in
            state.columns.devices(ofPiece: piece, unseenSince: date).filter { state.links[$0] == nil }
        } ?? []
    }

    /// Removes devices that the store has deleted.
    func forget(_ ordinals: [DeviceOrdinal], of app: App.ID) {
        // A deleted app needs no devices for this.
        guard let devices = self.app(app) == nil ? knownDevices(of: app) : devices(of: app) else { return }
        // The lock is released in between.
        for ordinal in ordinals { devices.state.withLock { $0.columns.forget(ordinal) } }
    }

    /// Returns the device of a registration id, whether it exists, was deleted or was never created; nil if it belongs to another
    /// app.
    func deviceNamed(by registrationID: RegistrationID, of app: App.ID) -> DeviceID? {
        let ordinal =
            ownDevice(registrationID, of: app)
            ?? knownDevices(of: app)?.state.withLock { $0.importedIDs.device(registrationID) }
        return ordinal.map { DeviceID(app: app, ordinal: $0) }
    }
}
