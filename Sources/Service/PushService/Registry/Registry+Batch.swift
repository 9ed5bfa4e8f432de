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
                for ordinal in ordinals(of: push.target, app, columns, state) where columns.isActive(ordinal, at: date)
                {
                    resolution.add(ordinal, in: columns, environment: push.request.options.environment)
                }
                return resolution
            }
        }
    }

    private func ordinals(
        of target: BatchPush.Target,
        _ app: App.ID,
        _ columns: AudienceColumns,
        _ state: State
    ) -> [DeviceOrdinal] {
        switch target {
        case .alias(let alias): return columns.devices(withAlias: alias)
        case .registrationID(let id):
            guard let ordinal = state.ordinal(of: id, app: app, registrationIDs), columns.contains(ordinal) else {
                return []
            }
            return [ordinal]
        }
    }
}
