import Foundation
import GRDB
import PushModel
import PushService
import Synchronization

/// An in-memory index from cids to messages.
///
/// Cids are random: with an index on disk, a transaction would write a page for each cid of a batch. The index may return false
/// positives, such as messages of a failed transaction, but no false negatives for cids that still count; callers check the
/// messages' rows.
///
/// It is filled on first use. All calls come from the database writer.
final class CIDIndex: Sendable {
    /// The cids of a few hours.
    private struct Generation {
        var start: Int64
        var messages = CIDTable()
    }

    private struct State {
        /// The generations, the newest last; nil before they are read.
        var generations: [Generation]?
    }

    /// The time span of one generation, in milliseconds.
    private static let span: Int64 = 12 * 3_600_000
    /// The number of generations that cover a day, plus those that a forward clock jump starts.
    private static let mostGenerations = 4

    private let state = Mutex(State())
    private let damage: DamageLog

    init(_ damage: DamageLog) { self.damage = damage }

    /// Returns the messages that may have the cid.
    func candidates(_ cid: String, app: App.ID, since: Int64, in database: Database) throws -> [Int64] {
        try state.withLock { state in
            try readIfNeeded(&state, since: since, in: database)
            return Self.candidates(Self.hash(cid, app), in: state)
        }
    }

    /// Adds a message that is about to be written with the cid, after a lookup; cids used before `since` may be dropped.
    func add(_ cid: String, of message: Int64, app: App.ID, at date: Int64, since: Int64) {
        state.withLock { Self.add(Self.hash(cid, app), of: message, at: date, since: since, to: &$0) }
    }

    /// Looks up the cids of a batch, and adds the new ones.
    ///
    /// - Returns: the messages that may have the same cids as the others, by place.
    func add(
        _ entries: [MessageBatch.Entry],
        app: App.ID,
        at date: Int64,
        since: Int64,
        in database: Database
    ) throws -> [Int: [Int64]] {
        try state.withLock { state in
            try readIfNeeded(&state, since: since, in: database)
            let hashes = entries.map { Self.hash($0.cid, app) }
            let areNew = Self.areNew(hashes, in: state)
            var known: [Int: [Int64]] = [:]
            for (place, hash) in hashes.enumerated() {
                // An earlier cid of this batch with the same hash does not count: all cids of a batch differ.
                let candidates = areNew[place] ? [] : Self.candidates(hash, in: state)
                if candidates.isEmpty {
                    Self.add(hash, of: entries[place].id.number, at: date, since: since, to: &state)
                } else {
                    known[place] = candidates
                }
            }
            return known
        }
    }

    /// Returns, for each hash, whether there is certainly no message with it.
    private static func areNew(_ hashes: [UInt64], in state: borrowing State) -> [Bool] {
        let generations = state.generations ?? []
        return hashes.map { hash in generations.indices.allSatisfy { generations[$0].messages.hasNone(hash) } }
    }

    private static func candidates(_ hash: UInt64, in state: borrowing State) -> [Int64] {
        var candidates: [Int64] = []
        guard let generations = state.generations else { return candidates }
        for place in generations.indices { generations[place].messages.find(hash, into: &candidates) }
        return candidates
    }

    private static func add(_ hash: UInt64, of message: Int64, at date: Int64, since: Int64, to state: inout State) {
        if (state.generations?.last?.start).map({ date >= $0 + span }) ?? true {
            state.generations?.append(Generation(start: date))
            // A generation ends where the next one begins.
            while let generations = state.generations, generations.count > mostGenerations,
                generations[1].start < since
            {
                state.generations?.removeFirst()
            }
        }
        guard let last = state.generations?.indices.last else { return }
        state.generations?[last].messages.insert(message, hash)
    }

    private static func hash(_ cid: String, _ app: App.ID) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(app)
        hasher.combine(cid)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    private func readIfNeeded(_ state: inout State, since: Int64, in database: Database) throws {
        guard state.generations == nil else { return }
        var read = State(generations: [])
        try UsedCID.read(from: database, inBatchesSince: since, damage) { used in
            guard !FiringKey.isKey(used.cid) else { return }
            let hash = Self.hash(used.cid, App.ID(truncatingIfNeeded: used.app))
            Self.add(hash, of: used.message, at: used.usedAt, since: since, to: &read)
        }
        state = read
    }
}

extension UsedCID {
    /// Reads the cids of single pushes and of firings, in the order of their use, then those of batches since a date, in milliseconds
    /// since 1970.
    static func read(
        from database: Database,
        inBatchesSince date: Int64,
        _ damage: DamageLog,
        _ body: (UsedCID) throws -> Void
    ) throws {
        let cids = try Row.fetchCursor(
            database,
            sql: "SELECT app, cid, message, sendno, usedAt FROM cid ORDER BY usedAt"
        )
        while let row = try cids.next() {
            try body(
                UsedCID(
                    app: row["app"],
                    cid: row["cid"],
                    message: row["message"],
                    sendno: row["sendno"],
                    usedAt: row["usedAt"]
                )
            )
        }
        let batches = try Row.fetchCursor(
            database,
            sql: """
                SELECT message.app, first, batch.acceptedAt, names FROM batch JOIN message ON message.id = first
                WHERE batch.acceptedAt >= ? ORDER BY batch.acceptedAt
                """,
            arguments: [date]
        )
        while let row = try batches.next() {
            let app: Int64 = row["app"]
            let names = try damage.readable("batch \(row["first"] as Int64)") {
                try BatchNames(packed: row["names"] as Data).names
            }
            for name in names ?? [] {
                try body(
                    UsedCID(
                        app: app,
                        cid: name.cid,
                        message: name.id.number,
                        sendno: Int64(name.sendno),
                        usedAt: row["acceptedAt"]
                    )
                )
            }
        }
    }
}
