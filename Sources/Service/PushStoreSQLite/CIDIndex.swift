import Foundation
import GRDB
import PushModel
import PushService
import Synchronization

/// Finds the message of a cid, in memory.
///
/// Cids are random: on disk, those of a batch would have a transaction write a page for each of them. What it says is looked up
/// in the messages' rows, so it may name too many of them, those of a transaction that failed among them, but never too few of
/// those whose cids still count.
///
/// Filled when it is first asked, and anew when another process has written to the file. All calls come from the one who writes
/// to the database.
final class CIDIndex: Sendable {
    /// Cids of some hours.
    private struct Generation {
        var start: Int64
        var messages = CIDTable()
    }

    private struct State {
        /// The youngest last; nil before they were read.
        var generations: [Generation]?
        /// What SQLite counts up with each commit of others.
        var version: Int64?
    }

    /// Milliseconds that one generation takes in.
    private static let span: Int64 = 12 * 3_600_000
    /// So many hold a day and what a clock that jumps ahead has begun.
    private static let mostGenerations = 4

    /// Whether a key names the firing of a schedule. Such are found in their table alone.
    static func isFiring(_ key: String) -> Bool { key.hasPrefix("schedule ") }

    private let state = Mutex(State())
    private let damage: DamageLog

    init(_ damage: DamageLog) { self.damage = damage }

    /// To be called first in each transaction.
    func begin(in database: Database) throws {
        let version = try Int64.fetchOne(database.cachedStatement(sql: "PRAGMA data_version"))
        state.withLock { state in
            if state.version != version { state.generations = nil }
            state.version = version
        }
    }

    /// Messages that may have the cid.
    func candidates(_ cid: String, app: App.ID, since: Int64, in database: Database) throws -> [Int64] {
        try state.withLock { state in
            try readIfNeeded(&state, since: since, in: database)
            return Self.candidates(Self.hash(cid, app), in: state)
        }
    }

    /// The message is about to be written with the cid, after it was asked for; those used before `since` may be forgotten.
    func add(_ cid: String, of message: Int64, app: App.ID, at date: Int64, since: Int64) {
        state.withLock { Self.add(Self.hash(cid, app), message, at: date, since: since, &$0) }
    }

    /// Asks for the cids of a batch, and takes in those that are new.
    ///
    /// - Returns: for the others, by their places, the messages that may have the same cid.
    func add(
        _ batch: MessageBatch,
        at date: Int64,
        since: Int64,
        in database: Database
    ) throws -> [Int: [Int64]] {
        try state.withLock { state in
            try readIfNeeded(&state, since: since, in: database)
            let hashes = batch.entries.map { Self.hash($0.cid, batch.app) }
            let areNew = hashes.map { hash in state.generations?.allSatisfy { $0.messages.hasNone(hash) } ?? true }
            var known: [Int: [Int64]] = [:]
            for (place, hash) in hashes.enumerated() {
                // Another of this batch may have come to its place meanwhile; all of them differ.
                let candidates = areNew[place] ? [] : Self.candidates(hash, in: state)
                if candidates.isEmpty {
                    Self.add(hash, batch.entries[place].id.number, at: date, since: since, &state)
                } else {
                    known[place] = candidates
                }
            }
            return known
        }
    }

    private static func candidates(_ hash: UInt64, in state: borrowing State) -> [Int64] {
        var candidates: [Int64] = []
        guard let generations = state.generations else { return candidates }
        for place in generations.indices { generations[place].messages.find(hash, into: &candidates) }
        return candidates
    }

    private static func add(_ hash: UInt64, _ message: Int64, at date: Int64, since: Int64, _ state: inout State) {
        if state.generations?.last.map({ date >= $0.start + span }) ?? true {
            state.generations?.append(Generation(start: date))
            // One ends where the next begins.
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
        var read = State(generations: [], version: state.version)
        let cids = try Row.fetchCursor(database, sql: "SELECT app, cid, message, usedAt FROM cid ORDER BY usedAt")
        while let row = try cids.next() {
            let cid: String = row["cid"]
            guard !Self.isFiring(cid) else { continue }
            Self.add(Self.hash(cid, row["app"]), row["message"], at: row["usedAt"], since: since, &read)
        }
        let batches = try Row.fetchCursor(
            database,
            sql: """
                SELECT message.app, first, batch.acceptedAt, names FROM batch JOIN message ON message.id = first
                WHERE batch.acceptedAt >= ? ORDER BY batch.acceptedAt
                """,
            arguments: [since]
        )
        while let row = try batches.next() {
            let app: App.ID = row["app"]
            let names = try damage.readable("batch \(row["first"] as Int64)") {
                try BatchNames(packed: row["names"]).names
            }
            for name in names ?? [] {
                Self.add(Self.hash(name.cid, app), name.id.number, at: row["acceptedAt"], since: since, &read)
            }
        }
        state = read
    }
}
