import Foundation
import PushModel
import Synchronization

extension Registry {
    /// Apps with devices, in rising order.
    var appsWithDevices: [App.ID] { state.withLock { $0.devices.keys.sorted() } }

    /// The pieces of an app's devices in which somebody may not have been seen since `date`.
    func pieces(of app: App.ID, unseenSince date: Date) -> [Int] {
        knownDevices(of: app)?.state.withLock { $0.columns.pieces(unseenSince: date) } ?? []
    }

    /// The devices of a piece that have no link and were last seen before `date`, in rising order.
    func devices(ofPiece piece: Int, of app: App.ID, unseenSince date: Date) -> [DeviceOrdinal] {
        knownDevices(of: app)?.state.withLock { state in
            state.columns.devices(ofPiece: piece, unseenSince: date).filter { state.links[$0] == nil }
        } ?? []
    }

    /// The store has deleted these devices.
    func forget(_ ordinals: [DeviceOrdinal], of app: App.ID) {
        guard let devices = knownDevices(of: app) else { return }
        // Others have their turn in between.
        for ordinal in ordinals { devices.state.withLock { $0.columns.forget(ordinal) } }
    }

    /// The device that a registration id stands for, be it there, deleted or never made; nil if it is of another app.
    func deviceNamed(by registrationID: RegistrationID, of app: App.ID) -> DeviceID? {
        let ordinal =
            ownDevice(registrationID, of: app)
            ?? knownDevices(of: app)?.state.withLock { $0.importedIDs.device(registrationID) }
        return ordinal.map { DeviceID(app: app, ordinal: $0) }
    }
}
