import Foundation
import PushModel
import Synchronization

// What a registry learns from other nodes.
extension Registry {
    /// Applies devices that another node has changed.
    func applyOfOthers(_ devices: [AudienceEntry]) {
        var rest = devices[...]
        while let app = rest.first?.id.app {
            let here = rest.prefix { $0.id.app == app }
            self.devices(of: app).apply(here)
            rest = rest.dropFirst(here.count)
        }
    }

    /// Applies a device that was just read; does nothing without other nodes.
    func applyOfOthers(_ device: RegisteredDevice) {
        if lookup != nil { devices(of: device.id.app).apply([device]) }
    }

    func applyOfOthers(_ change: FeedWork.TagChange) {
        switch change {
        case .kept(let tags, let app):
            devices(of: app).state.withLock { state in
                for tag in tags { state.columns.keep(tag) }
            }
        case .forgotten(let tag, let app):
            knownDevices(of: app)?.state.withLock { $0.columns.forget(tag) }
        }
    }

    /// Sets the reader of what other nodes have changed.
    func catchUp(by feed: FeedReader) {
        catchUp.withLock { $0 = { [weak feed] in try await feed?.catchUp() } }
    }

    /// Reads what other nodes have changed, before an audience is said to be empty.
    ///
    /// - Returns: false for a service that is alone.
    func catchUpWithOthers() async throws -> Bool {
        guard let read = catchUp.withLock({ $0 }) else { return false }
        try await read()
        return true
    }

    /// Returns the devices that have a link to some node; none without other nodes.
    func linkedElsewhere(_ devices: [DeviceID]) async throws -> Set<DeviceID> {
        guard let lookup, !devices.isEmpty else { return [] }
        return Set(try await lookup.nodes(of: devices).keys)
    }

    /// Looks up devices of an audience that names its devices, if memory knows of no way to reach some of them: another node may
    /// have registered them a moment ago.
    ///
    /// An alias of which memory knows all but the newest device is not looked up; the log of the other node brings that one within a
    /// fraction of a second. Does nothing without other nodes.
    func lookUp(_ audience: Audience, of app: App.ID, _ environment: APNSEnvironment) async throws {
        guard lookup != nil, case .filter(let filter) = audience else { return }
        let ids = Array(filter.registrationIDs)
        try await lookUp(ids: ids, aliases: Array(filter.aliases), of: app, environment)
    }

    /// Looks up the devices of a batch that memory knows of no way to reach.
    func lookUp(_ pushes: some Sequence<BatchPush.Head>, of app: App.ID) async throws {
        guard lookup != nil else { return }
        var names: [APNSEnvironment: (ids: [RegistrationID], aliases: [String])] = [:]
        for push in pushes {
            switch push.target {
            case .registrationID(let id): names[push.options.environment, default: ([], [])].ids.append(id)
            case .alias(let alias): names[push.options.environment, default: ([], [])].aliases.append(alias)
            }
        }
        for (environment, names) in names {
            try await lookUp(ids: names.ids, aliases: names.aliases, of: app, environment)
        }
    }

    /// Looks up a device that memory does not know.
    func lookUp(_ id: RegistrationID, of app: App.ID) async throws {
        guard lookup != nil, device(id, of: app) == nil else { return }
        let (own, imported) = separated([id], of: app)
        try await lookUp(DeviceNames(ordinals: own, importedIDs: imported), of: app)
    }

    /// Looks up devices that a push is about to be sent to and of which memory has no token: the node that accepted the push may have
    /// registered them a moment ago.
    func lookUpTargets(_ ordinals: [DeviceOrdinal], of app: App.ID, _ environment: APNSEnvironment) async throws {
        guard lookup != nil else { return }
        let missing = unreachable(ordinals, of: app, environment)
        try await lookUp(DeviceNames(ordinals: missing), of: app)
    }

    private func lookUp(
        ids: [RegistrationID],
        aliases: [String],
        of app: App.ID,
        _ environment: APNSEnvironment
    ) async throws {
        let (own, imported) = separated(ids, of: app)
        var names = DeviceNames(ordinals: unreachable(own, of: app, environment))
        names.importedIDs = imported.filter { device($0, of: app) == nil }
        names.aliases = aliases.filter { alias in
            let holders = devices(withAlias: alias, of: app).map(\.ordinal)
            return holders.isEmpty || !unreachable(holders, of: app, environment).isEmpty
        }
        try await lookUp(names, of: app)
    }

    private func lookUp(_ names: DeviceNames, of app: App.ID) async throws {
        guard let lookup, !names.isEmpty else { return }
        let found = try await lookup.lookUp(names, of: app)
        applyOfOthers(found.devices)
        if !found.importedIDs.isEmpty { applyOfOthers(found.importedIDs) }
    }

    /// Returns the devices to which no notification could be sent in the environment.
    private func unreachable(
        _ ordinals: [DeviceOrdinal],
        of app: App.ID,
        _ environment: APNSEnvironment
    ) -> [DeviceOrdinal] {
        guard !ordinals.isEmpty else { return [] }
        guard let devices = knownDevices(of: app) else { return ordinals }
        return devices.state.withLock { state in
            ordinals.filter { ordinal in
                !state.columns.contains(ordinal) || state.columns.isStopped(ordinal) || !state.columns.hasToken(ordinal)
                    || state.columns.environment(of: ordinal) != environment
            }
        }
    }
}
