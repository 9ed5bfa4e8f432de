import Foundation
package import PushClock
package import PushModel

/// Takes devices over that others have served.
///
/// Their registration ids keep working: each leads to the device with the token that it came with, also when the app
/// registers later and has an id of Posthorn's own making besides.
package struct DeviceImporter: Sendable {
    let store: any PushStore
    let registry: Registry
    let clock: any CivilClock

    package init(store: any PushStore, registry: Registry, clock: any CivilClock) {
        self.store = store
        self.registry = registry
        self.clock = clock
    }

    /// Rows that one transaction takes: others write between.
    package static let limit = 5000

    package struct Tally: Sendable {
        /// Rows by what came of them.
        package var counts: [ImportResult.Outcome: Int] = [:]
        /// By the row's place, in rising order.
        package var rejected: [(index: Int, problem: String)] = []
    }

    /// Takes in rows in one transaction. When this returns they are on disk.
    ///
    /// `environment`: of rows that say none.
    package func take(
        _ rows: [DeviceImport],
        of app: App.ID,
        environment: APNSEnvironment
    ) async throws -> Tally {
        let now = clock.date
        var tally = Tally()
        var taken: [(row: DeviceImport, own: DeviceOrdinal?)] = []
        var newHolders: [String: Set<DeviceToken>] = [:]
        for (index, row) in rows.enumerated() {
            do {
                let own = try ownDevice(row.registrationID, of: app)
                try checkAlias(of: row, app, at: now, &newHolders)
                taken.append((row, own))
            } catch {
                tally.rejected.append((index, error.description))
            }
        }
        var generator = SystemRandomNumberGenerator()
        let result = try await store.importDevices(
            taken,
            of: app,
            environment: environment,
            installation: generator.hexadecimalDigits(16),
            // Nobody has seen them: they are not online, and not gone either.
            seenAt: now.addingTimeInterval(-TimeInterval(JPushLimits.onlineSeconds + 1))
        )
        registry.apply(result.devices)
        for stale in registry.apply(result.ids) {
            if let id = try await store.importedID(stale.id, of: app) { registry.apply([id]) }
        }
        for outcome in result.outcomes { tally.counts[outcome, default: 0] += 1 }
        return tally
    }

    /// The device that has an id of the service's own making; nil if the id is another's.
    private func ownDevice(
        _ id: RegistrationID?,
        of app: App.ID
    ) throws(DeviceImport.Problem) -> DeviceOrdinal? {
        guard let id, let device = registry.registrationIDs.device(of: id), device.app == app else { return nil }
        guard registry.device(id, of: app) != nil else {
            throw DeviceImport.Problem(
                "'registration_id' is '\(id)', an id of this service that no device of the app has; expected an id of others."
            )
        }
        return device.ordinal
    }

    /// As many devices as may share an alias, those of earlier rows among them.
    private func checkAlias(
        of row: DeviceImport,
        _ app: App.ID,
        at now: Date,
        _ newHolders: inout [String: Set<DeviceToken>]
    ) throws(DeviceImport.Problem) {
        guard case .set(let alias) = row.alias else { return }
        let known = row.registrationID.flatMap { registry.device($0, of: app) }
        let holders = registry.devices(withAlias: alias, of: app, activeAt: now)
        guard !holders.contains(where: { $0 == known || registry.token(of: $0) == row.token }) else { return }
        var others = newHolders[alias, default: []]
        others.insert(row.token)
        guard holders.count + others.count <= JPushLimits.devicesPerAlias else {
            throw DeviceImport.Problem(
                "'alias' is '\(alias)', which \(JPushLimits.devicesPerAlias) devices have already; expected another, or none."
            )
        }
        newHolders[alias] = others
    }
}
