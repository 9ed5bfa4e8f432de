package import PushModel
import Synchronization

extension Registry {
    /// By what a device is called: the id under which it was imported, until its app has registered; else the service's own.
    package func name(of device: DeviceID) -> RegistrationID {
        state.withLock { $0.importedIDs[device.app]?.name(of: device.ordinal) } ?? registrationID(of: device)
    }

    func token(of device: DeviceID) -> DeviceToken? {
        state.withLock { $0.columns[device.app]?.token(of: device.ordinal) }
    }

    /// Lets ids lead to devices, as the store has it.
    ///
    /// - Returns: those whose devices have no token any more: somebody may have taken it, and the ids with it, meanwhile.
    @discardableResult
    func apply(_ ids: [ImportedID]) -> [ImportedID] {
        state.withLock { state in
            ids.filter { id in
                state.importedIDs[id.device.app, default: ImportedIDs()]
                    .set(id.id, to: id.device.ordinal, isName: id.isName)
                return !state.hasToken(id.device)
            }
        }
    }
}

extension Registry.State {
    /// The device of an app that an id of any making leads to; there may be none with this ordinal.
    func ordinal(of id: RegistrationID, app: App.ID, _ codec: RegistrationIDCodec) -> DeviceOrdinal? {
        if let device = codec.device(of: id), device.app == app { return device.ordinal }
        return importedIDs[app]?.device(id)
    }
}
