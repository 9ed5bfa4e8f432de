import Foundation
import Logging
import PostgresTestSupport
import PushModel
import PushService
import PushStoreConformance
import TestSupport
import Testing

@testable import PostgresClient
@testable import PushStorePostgres

@Suite("Cids in the partitions of PostgreSQL", .suiteLimit)
struct PostgresCIDTests {
    private static let day: Int64 = 86_400_000
    /// An evening: the day of the calendar ends within the tests.
    private static let start: Int64 = 1_767_221_990_000

    /// The stores of two nodes.
    private static func withNodes(
        _ body: (PostgresStore, PostgresStore, PostgresPool) async throws -> Void
    ) async throws {
        try await PostgresDatabase.with { pool in
            try await body(PostgresStore(pool, node: 1), PostgresStore(pool, node: 2), pool)
        }
    }

    private static func push(_ id: Int64, _ cid: String, at date: Int64) -> PreparedPush {
        var message = PushStoreContract.message(id, of: 1, at: Date(milliseconds: date), cid: cid)
        message.sendno = UInt32(id)
        return PreparedPush(message: message, chunks: [], isPaced: false)
    }

    /// - Returns: the message that stands for the cid: this one, or an earlier one.
    private static func accept(
        _ id: Int64,
        _ cid: String,
        at date: Int64,
        in store: PostgresStore
    ) async throws -> Int64 {
        let since = Date(milliseconds: date - day)
        let earlier = try await store.accept([push(id, cid, at: date)], cidsSince: since).first ?? nil
        if let earlier { #expect(Int64(earlier.sendno) == earlier.messageID.number) }
        return earlier?.messageID.number ?? id
    }

    private static func turn(at date: Int64, in store: PostgresStore) async throws -> Bool {
        try await CIDRotation.turn(usedBefore: date - day, at: date, in: store)
    }

    private static func expectTurn(
        at date: Int64,
        in store: PostgresStore,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let hasTurned = try await turn(at: date, in: store)
        #expect(hasTurned, sourceLocation: sourceLocation)
    }

    /// Uses a cid in a transaction that has not ended.
    private static func claim(_ id: Int64, _ cid: String, at date: Int64, in connection: PostgresConnection) throws {
        var claims = CIDClaims()
        let message = push(id, cid, at: date).message
        claims.add(message, since: date - day)
        try claims.write(in: connection)
        #expect(claims.earlier(than: message).earlier == nil)
    }

    private static func waitForLock(_ pool: PostgresPool) async throws {
        try await eventually("a session waits for a lock") {
            try await pool.run { connection in
                try !connection.execute(
                    """
                    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' LIMIT 1
                    """
                ).isEmpty
            }
        }
    }

    @Test("A cid has one push for a day, whatever partition it is in, and is free afterwards")
    func life() async throws {
        try await Self.withNodes { first, second, pool in
            #expect(try await Self.accept(1, "a", at: Self.start, in: first) == 1)
            try await Self.expectTurn(at: Self.start + 1, in: first)
            // The next day by the calendar.
            let morning = Self.start + 20_000
            #expect(try await Self.accept(2, "a", at: morning, in: second) == 1)
            #expect(try await Self.accept(3, "b", at: morning, in: second) == 3)
            let tooEarly = try await Self.turn(at: Self.start + Self.day, in: first)
            #expect(!tooEarly, "The closed partition has uses that count.")
            #expect(try await Self.accept(4, "a", at: Self.start + Self.day, in: second) == 1)
            #expect(try await Self.accept(5, "a", at: Self.start + Self.day + 1, in: second) == 5)
            let later = Self.start + Self.day + 10
            try await Self.expectTurn(at: later, in: second)
            let since = Date(milliseconds: later - Self.day)
            let found = try await first.results(ofCIDs: ["a", "b", "c"], app: 1, since: since)
            #expect(found.map { $0?.messageID.number } == [5, 3, nil])
            let rows = try await pool.run { try $0.execute("SELECT count(*) FROM usedCID").first?.int(0) }
            #expect(rows == 2)
        }
    }

    @Test("Uses by a node whose clock is ahead survive the change of partitions")
    func clockAhead() async throws {
        try await Self.withNodes { first, second, _ in
            let ahead = Self.start + 3_600_000
            #expect(try await Self.accept(1, "a", at: ahead, in: second) == 1)
            try await Self.expectTurn(at: Self.start, in: first)
            try await Self.expectTurn(at: Self.start + Self.day + 1, in: first)
            #expect(try await Self.accept(2, "a", at: ahead + Self.day, in: first) == 1)
            #expect(try await Self.accept(3, "a", at: ahead + Self.day + 1, in: first) == 3)
        }
    }

    @Test("One of two concurrent accepts wins; partitions change before or after both")
    func concurrency() async throws {
        try await Self.withNodes { _, second, pool in
            let holder = try PostgresConnection(pool.configuration.info)
            try holder.executeScript("BEGIN")
            try Self.claim(1, "a", at: Self.start, in: holder)
            let late = try await Self.turn(at: Self.start, in: second)
            #expect(!late, "A use is being written to the open partition.")
            async let other = Self.accept(2, "a", at: Self.start + 20_000, in: second)
            try await Self.waitForLock(pool)
            try holder.executeScript("COMMIT")
            #expect(try await other == 1)
            try await Self.expectTurn(at: Self.start, in: second)
        }
    }

    @Test("An accept that comes while partitions change sees what was written before")
    func change() async throws {
        try await Self.withNodes { first, second, pool in
            #expect(try await Self.accept(1, "a", at: Self.start, in: first) == 1)
            let holder = try PostgresConnection(pool.configuration.info)
            try holder.executeScript("BEGIN")
            let hasTurned = try CIDRotation.turn(
                usedBefore: Self.start - Self.day,
                at: Self.start,
                in: StoreSession(holder)
            )
            #expect(hasTurned)
            let other = try await Self.turn(at: Self.start, in: first)
            #expect(!other, "Another node is at it.")
            async let again = Self.accept(2, "a", at: Self.start + 20_000, in: second)
            async let new = Self.accept(3, "b", at: Self.start + 20_000, in: first)
            try await Self.waitForLock(pool)
            try holder.executeScript("COMMIT")
            #expect(try await again == 1)
            #expect(try await new == 3)
            let slots = try await pool.run {
                try $0.execute("SELECT cid, slot FROM usedCID ORDER BY cid").map { "\($0.text(0))\($0.int64(1))" }
            }
            #expect(slots == ["a0", "b1"])
        }
    }
}
