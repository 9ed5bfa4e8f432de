import Foundation
import PushClock
import PushModel
import PushService
import Synchronization
import TestSupport

/// The part of a shared store besides the data of a ``PushStore``, in memory: memberships, roles, links and windows by the clock of the store,
/// and a log of changes that is made by comparing the devices with those of the last look.
///
/// It lets services be nodes of one SQLite file.
final class NodesInMemory: SharedStore {
    struct Member {
        var record: NodeRecord
        var end: Date
        var isOver = false
    }

    struct State {
        var members: [NodeID: Member] = [:]
        var roles: [LeaderRole: NodeClaim] = [:]
        var links: [DeviceID: (claim: NodeClaim?, number: Int64)] = [:]
        var log: [FeedEntry] = []
        var seen: [DeviceID: UInt32] = [:]
        var apps: [App] = []
        var windows: [String: (number: Int64, used: Int, end: Date)] = [:]
        /// The number of looks compared so far.
        var looks = 0
        /// Runs once between the next look and its comparison.
        var afterLook: (@Sendable () async throws -> Void)?
    }

    let store: any PushStore
    /// The folder of the store.
    let folder: URL
    let clock: any CivilClock
    let state = Mutex(State())

    init(_ store: any PushStore, in folder: URL, clock: any CivilClock) {
        self.store = store
        self.folder = folder
        self.clock = clock
    }

    /// Runs `body` once, between the next look at the devices and its comparison with the one before.
    func afterNextLook(_ body: @escaping @Sendable () async throws -> Void) { state.withLock { $0.afterLook = body } }

    private func with<Value>(_ body: (inout State) throws -> Value) throws -> Value {
        try state.withLock { try body(&$0) }
    }

    private func check(_ claim: NodeClaim, _ state: State) throws -> Member {
        guard let member = state.members[claim.node], member.record.claim == claim, !member.isOver else {
            throw NodeError.fenced(claim)
        }
        return member
    }

    // MARK: - Nodes

    func join(_ node: NodeID, name: String, status: NodeStatus, for term: Duration) async throws -> NodeClaim {
        let now = clock.date
        let (claim, ended) = try with { state -> (NodeClaim, NodeClaim?) in
            let before = state.members[node]
            if let before, !before.isOver, before.end > now { throw NodeError.taken(node) }
            let claim = NodeClaim(node: node, fence: (before?.record.claim.fence ?? 0) + 1)
            let record = NodeRecord(claim: claim, name: name, status: status, isAlive: true, isDraining: false)
            state.members[node] = Member(record: record, end: now.addingTimeInterval(term / .seconds(1)))
            return (claim, before?.record.claim)
        }
        if let ended { try await release(ended) }
        return claim
    }

    func renew(_ claim: NodeClaim, status: NodeStatus, for term: Duration) async throws -> NodeHeartbeat {
        let now = clock.date
        return try with { state in
            let member = try check(claim, state)
            state.members[claim.node]?.end = now.addingTimeInterval(term / .seconds(1))
            state.members[claim.node]?.record.status = status
            let alive = state.members.values.count { !$0.isOver && $0.end > now }
            return NodeHeartbeat(isDraining: member.record.isDraining, aliveNodes: max(1, alive), date: now)
        }
    }

    func leave(_ claim: NodeClaim) async throws {
        let isMine = try with { state in
            guard (try? check(claim, state)) != nil else { return false }
            state.members[claim.node]?.isOver = true
            return true
        }
        if isMine { try await release(claim) }
    }

    func endExpired(by claim: NodeClaim) async throws -> [NodeClaim] {
        let now = clock.date
        let ended = try with { state in
            _ = try check(claim, state)
            let expired = state.members.filter { !$1.isOver && $1.end <= now }
            for node in expired.keys { state.members[node]?.isOver = true }
            return expired.values.map(\.record.claim)
        }
        for claim in ended { try await release(claim) }
        return ended
    }

    private func release(_ claim: NodeClaim) async throws {
        try with { state in
            state.roles = state.roles.filter { $0.value != claim }
        }
        try await store.releaseLeases(of: claim.owner)
    }

    func nodes() async throws -> [NodeRecord] {
        let now = clock.date
        return try with { state in
            state.members.values.map { member in
                var record = member.record
                record.isAlive = !member.isOver && member.end > now
                return record
            }.sorted { $0.claim.node < $1.claim.node }
        }
    }

    func setDraining(_ isDraining: Bool, _ node: NodeID) async throws -> Bool {
        try with { state in
            state.members[node]?.record.isDraining = isDraining
            return state.members[node] != nil
        }
    }

    func lead(_ roles: Set<LeaderRole>, as claim: NodeClaim) async throws -> Set<LeaderRole> {
        try with { state in
            _ = try check(claim, state)
            state.roles = state.roles.filter { $0.value != claim || roles.contains($0.key) }
            for role in roles where state.roles[role] == nil { state.roles[role] = claim }
            return roles.filter { state.roles[$0] == claim }
        }
    }

    func resign(_ claim: NodeClaim) async throws {
        try with { state in state.roles = state.roles.filter { $0.value != claim } }
    }

    // MARK: - The logs

    func feedEnd() async throws -> FeedPositions {
        try await compare(as: NodeID(rawValue: 99))
        return try with { positions(in: $0.log) }
    }

    private func positions(in log: [FeedEntry]) -> FeedPositions {
        log.reduce(into: [:]) { $0[$1.node] = max($0[$1.node] ?? 0, $1.position) }
    }

    /// Every commit is answered.
    func takeUnansweredPosition() async throws -> Int64? { nil }

    func changes(after positions: FeedPositions, for reader: NodeID, limit: Int) async throws -> FeedPage {
        // Nobody knows who made a change: all are of one node that is not the reader.
        try await compare(as: NodeID(rawValue: 99))
        return try with { state in
            let entries = state.log.filter { $0.node != reader && $0.position > positions[$0.node] ?? 0 }
            let page = Array(entries.prefix(limit))
            let through = self.positions(in: page.count < entries.count ? page : state.log)
            return FeedPage(
                entries: page,
                through: through.merging(positions) { max($0, $1) },
                hasMore: page.count < entries.count
            )
        }
    }

    /// Adds entries for the apps and devices that have changed since the last look.
    ///
    /// A device that was added after a look is missing from it. Compared after a later look that has the device, the earlier one would log
    /// a deletion, which is final. So it counts only if no other look was compared since it began.
    private func compare(as node: NodeID) async throws {
        while true {
            let before = state.withLock(\.looks)
            let apps = try await store.apps()
            var devices: [App.ID: [RegisteredDevice]] = [:]
            for app in apps { devices[app.id] = try await store.devices(of: app.id, from: 0, limit: 10_000) }
            try await state.withLock { $0.afterLook.take() }?()
            let look = devices
            let isNewest = state.withLock { state in
                guard state.looks == before else { return false }
                state.looks += 1
                if apps != state.apps { append(.apps, of: node, to: &state) }
                state.apps = apps
                for app in apps { note(look[app.id] ?? [], of: app.id, as: node, in: &state) }
                return true
            }
            if isNewest { return }
        }
    }

    /// Adds entries for the devices of an app that have changed.
    private func note(_ devices: [RegisteredDevice], of app: App.ID, as node: NodeID, in state: inout State) {
        for device in devices where state.seen[device.id] != device.version {
            state.seen[device.id] = device.version
            append(.device(device.audienceEntry), of: node, to: &state)
        }
        let gone = Set(state.seen.keys.filter { $0.app == app }).subtracting(devices.map(\.id))
        for device in gone {
            state.seen[device] = nil
            append(.deviceDeleted(device), of: node, to: &state)
        }
    }

    private func append(_ change: FeedChange, of node: NodeID, to state: inout State) {
        let last = state.log.last { $0.node == node }?.position ?? 0
        state.log.append(FeedEntry(node: node, position: last + 1, change: change))
    }

    func deleteChanges(olderThan age: Duration, limit: Int) async throws -> Bool { false }

    func lookUp(_ names: DeviceNames, of app: App.ID) async throws -> FoundDevices {
        let devices = try await store.devices(of: app, from: 0, limit: 10_000).filter { device in
            names.ordinals.contains(device.id.ordinal) || device.alias.map(names.aliases.contains) == true
        }
        return FoundDevices(devices: devices.map(\.audienceEntry), importedIDs: [])
    }

    func updateDevice(
        _ id: DeviceID,
        keepingTags tags: [String],
        claiming claim: AliasClaim,
        _ change: @escaping @Sendable (inout RegisteredDevice) throws -> Void
    ) async throws -> [RegisteredDevice] {
        let others = try await store.devices(of: id.app, from: 0, limit: 10_000).filter { device in
            device.alias == claim.alias && device.lastSeen >= claim.activeSince && device.id != id
        }
        let linked = try await nodes(of: others.map(\.id))
        let holders = others.map { device in
            AliasPlaceHolder(
                device.id.ordinal,
                lastSeen: device.lastSeen,
                isProved: device.isAliasProved,
                isLinked: linked[device.id] != nil
            )
        }
        guard let losers = claim.losers(among: holders, count: holders.count - claim.limit + 1) else {
            throw AliasIsFull(claim.alias)
        }
        let changed = try await store.updateDevices([id.ordinal] + losers, of: id.app, keepingTags: tags) { device in
            if device.id == id { try change(&device) } else { device.lose(claim.alias) }
        }
        if changed.contains(where: { $0.id == id }) { return changed }
        return try await store.devices([id.ordinal], of: id.app) + changed
    }

    // MARK: - Links

    func enter(_ devices: [DeviceID], at claim: NodeClaim) async throws -> [DeviceID: Int64] {
        try with { state in
            _ = try check(claim, state)
            return devices.reduce(into: [:]) { numbers, device in
                let before = state.links[device]
                let number = (before?.number ?? 0) + 1
                state.links[device] = (claim, number)
                numbers[device] = number
                guard let other = before?.claim, other.node != claim.node, isAlive(other, state) else { return }
                append(.linkMoved(device, from: other.node, number: number), of: claim.node, to: &state)
            }
        }
    }

    private func isAlive(_ claim: NodeClaim, _ state: State) -> Bool {
        state.members[claim.node].map { $0.record.claim == claim && !$0.isOver } ?? false
    }

    func keep(_ links: [DeviceID: Int64], at claim: NodeClaim) async throws -> Set<DeviceID> {
        try with { state in
            _ = try check(claim, state)
            let kept = links.filter { device, number in
                state.links[device].map { $0.number == number && $0.claim?.node == claim.node } ?? false
            }
            for device in kept.keys { state.links[device]?.claim = claim }
            return Set(kept.keys)
        }
    }

    func leave(_ links: [DeviceID: Int64], at claim: NodeClaim) async throws {
        try with { state in
            for (device, number) in links where state.links[device]?.number == number {
                state.links[device]?.claim = nil
            }
        }
    }

    func nodes(of devices: [DeviceID]) async throws -> [DeviceID: NodeID] {
        try with { state in
            devices.reduce(into: [:]) { nodes, device in
                guard let claim = state.links[device]?.claim, isAlive(claim, state) else { return }
                nodes[device] = claim.node
            }
        }
    }

    func mail(
        for node: NodeID,
        after position: Int64,
        limit: Int,
        audiencesOf apps: Set<App.ID>
    ) async throws -> NodeMail {
        let records = try await store.customMessages(after: position, limit: limit, audiencesOf: apps)
        return try with { state in
            let own = records.filter { record in
                guard record.audience.count == 1, record.audience[0].ordinals.count == 1 else { return true }
                let device = DeviceID(app: record.app, ordinal: record.audience[0].ordinals[0])
                return state.links[device]?.claim?.node == node
            }
            return NodeMail(messages: own, through: records.last?.position ?? position)
        }
    }

    // MARK: - Rates

    func deleteWindows(limit: Int) async throws -> Bool {
        let now = clock.date
        return try with { state in
            let ended = state.windows.filter { $0.value.end <= now }.keys.prefix(limit)
            for key in ended { state.windows[key] = nil }
            return ended.count == limit
        }
    }

    func take(_ calls: Int, of limit: Int, for key: String) async throws -> RateShare {
        let now = clock.date
        return try with { state in
            var window = state.windows[key] ?? (0, 0, .distantPast)
            if window.end <= now {
                let end = now.addingTimeInterval(60)
                window = (Int64(end.timeIntervalSince1970 * 1000), 0, end)
            }
            let calls = min(calls, limit - window.used)
            window.used += calls
            state.windows[key] = window
            return RateShare(
                window: window.number,
                calls: calls,
                left: limit - window.used,
                ends: .seconds(window.end.timeIntervalSince(now))
            )
        }
    }
}

/// The bell between nodes of one process; a deaf node hears nothing and only looks each second.
final class BellInMemory: Sendable {
    final class End: Bell {
        private let tower: BellInMemory
        private let number: Int
        private let clock: any CivilClock
        private let signal = LocalWorkSignal()
        private let heard = Mutex(BellTopics())

        fileprivate init(_ tower: BellInMemory, _ number: Int, _ clock: any CivilClock) {
            self.tower = tower
            self.number = number
            self.clock = clock
        }

        func ring(_ topics: BellTopics) async throws { tower.ring(topics, from: number) }

        fileprivate func hear(_ topics: BellTopics) {
            heard.withLock { $0.formUnion(topics) }
            signal.raise()
        }

        func wait() async -> BellTopics {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.signal.wait() }
                group.addTask { try? await self.clock.sleep(for: .seconds(1)) }
                await group.next()
                group.cancelAll()
            }
            return heard.withLock { topics in
                defer { topics = [] }
                return topics
            }
        }
    }

    private let clock: any CivilClock
    private let isDeaf: Bool
    private let ends = Mutex<[End]>([])

    init(clock: any CivilClock, isDeaf: Bool = false) { (self.clock, self.isDeaf) = (clock, isDeaf) }

    func makeEnd() -> End {
        ends.withLock { ends in
            let end = End(self, ends.count, clock)
            ends.append(end)
            return end
        }
    }

    private func ring(_ topics: BellTopics, from number: Int) {
        guard !isDeaf else { return }
        for (index, end) in ends.withLock({ $0 }).enumerated() where index != number { end.hear(topics) }
    }
}
