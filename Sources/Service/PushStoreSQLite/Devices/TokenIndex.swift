import Foundation
import GRDB
import PushModel
import PushService
import PushStoreSQL
import Synchronization

/// An in-memory index from tokens to devices.
///
/// Tokens are random: with an index on disk, each transaction would write a page for each of its devices, and a million devices
/// took a minute. The index may have false positives, but no false negatives; ``holders(of:app:in:)`` checks the device's row.
///
/// It is filled from the rows of an app on first use. All calls come from the database writer: the lock of the data folder keeps
/// other processes from writing to the file.
final class TokenIndex: Sendable {
    private struct State {
        var apps: [App.ID: HashedOrdinals] = [:]
        /// The changes since the last commit, with the previous values.
        var changes: [(device: DeviceID, hash: UInt64)] = []
        /// The apps that were read in this transaction, including changes that may still be rolled back.
        var readNow: Set<App.ID> = []
    }

    private let state = Mutex(State())

    /// Returns the devices that have the token.
    func holders(of token: DeviceToken, app: App.ID, in database: Database) throws -> [DeviceOrdinal] {
        let candidates = try state.withLock { state in
            if let known = state.apps[app] { return known.devices(HashedOrdinals.hash(token)) }
            let known = try Self.read(app, from: database)
            state.apps[app] = known
            state.readNow.insert(app)
            return known.devices(HashedOrdinals.hash(token))
        }
        guard !candidates.isEmpty else { return [] }
        let statement = try database.cachedStatement(sql: "SELECT token FROM device WHERE app = ? AND ordinal = ?")
        return try candidates.filter { ordinal in
            try Data?.fetchOne(statement, arguments: [app, ordinal]).flatMap(\.self).map(Array.init) == token.bytes
        }
    }

    private static func read(_ app: App.ID, from database: Database) throws -> HashedOrdinals {
        let statement = try database.makeStatement(
            sql: "SELECT \(DeviceColumn.names(before: .version)) FROM device WHERE app = ? AND token IS NOT NULL"
        )
        try statement.setArguments([app])
        let row = DeviceRow(statement)
        var table = HashedOrdinals()
        var entries: [(ordinal: DeviceOrdinal, hash: UInt64)] = []
        while try row.step() {
            if let token = row.token { entries.append((row.ordinal, HashedOrdinals.hash(token))) }
            guard entries.count == 8192 else { continue }
            table.add(entries)
            entries.removeAll(keepingCapacity: true)
        }
        table.add(entries)
        return table
    }

    /// Notes a device that is about to be written.
    func note(_ device: RegisteredDevice) {
        state.withLock { state in
            // Apps without lookups are not read.
            let hash = device.token.map { HashedOrdinals.hash($0) } ?? 0
            guard let old = state.apps[device.id.app]?.set(hash, of: device.id.ordinal), old != hash else { return }
            state.changes.append((device.id, old))
        }
    }

    /// Prepares the index for a transaction; must be called first in each one.
    func begin() {
        state.withLock { state in
            state.changes = []
            state.readNow = []
        }
    }

    /// A mark of the changes so far, for ``undo(to:)``.
    var mark: Int { state.withLock { $0.changes.count } }

    /// Undoes the changes after the mark, which were rolled back.
    func undo(to mark: Int) {
        state.withLock { state in
            for app in state.readNow { state.apps[app] = nil }
            state.readNow = []
            while state.changes.count > mark, let change = state.changes.popLast() {
                state.apps[change.device.app]?.set(change.hash, of: change.device.ordinal)
            }
        }
    }
}
