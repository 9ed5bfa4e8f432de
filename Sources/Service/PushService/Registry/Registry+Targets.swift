import Foundation
import PushModel
import Synchronization

extension Registry {
    /// The number of names looked up under one lock.
    private static let slice = 4096

    /// Resolves the names of a file to devices by reachability.
    ///
    /// A file may have half a million names: the lock is released in between.
    func resolve(_ targets: TargetList, of app: App.ID, environment: APNSEnvironment, at date: Date) -> Resolution {
        question(targets, of: app, at: date)?.resolution(in: environment) ?? Resolution()
    }

    /// Returns a query for the names of a file, on a snapshot of the devices.
    func question(_ targets: TargetList, of app: App.ID, at date: Date) -> AudienceQuery? {
        guard let devices = knownDevices(of: app) else { return nil }
        let members = ordinals(of: targets, app, devices).sortedOnce()
        return devices.state.withLock { state in
            state.columns.renewActivity(at: date)
            return AudienceQuery(state.columns, named: members)
        }
    }

    private func ordinals(of targets: TargetList, _ app: App.ID, _ devices: AppDevices) -> [DeviceOrdinal] {
        switch targets {
        case .registrationIDs(let ids):
            let (own, imported) = separated(ids, of: app)
            return own
                + slices(of: imported, devices) { ids, state in ids.compactMap { state.importedIDs.device($0) } }
        case .aliases(let aliases):
            return slices(of: KeyedHash.hashes(aliases), devices) { hashes, state in
                state.columns.aliases.devices(Array(hashes))
            }
        }
    }

    private func slices<Name: Sendable>(
        of names: [Name],
        _ devices: AppDevices,
        _ find: @Sendable (ArraySlice<Name>, borrowing AppDevices.State) -> [DeviceOrdinal]
    ) -> [DeviceOrdinal] {
        stride(from: 0, to: names.count, by: Self.slice).flatMap { start in
            devices.state.withLock { find(names[start..<min(start + Self.slice, names.count)], $0) }
        }
    }
}
