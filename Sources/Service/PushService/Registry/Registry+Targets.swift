import Foundation
import PushModel
import Synchronization

extension Registry {
    /// Names that are looked up while nobody else can read the registry.
    private static let slice = 4096

    /// Who is meant by the names of a file, and what can be done for them.
    ///
    /// A file may hold half a million names: others have their turn in between.
    func resolve(_ targets: TargetList, of app: App.ID, environment: APNSEnvironment, at date: Date) -> Resolution {
        let members = Set(ordinals(of: targets, app)).sorted()
        var resolution = Resolution()
        for start in stride(from: 0, to: members.count, by: Self.slice) {
            state.withLock { state in
                guard let columns = state.columns[app] else { return }
                for ordinal in members[start..<min(start + Self.slice, members.count)]
                where columns.contains(ordinal) && columns.isActive(ordinal, at: date) {
                    resolution.add(ordinal, in: columns, environment: environment)
                }
            }
        }
        return resolution
    }

    private func ordinals(of targets: TargetList, _ app: App.ID) -> [DeviceOrdinal] {
        switch targets {
        case .registrationIDs(let ids):
            return slices(of: ids) { ids, state in
                ids.compactMap { state.ordinal(of: $0, app: app, registrationIDs) }
            }
        case .aliases(let aliases):
            return slices(of: aliases) { aliases, state in
                guard let columns = state.columns[app] else { return [] }
                return aliases.flatMap { columns.devices(withAlias: $0) }
            }
        }
    }

    private func slices<Name>(
        of names: [Name],
        _ find: (ArraySlice<Name>, borrowing State) -> [DeviceOrdinal]
    ) -> [DeviceOrdinal] {
        stride(from: 0, to: names.count, by: Self.slice).flatMap { start in
            state.withLock { find(names[start..<min(start + Self.slice, names.count)], $0) }
        }
    }

    /// The apps with these numbers, also those that another process has made since the start.
    func apps(_ ids: [App.ID]) async throws -> [App] {
        if ids.contains(where: { app($0) == nil }) { try await loadApps() }
        return ids.compactMap { app($0) }
    }
}
