import Foundation
package import PushClock
package import PushModel

/// Imports devices from another push service.
///
/// Their registration ids keep working: each refers to the device with the token that it was imported with, even if the app
/// registers later and also gets an id from Posthorn.
package struct DeviceImporter: Sendable {
    let store: any DeviceImportStore & DeviceStore
    let registry: Registry
    let clock: any CivilClock

    package init(store: any DeviceImportStore & DeviceStore, registry: Registry, clock: any CivilClock) {
        self.store = store
        self.registry = registry
        self.clock = clock
    }

    /// The number of rows in one transaction; other writes run in between.
    package static let limit = 5000

    /// Imports rows in one transaction, with an environment for those that name none. When this returns, they are on disk.
    package func add(_ rows: [DeviceImport], of app: App.ID, environment: APNSEnvironment) async throws -> ImportAnswer
    {
        let now = clock.date
        var rejected: [ImportAnswer.Rejection] = []
        var taken: [(row: DeviceImport, own: DeviceOrdinal?)] = []
        var indices: [Int] = []
        taken.reserveCapacity(rows.count)
        indices.reserveCapacity(rows.count)
        // Rows are checked together as far as possible: most have neither a crowded alias nor a new tag.
        let crowded = registry.crowdedAliases(rows.compactMap(\.newAlias), of: app)
        var newHolders: [ExactText: Set<DeviceToken>] = [:]
        let unkept = registry.unkept(rows.lazy.compactMap(\.tags).joined(), of: app)
        let claim = unkept.isEmpty ? nil : try? registry.claim(unkept.lazy.map(\.text), from: .backend, of: app)
        let claimsEach = !unkept.isEmpty && claim == nil
        var claims = [claim].compactMap(\.self)
        defer { for claim in claims { registry.release(claim) } }
        for (index, row) in rows.enumerated() {
            do {
                let own = try ownDevice(row.registrationID, of: app)
                if let alias = row.newAlias, crowded.contains(KeyedHash.hash(alias)) {
                    try check(alias, of: row, app, at: now, holders: &newHolders)
                }
                if claimsEach, let claim = try self.claim(row.tags ?? [], of: app) { claims.append(claim) }
                taken.append((row, own))
                indices.append(index)
            } catch {
                rejected.append(.init(index: index, problem: error.description))
            }
        }
        var generator = SystemRandomNumberGenerator()
        let result = try await store.importDevices(
            taken,
            of: app,
            environment: environment,
            installation: generator.hexadecimalDigits(16),
            // The devices have not been seen yet: they are neither online nor inactive.
            seenAt: now.addingTimeInterval(-TimeInterval(JPushLimits.onlineSeconds + 1))
        )
        for index in result.withFullAlias {
            guard let alias = taken[index].row.newAlias else { continue }
            rejected.append(.init(index: indices[index], problem: Self.fullAlias(alias).description))
        }
        rejected.sort { $0.index < $1.index }
        if result.outcomes.allSatisfy({ $0 == .created }) {
            registry.add(result.devices)
        } else {
            registry.apply(result.devices)
        }
        if !unkept.isEmpty {
            let stored = result.devices.lazy.flatMap { $0.tags.lazy.map { ExactText($0) } }
            try await keep(unkept.intersection(stored), of: app)
        }
        for stale in registry.apply(result.ids) {
            if let id = try await store.importedID(stale.id, of: app) { registry.apply([id]) }
        }
        return ImportAnswer(result.outcomes, rejected: rejected)
    }

    private func claim(_ tags: [String], of app: App.ID) throws(DeviceImport.Problem) -> TagClaim? {
        guard !tags.isEmpty else { return nil }
        do { return try registry.claim(tags, from: .backend, of: app) } catch { throw DeviceImport.Problem("\(error)") }
    }

    /// Keeps tags as those of the app's backend, not only of its devices.
    private func keep(_ tags: Set<ExactText>, of app: App.ID) async throws {
        let new = tags.map(\.text)
        guard !new.isEmpty else { return }
        _ = try await store.updateDevices([], of: app, keepingTags: new) { _ in }
        registry.add(new, of: app)
    }

    /// Returns the device with an id that this service created; nil if another service created the id.
    private func ownDevice(_ id: RegistrationID?, of app: App.ID) throws(DeviceImport.Problem) -> DeviceOrdinal? {
        guard let id, let device = registry.registrationIDs.device(of: id), device.app == app else { return nil }
        guard registry.device(id, of: app) != nil else {
            throw DeviceImport.Problem(
                "'registration_id' is '\(id)', an id of this service that no device of the app has; expected another service's id."
            )
        }
        return device.ordinal
    }

    /// Checks that no more devices share a crowded alias than allowed, including those of earlier rows.
    private func check(
        _ alias: String,
        of row: DeviceImport,
        _ app: App.ID,
        at now: Date,
        holders newHolders: inout [ExactText: Set<DeviceToken>]
    ) throws(DeviceImport.Problem) {
        let known = row.registrationID.flatMap { registry.device($0, of: app) }
        let holders = registry.devices(withAlias: alias, of: app, activeAt: now)
        guard !holders.contains(where: { $0 == known || registry.token(of: $0) == row.token }) else { return }
        var others = newHolders[ExactText(alias), default: []]
        others.insert(row.token)
        guard holders.count + others.count <= JPushLimits.devicesPerAlias else { throw Self.fullAlias(alias) }
        newHolders[ExactText(alias)] = others
    }

    private static func fullAlias(_ alias: String) -> DeviceImport.Problem {
        DeviceImport.Problem(
            "'alias' is '\(alias)', which \(JPushLimits.devicesPerAlias) devices have already; expected another, or none."
        )
    }
}
