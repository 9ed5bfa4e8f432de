import Foundation
import GRDB
import Metrics
import MetricsTestKit
import PushService
import TestSupport
import Testing

@testable import PushStoreSQLite

@Suite("SQLite store", .suiteLimit)
struct SQLiteStoreTests {
    @Test("Keeps the contract of stores", arguments: PushStoreContract.clauses + PushStoreContract.gapless)
    func contract(_ clause: PushStoreContract.Clause) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "store.sqlite").path
            try await clause.check { try SQLiteStore(path: path) }
        }
    }

    @Test("A commit waits for the disk, so that a power cut takes back nothing that was answered")
    func waitsForTheDisk() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteStore(path: folder.appending(path: "store.sqlite").path)
            let (mode, synchronous) = try await store.writes.write { database in
                (
                    try String.fetchOne(database, sql: "PRAGMA journal_mode"),
                    try Int.fetchOne(database, sql: "PRAGMA synchronous")
                )
            }
            #expect(mode == "wal")
            // FULL.
            #expect(synchronous == 2)
        }
    }

    private struct Refusal: Error {}

    @Test("Work that fails takes nobody with it, though all share a commit")
    func failsAlone() async throws {
        try await withTemporaryFolder { folder in
            let store = try SQLiteStore(path: folder.appending(path: "store.sqlite").path)
            let (told, telling) = AsyncStream<(Int, Bool)>.makeStream()
            // The one who writes waits until all have asked, so that they share a transaction.
            store.database.asyncWriteWithoutTransaction { _ in
                for number in 0..<40 {
                    store.writes.write(
                        { (database) throws -> Int in
                            let key = "key \(number)"
                            try database.execute(sql: "INSERT INTO setting VALUES (?, ?)", arguments: [key, number])
                            if number % 10 == 7 { throw Refusal() }
                            return number
                        },
                        reply: { result in telling.yield((number, (try? result.get()) != nil)) }
                    )
                }
            }
            var kept: [Int: Bool] = [:]
            for await (number, isKept) in told.prefix(40) { kept[number] = isKept }
            for number in 0..<40 {
                let value = try await store.value("key \(number)")
                #expect((value != nil) == (number % 10 != 7))
                #expect(kept[number] == (number % 10 != 7))
            }
        }
    }

    @Test(
        "Says which file cannot be opened and what to do, without SQL",
        arguments: [
            Data(repeating: 0x41, count: 4096), Data(repeating: 0, count: 4096),
            Data("SQLite format 3\0".utf8) + Data(repeating: 0xFF, count: 8176),
        ]
    )
    func refusesWhatIsNoDatabase(_ content: Data) throws {
        try withTemporaryFolder { folder in
            let file = folder.appending(path: "store.sqlite")
            try content.write(to: file)
            let missing = folder.appending(path: "missing/store.sqlite").path
            for path in [file.path, folder.path, missing] {
                let problem = try #require(throws: DatabaseProblem.self) { try SQLiteStore(path: path) }
                let text = problem.description
                #expect(text.contains("'\(path)'") && !text.contains("PRAGMA"), "\(text)")
                #expect(text.contains(path == missing ? "the service's user may read" : "posthorn restore"), "\(text)")
            }
        }
    }

    @Test("A damaged page is found by the check, and what meets it names the file")
    func damagedPage() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "store.sqlite").path
            let store = try SQLiteStore(path: path)
            for number in 0..<100 {
                try await store.setValue([UInt8](repeating: 1, count: 1000), for: "value \(number)")
            }
            #expect(await store.inspector.findings().map(\.state) == [.ok])
            try await store.checkPages()
            try store.close()
            // The pages of these values alone: the schema can be read.
            var bytes = try Data(contentsOf: URL(filePath: path))
            for page in stride(from: 0, to: bytes.count, by: 4096)
            where bytes[page..<page + 4096].firstRange(of: Data("value 1".utf8)) != nil {
                bytes.replaceSubrange(page..<page + 4096, with: repeatElement(0xA5, count: 4096))
            }
            try bytes.write(to: URL(filePath: path))
            let metrics = TestMetrics()
            let damaged = try withMetricsFactory(metrics) { try SQLiteStore(path: path) }
            let finding = try #require(await damaged.inspector.findings().first)
            #expect(finding.state == .wrong && finding.found.contains("'\(path)'"), "\(finding)")
            #expect(try metrics.expectGauge("push.store.damaged").lastValue == 1)
            await #expect(throws: DatabaseProblem.self) { try await damaged.value("value 1") }
            await #expect(throws: DatabaseProblem.self) { try await damaged.setValue([2], for: "value 1") }
            await #expect(throws: DatabaseProblem.self) { try await damaged.checkPages() }
        }
    }
}
