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
        try holders(of: CollectionOfOne(token), app: app, in: database)
    }

    /// Returns the devices that have one of these tokens.
    func holders(
        of tokens: some Collection<DeviceToken>,
        app: App.ID,
        in database: Database
    ) throws -> [DeviceOrdinal] {
        let candidates = try state.withLock { state in
            if state.apps[app] == nil {
                state.apps[app] = try Self.read(app, from: database)
                state.readNow.insert(app)
            }
            guard let known = state.apps[app] else { return [] as [(token: DeviceToken, ordinal: DeviceOrdinal)] }
            return tokens.flatMap { token in known.devices(HashedOrdinals.hash(token)).map { (token, $0) } }
        }
        guard !candidates.isEmpty else { return [] }
        let statement = try database.cachedStatement(sql: "SELECT token FROM device WHERE app = ? AND ordinal = ?")
        return try candidates.filter { candidate in
            try Data?.fetchOne(statement, arguments: [app, candidate.ordinal]).flatMap(\.self).map(Array.init)
                == candidate.token.bytes
        }.map(\.ordinal)
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
            table.read(entries)
            entries.removeAll(keepingCapacity: true)
        }
        table.read(entries)
        table.makeIndex()
        return table
    }

    /// Notes devices of one app that are about to be written.
    func note(_ devices: some Collection<RegisteredDevice>) {
        guard let app = devices.first?.id.app else { return }
        state.withLock { state in
            for device in devices {
                // Apps without lookups are not read.
                let hash = device.token.map { HashedOrdinals.hash($0) } ?? 0
                guard let old = state.apps[app]?.set(hash, of: device.id.ordinal) else { return }
                if old != hash { state.changes.append((device.id, old)) }
            }
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
