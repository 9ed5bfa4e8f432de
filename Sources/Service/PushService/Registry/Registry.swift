package import Foundation
package import PushModel
import Synchronization

/// The in-memory index of all apps and devices of the service.
package final class Registry: Sendable {
    struct State {
        var apps: [AppKey: App] = [:]
        var keys: [App.ID: AppKey] = [:]
        var devices: [App.ID: AppDevices] = [:]
        /// The number of changes and removals of apps in memory, besides reads.
        var appChanges = 0
        /// The number of changes of segments in this process.
        var segmentChanges = 0
        /// The number of times that apps or segments were read from the store, including reads that have not ended.
        var reads = 0
        /// The number of the read that the apps are from.
        var appsRead = 0
        /// The store's version of the apps in memory.
        var version: Int?

        mutating func add(_ app: App) {
            apps[app.key] = app
            keys[app.id] = app.key
        }
    }

    /// Locked only as long as finding an app takes; an app's devices have their own lock.
    let state = Mutex(State())
    let registrationIDs: RegistrationIDCodec
    let aliasProofs: AliasProofs
    let settings: Adjustable<ServiceSettings>
    private let store: any AppStore & AudienceStore
    private let isAlone: Bool
    /// Tells other nodes of changes.
    private let announce: @Sendable () -> Void
    /// Closes the links of an app that was deleted.
    private let closeLinks = Mutex<(@Sendable (App.ID) -> Void)?>(nil)

    /// Creates the registry and reads everything once. Of the settings the limits of tags count here. `announce` tells
    /// other nodes, which create apps and devices too unless the service is alone, of changes that are in the store
    /// already.
    package init(
        store: any AppStore & AudienceStore,
        keys: ServiceKeys,
        settings: Adjustable<ServiceSettings> = Adjustable(ServiceSettings()),
        isAlone: Bool = true,
        progress: ReadingProgress = ReadingProgress(),
        announce: @escaping @Sendable () -> Void = {}
    ) async throws {
        self.store = store
        self.settings = settings
        self.isAlone = isAlone
        self.announce = announce
        registrationIDs = RegistrationIDCodec(keys)
        aliasProofs = AliasProofs(keys)
        try await loadApps()
        try await store.storedTags { [self] app, tags in add(tags, of: app) }
        progress.begin(try await store.audienceSize())
        try await store.audience { [self] rows in
            let names = AudienceColumns.Names(rows)
            devices(of: rows.app).state.withLock { $0.columns.apply(rows, names, isStart: true) }
            progress.add(rows.count)
        }
        for devices in state.withLock({ Array($0.devices.values) }) {
            devices.state.withLock { $0.columns.finishReading() }
        }
        try await loadSegments()
        try await store.importedIDs { [self] ids in apply(ids) }
    }

    private func loadApps() async throws {
        // The version is taken first, so that apps created during the read are read again.
        let version = store.appsVersion
        let (number, before) = state.withLock { state in
            state.reads += 1
            return (state.reads, state.appChanges)
        }
        let apps = try await store.apps()
        let isOvertaken = state.withLock { state in
            guard state.appChanges == before else { return true }
            // Another read, which began later, may have ended earlier.
            guard number > state.appsRead else { return false }
            state.appsRead = number
            for app in apps { state.add(app) }
            state.version = version
            return false
        }
        // Changes made during the read may be missing from it.
        if isOvertaken { try await loadApps() }
    }

    /// Reads the apps again if they have changed since they were read.
    private func refreshApps() async throws {
        guard state.withLock({ $0.version != store.appsVersion }) else { return }
        try await loadApps()
    }

    /// Reads the apps again, as another node may have created, changed or deleted some.
    func reloadApps() async throws {
        let before = apps
        try await loadApps()
        try await loadSegments()
        let left = Set(try await store.apps().map(\.id))
        for app in before where !left.contains(app.id) { removeDeleted(app) }
    }

    private func loadSegments() async throws {
        let (number, before) = state.withLock { state in
            state.reads += 1
            return (state.reads, state.segmentChanges)
        }
        let segments = Dictionary(grouping: try await store.segments()) { $0.app }
        for app in apps where segments[app.id] != nil || knownDevices(of: app.id) != nil {
            let ofApp = (segments[app.id] ?? []).map(\.segment)
            let claim = try await claimAttributes(for: ofApp, of: app.id)
            defer { release(claim, of: app.id) }
            devices(of: app.id).state.withLock { state in
                // Another read, which began later, may have ended earlier.
                guard number > state.segmentsRead else { return }
                state.segmentsRead = number
                state.segments = Dictionary(uniqueKeysWithValues: ofApp.map { (ExactText($0.name), $0) })
            }
        }
        // Changes made during the read may be missing from it.
        if state.withLock({ $0.segmentChanges }) != before { try await loadSegments() }
    }

    /// Reads the attributes that segments name, unless they are known. They stay in memory until the claim is released, and as long as
    /// a segment of the app names them.
    func claimAttributes(for segments: [Segment], of app: App.ID) async throws -> AttributeColumns.Claim {
        let devices = devices(of: app)
        let (claim, unread) = devices.state.withLock { state in
            (state.columns.attributes.claim(segments), state.columns.attributes.want(segments))
        }
        guard let unread else { return claim }
        do {
            // Devices that change meanwhile are newer than what is read.
            let limit = 4096
            var next: DeviceOrdinal? = 0
            while let first = next {
                let page = try await store.attributes(of: app, from: first, limit: limit)
                devices.state.withLock { $0.columns.apply(page) }
                next = page.count == limit ? page.last.map { $0.ordinal + 1 } : nil
            }
        } catch {
            release(claim, of: app)
            throw error
        }
        devices.state.withLock { $0.columns.attributes.noteRead(unread) }
        return claim
    }

    /// Drops the attributes that no segment names any more, and no other claim.
    func release(_ claim: AttributeColumns.Claim, of app: App.ID) {
        devices(of: app).state.withLock { state in
            state.columns.attributes.release(claim)
            state.columns.attributes.keep(Array(state.segments.values))
        }
    }

    /// Returns the app with this key, even if it was created a moment ago. A request for an unknown app reads nothing from the
    /// disk, however often.
    package func app(_ key: AppKey) async throws -> App? {
        if let app = knownApp(key) { return app }
        try await refreshApps()
        return knownApp(key)
    }

    /// Returns the app with this key if it is in memory.
    package func knownApp(_ key: AppKey) -> App? { state.withLock { $0.apps[key] } }

    package func app(_ id: App.ID) -> App? { state.withLock { state in state.keys[id].flatMap { state.apps[$0] } } }

    /// All apps, oldest first.
    var apps: [App] { state.withLock { $0.apps.values.sorted { $0.id < $1.id } } }

    /// Returns the apps with these numbers, including those created a moment ago, at any node.
    func apps(_ ids: [App.ID]) async throws -> [App] {
        if ids.contains(where: { app($0) == nil }) {
            // The version counts only what this process has changed.
            if isAlone { try await refreshApps() } else { try await loadApps() }
        }
        return ids.compactMap { app($0) }
    }

    /// Returns another app that has a device with this token. Searches all devices, on request of a user.
    func app(with token: DeviceToken, besides app: App.ID) -> App? {
        let others = state.withLock { $0.devices }
        let found = others.first { id, devices in
            // A snapshot, while changes go on.
            id != app && devices.state.withLock(\.columns).hasDevice(with: token)
        }
        return found.flatMap { self.app($0.key) }
    }

    /// Applies an app that the store has created or changed.
    func apply(_ app: App) {
        state.withLock { state in
            state.appChanges += 1
            state.add(app)
        }
        announce()
    }

    /// Changes an app as the store has changed it, and keeps what others have changed meanwhile.
    ///
    /// - Returns: the app; nil if it was deleted.
    func change(_ app: App.ID, _ body: (inout App) -> Void) -> App? {
        defer { announce() }
        return state.withLock { state in
            guard let key = state.keys[app], var changed = state.apps[key] else { return nil }
            body(&changed)
            state.appChanges += 1
            state.add(changed)
            return changed
        }
    }

    /// Removes an app that the store has deleted.
    func remove(_ app: App) {
        removeDeleted(app)
        announce()
    }

    private func removeDeleted(_ app: App) {
        // Its devices are freed when no reader holds them, outside the lock.
        _ = state.withLock { state in
            state.appChanges += 1
            state.apps[app.key] = nil
            state.keys[app.id] = nil
            return state.devices.removeValue(forKey: app.id)
        }
        closeLinks.withLock(\.self)?(app.id)
    }

    /// Sets what closes the links of an app that is deleted, at this node or another.
    func closeLinks(by close: @escaping @Sendable (App.ID) -> Void) { closeLinks.withLock { $0 = close } }

    // MARK: - Devices

    /// Returns the in-memory devices of an app.
    func devices(of app: App.ID) -> AppDevices {
        state.withLock { state in
            if let known = state.devices[app] { return known }
            let new = AppDevices()
            state.devices[app] = new
            return new
        }
    }

    /// Returns the in-memory devices of an app; nil if there are none.
    func knownDevices(of app: App.ID) -> AppDevices? { state.withLock { $0.devices[app] } }

    package func apply(_ devices: [RegisteredDevice]) {
        guard !devices.isEmpty else { return }
        applyOfOthers(devices.map(\.audienceEntry))
        announce()
    }

    /// Applies badges that a step has stored.
    ///
    /// - Returns: the devices of which another change is not known here yet, so that they have to be read.
    func apply(_ badges: [StoredBadge], of app: App.ID) -> [DeviceOrdinal] {
        guard !badges.isEmpty else { return [] }
        defer { announce() }
        return devices(of: app).state.withLock { $0.columns.apply(badges) }
    }

    /// Applies devices of an app that the store has created together.
    func add(_ devices: [RegisteredDevice]) {
        guard let app = devices.first?.id.app else { return }
        self.devices(of: app).add(devices, of: app)
        announce()
    }

    /// Applies a segment that the store has changed; nil if it was deleted.
    func setSegment(_ segment: Segment?, named name: String, of app: App.ID) {
        let reads = state.withLock { state in
            state.segmentChanges += 1
            return state.reads
        }
        devices(of: app).state.withLock { state in
            state.segments[ExactText(name)] = segment
            if segment == nil { state.columns.attributes.keep(Array(state.segments.values)) }
            // The answer of a read that has begun may be older.
            state.segmentsRead = max(state.segmentsRead, reads)
        }
        announce()
    }

    /// Notes a change that is in the store but not in memory, for other nodes.
    func noteChange() { announce() }

    /// Returns when the device has a token, or the task is cancelled; at once for a registration id that is not of this app.
    package func awaitToken(of registrationID: RegistrationID, app: App.ID) async {
        guard let device = registrationIDs.device(of: registrationID), device.app == app else { return }
        await devices(of: app).awaitToken(of: device.ordinal)
    }

    package func registrationID(of device: DeviceID) -> RegistrationID { registrationIDs.registrationID(of: device) }

    /// Returns the app's device with this registration id; nil if there is none.
    package func device(_ registrationID: RegistrationID, of app: App.ID) -> DeviceID? {
        guard let devices = knownDevices(of: app) else { return nil }
        let own = ownDevice(registrationID, of: app)
        return devices.state.withLock { state in
            guard let ordinal = own ?? state.importedIDs.device(registrationID), state.columns.contains(ordinal) else {
                return nil
            }
            return DeviceID(app: app, ordinal: ordinal)
        }
    }

    /// Returns the app's device for an id created by the service; the ordinal may be unused.
    func ownDevice(_ id: RegistrationID, of app: App.ID) -> DeviceOrdinal? {
        registrationIDs.device(of: id).flatMap { $0.app == app ? $0.ordinal : nil }
    }

    /// Separates the ids created by the service, as devices, from those that can only be imported ones.
    func separated(
        _ ids: some Sequence<RegistrationID>,
        of app: App.ID
    ) -> (own: [DeviceOrdinal], imported: [RegistrationID]) {
        var own: [DeviceOrdinal] = []
        var imported: [RegistrationID] = []
        for id in ids {
            if let device = ownDevice(id, of: app) { own.append(device) } else { imported.append(id) }
        }
        return (own, imported)
    }

    /// Resolves an audience to devices by reachability.
    ///
    /// The lock is held only while the audience's names are looked up; their devices are evaluated on a snapshot.
    package func resolve(
        _ audience: Audience,
        of app: App.ID,
        environment: APNSEnvironment,
        at date: Date,
        _ past: PastDevices = PastDevices()
    ) -> Resolution {
        question(audience, of: app, at: date, past)?.resolution(in: environment) ?? Resolution()
    }

    /// Returns a query on a snapshot of the devices, to be answered without the lock.
    func question(
        _ audience: Audience,
        of app: App.ID,
        at date: Date,
        _ past: PastDevices = PastDevices()
    ) -> AudienceQuery? {
        guard let devices = knownDevices(of: app) else { return nil }
        let names = AudienceNames(audience)
        let (own, imported) =
            if case .filter(let filter) = audience { separated(filter.registrationIDs, of: app) } else {
                ([DeviceOrdinal](), [RegistrationID]())
            }
        var query = devices.state.withLock { state -> AudienceQuery? in
            let registered = own + imported.compactMap { state.importedIDs.device($0) }
            var query = state.columns.question(names, registered: registered, at: date, past)
            for name in audience.segments {
                guard let segment = state.segments[ExactText(name)] else { return nil }
                query?.segments.append(SegmentQuery(segment, state.columns, at: date, past: past, marksNames: false))
            }
            return query
        }
        if !audience.segments.isEmpty { query?.markNames() }
        return query
    }

    /// Returns the targets of a message, in the order of `ordinals`; the token is nil if there is none any more, or none of the
    /// environment.
    package func targets(
        _ ordinals: ArraySlice<DeviceOrdinal>,
        of app: App.ID,
        environment: APNSEnvironment
    ) -> Targets {
        // A push may wait for devices that were deleted since, and after a restart the app may have none.
        knownDevices(of: app)?.state.withLock { $0.columns.targets(ordinals, environment) }
            ?? AudienceColumns().targets(ordinals, environment)
    }

    /// Returns whether push is switched off on the device.
    package func isStopped(_ device: DeviceID) -> Bool {
        knownDevices(of: device.app)?.state.withLock { $0.columns.isStopped(device.ordinal) } == true
    }

    package func environment(of device: DeviceID) -> APNSEnvironment? {
        knownDevices(of: device.app)?.state.withLock { state in
            state.columns.contains(device.ordinal) ? state.columns.environment(of: device.ordinal) : nil
        }
    }
}
