import PushModel

/// The other nodes, which may have registered a device a moment ago. A service that is alone has none.
final class OtherNodes: Sendable {
    let store: any SharedDeviceStore & PresenceStore
    private let registry: Registry
    private let readChanges: @Sendable () async throws -> Void

    /// Creates the other nodes; `readChanges` reads and applies what they have committed before.
    init(
        store: any SharedDeviceStore & PresenceStore,
        registry: Registry,
        readChanges: @escaping @Sendable () async throws -> Void
    ) {
        self.store = store
        self.registry = registry
        self.readChanges = readChanges
    }

    /// Reads what other nodes have changed, before an audience is said to be empty.
    func catchUp() async throws { try await readChanges() }

    /// Returns the devices that have a link to some node.
    func linked(_ devices: [DeviceID]) async throws -> Set<DeviceID> {
        devices.isEmpty ? [] : Set(try await store.nodes(of: devices).keys)
    }

    /// Applies a device that was just read.
    func apply(_ device: RegisteredDevice) { registry.devices(of: device.id.app).apply([device.audienceEntry]) }

    /// Looks up devices of an audience that names its devices, if memory knows of no way to reach some of them.
    ///
    /// An alias of which memory knows all but the newest device is not looked up; the log of the other node brings that one within a
    /// fraction of a second.
    func lookUp(_ audience: Audience, of app: App.ID, _ environment: APNSEnvironment) async throws {
        guard case .filter(let filter) = audience else { return }
        let ids = Array(filter.registrationIDs)
        try await lookUp(ids: ids, aliases: Array(filter.aliases), of: app, environment)
    }

    /// Looks up the devices of a batch that memory knows of no way to reach.
    func lookUp(_ pushes: some Sequence<BatchPush.Head>, of app: App.ID) async throws {
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
        guard registry.device(id, of: app) == nil else { return }
        let (own, imported) = registry.separated([id], of: app)
        try await lookUp(DeviceNames(ordinals: own, importedIDs: imported), of: app)
    }

    /// Looks up devices that a push is about to be sent to and of which memory has no token: the node that accepted the push may have
    /// registered them a moment ago.
    func lookUpTargets(_ ordinals: [DeviceOrdinal], of app: App.ID, _ environment: APNSEnvironment) async throws {
        try await lookUp(DeviceNames(ordinals: registry.unreachable(ordinals, of: app, environment)), of: app)
    }

    private func lookUp(
        ids: [RegistrationID],
        aliases: [String],
        of app: App.ID,
        _ environment: APNSEnvironment
    ) async throws {
        let (own, imported) = registry.separated(ids, of: app)
        var names = DeviceNames(ordinals: registry.unreachable(own, of: app, environment))
        names.importedIDs = imported.filter { registry.device($0, of: app) == nil }
        names.aliases = aliases.filter { alias in
            let holders = registry.devices(withAlias: alias, of: app).map(\.ordinal)
            return holders.isEmpty || !registry.unreachable(holders, of: app, environment).isEmpty
        }
        try await lookUp(names, of: app)
    }

    private func lookUp(_ names: DeviceNames, of app: App.ID) async throws {
        guard !names.isEmpty else { return }
        let found = try await store.lookUp(names, of: app)
        registry.applyOfOthers(found.devices)
        if !found.importedIDs.isEmpty { registry.applyOfOthers(found.importedIDs) }
    }
}
