import Foundation
import PushModel
import Synchronization

extension Registry {
    /// Who is meant by each push of a batch, and what can be done for them: found without building the set of an audience.
    func resolve(_ pushes: [BatchPush], of app: App.ID, at date: Date) -> [Resolution] {
        state.withLock { state in
            guard let columns = state.columns[app] else { return pushes.map { _ in Resolution() } }
            return pushes.map { push in
                guard push.request.platforms.contains(.ios) else { return Resolution() }
                var resolution = Resolution()
                for ordinal in ordinals(of: push.target, app, in: columns) where columns.isActive(ordinal, at: date) {
                    resolution.add(ordinal, in: columns, environment: push.request.options.environment)
                }
                return resolution
            }
        }
    }

    private func ordinals(
        of target: BatchPush.Target,
        _ app: App.ID,
        in columns: AudienceColumns
    ) -> [DeviceOrdinal] {
        switch target {
        case .alias(let alias): return columns.devices(withAlias: alias)
        case .registrationID(let id):
            guard let device = registrationIDs.device(of: id), device.app == app, columns.contains(device.ordinal)
            else { return [] }
            return [device.ordinal]
        }
    }
}
