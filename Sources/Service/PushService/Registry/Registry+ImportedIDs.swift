package import PushModel
import Synchronization

extension Registry {
    /// Returns the name of a device: the id under which it was imported, until its app has registered; afterwards the service's
    /// own.
    package func name(of device: DeviceID) -> RegistrationID {
        knownDevices(of: device.app)?.state.withLock { $0.importedIDs.name(of: device.ordinal) }
            ?? registrationID(of: device)
    }

    func token(of device: DeviceID) -> DeviceToken? {
        knownDevices(of: device.app)?.state.withLock { $0.columns.token(of: device.ordinal) }
    }

    /// The number of ids applied under one lock.
    private static let idsAtOnce = 256

    /// Applies the store's imported ids.
    ///
    /// - Returns: the ids whose devices no longer have a token: another device may have taken it, and the ids with it, meanwhile.
    @discardableResult
    func apply(_ ids: [ImportedID]) -> [ImportedID] {
        defer { if !ids.isEmpty { noteChange() } }
        return applyOfOthers(ids)
    }

    /// Applies imported ids, of which another node may know already.
    @discardableResult
    func applyOfOthers(_ ids: [ImportedID]) -> [ImportedID] {
        var rest: ArraySlice<ImportedID> = ids[...]
        var stale: [ImportedID] = []
        while let app = rest.first?.device.app {
            let here = rest.prefix(Self.idsAtOnce).prefix { $0.device.app == app }
            rest = rest.dropFirst(here.count)
            stale += devices(of: app).state.withLock { state in
                here.filter { id in
                    state.importedIDs.set(id.id, to: id.device.ordinal, isName: id.isName)
                    return !state.columns.hasToken(id.device.ordinal)
                }
            }
        }
        return stale
    }
}
