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
            return own + slices(of: imported, devices) { ids, state in ids.compactMap { state.importedIDs.device($0) } }
        case .aliases(let aliases):
            return slices(of: KeyedHash.hashes(aliases), devices) { hashes, state in
                state.columns.aliases.devices(anyOf: Array(hashes))
            }
        }
    }

    private func slices<Name: Sendable>(
        of names: [Name],
        _ devices: AppDevices,
        _ find: @Sendable (ArraySlice<Name>, borrowing AppDevices.State) -> [DeviceOrdinal]
    ) -> [DeviceOrdinal] {
        names.slices(of: Self.slice).flatMap { slice in devices.state.withLock { find(slice, $0) } }
    }
}

extension Registry {
    /// The target of a push of a batch.
    enum BatchTarget {
        /// A single device that can be reached on the push's delivery path.
        case device(DeviceOrdinal)
        case others(Resolution)
    }

    /// Returns the target of each push of a batch, without building the set of an audience.
    func resolve(_ pushes: some Collection<BatchPush.Head>, of app: App.ID, at date: Date) -> [BatchTarget] {
        guard let devices = knownDevices(of: app) else { return pushes.map { _ in .others(Resolution()) } }
        // Decoding an id and hashing an alias need no lock.
        let own = pushes.map { push in
            if case .registrationID(let id) = push.target { ownDevice(id, of: app) } else { DeviceOrdinal?.none }
        }
        return devices.state.withLock { state in
            // One copy for all of them.
            let columns = state.columns
            return zip(pushes, own).map { push, own in
                guard push.isForIOS else { return .others(Resolution()) }
                switch push.target {
                case .registrationID(let id):
                    guard let ordinal = own ?? state.importedIDs.device(id), columns.contains(ordinal) else {
                        return .others(Resolution())
                    }
                    return columns.target(CollectionOfOne(ordinal), of: push, at: date)
                case .alias(let alias): return columns.target(columns.devices(withAlias: alias), of: push, at: date)
                }
            }
        }
    }
}

extension AudienceColumns {
    fileprivate func target(
        _ ordinals: some Collection<DeviceOrdinal>,
        of push: BatchPush.Head,
        at date: Date
    ) -> Registry.BatchTarget {
        let environment = push.options.environment
        if ordinals.count == 1, let ordinal = ordinals.first, isActive(ordinal, at: date), !isStopped(ordinal),
            !push.hasNotification || (self.environment(of: ordinal) == environment && hasToken(ordinal))
        {
            return .device(ordinal)
        }
        var resolution = Resolution()
        for ordinal in ordinals where isActive(ordinal, at: date) {
            resolution.add(ordinal, flags, environment: environment)
        }
        return .others(resolution)
    }
}
