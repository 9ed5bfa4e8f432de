import Foundation
import PushModel
import Synchronization

extension Registry {
    /// The devices of each app that have no link and were last seen before `date`, in rising order.
    func devices(unseenSince date: Date) -> [App.ID: [DeviceOrdinal]] {
        state.withLock { state in
            let linked = state.links
            return state.columns.reduce(into: [:]) { found, app in
                let gone = app.value.devices(unseenSince: date)
                    .filter { linked[DeviceID(app: app.key, ordinal: $0)] == nil }
                if !gone.isEmpty { found[app.key] = gone }
            }
        }
    }

    /// The store has deleted these devices.
    func forget(_ ordinals: [DeviceOrdinal], of app: App.ID) {
        state.withLock { state in
            for ordinal in ordinals { state.columns[app]?.forget(ordinal) }
        }
    }

    /// The store has made this app, or changed it.
    func apply(_ app: App) { state.withLock { $0.apps[app.key] = app } }

    /// The store has deleted this app.
    func remove(_ app: App) {
        state.withLock { state in
            state.apps[app.key] = nil
            state.columns[app.id] = nil
            state.importedIDs[app.id] = nil
            state.keptTags[app.id] = nil
        }
    }

    /// The device that a registration id stands for, be it there, deleted or never made; nil if it is of another app.
    func deviceNamed(by registrationID: RegistrationID, of app: App.ID) -> DeviceID? {
        state.withLock { $0.ordinal(of: registrationID, app: app, registrationIDs) }
            .map { DeviceID(app: app, ordinal: $0) }
    }
}
