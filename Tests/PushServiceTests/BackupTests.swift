import Foundation
import GRDB
import PushModel
import PushService
import TestSupport
import Testing

@testable import PushStoreSQLite

@Suite("Backup and restore", .timeLimit(.minutes(5)))
struct BackupTests {
    private static let secret = [UInt8](repeating: 7, count: 32)
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    /// A store with an app, and as many values as `count`, each of as many bytes as `size`.
    private static func store(_ folder: URL, values count: Int, size: Int = 1) async throws -> (SQLiteStore, App) {
        let store = try SQLiteStore(path: folder.appending(path: "posthorn.sqlite").path)
        let app = try await TestService.createApp("com.example.app", in: store, at: now).app
        for number in 0..<count { try await store.setValue(Self.value(number, size), for: "value \(number)") }
        return (store, app)
    }

    private static func value(_ number: Int, _ size: Int) -> [UInt8] {
        [UInt8](repeating: UInt8(number), count: size)
    }

    /// The number of values that were stored during a backup.
    private static func laterValues(_ store: SQLiteStore) async throws -> Int? {
        try await store.database.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM setting WHERE key LIKE 'later %'")
        }
    }

    /// Writes a backup of a database, in which another connection commits a value after each step of the copy.
    ///
    /// - Returns: the contents of the backup, and the number of values.
    private static func backUp(_ database: String, to file: String) throws -> (facts: StoreBackup.Facts, commits: Int) {
        let writer = try DatabaseQueue(path: database)
        var commits = 0
        let facts = try StoreBackup.write(database: database, secret: secret, to: file, at: now) { _ in
            // A copy that begins again with each commit would never end.
            guard commits < 50 else { return }
            let sql = "INSERT INTO setting VALUES ('later \(commits)', zeroblob(5000))"
            do {
                try writer.write { try $0.execute(sql: sql) }
                commits += 1
            } catch { Issue.record(error) }
        }
        try writer.close()
        return (facts, commits)
    }

    @Test("A backup of a service that goes on writing ends, and has everything of its beginning and nothing later")
    func online() async throws {
        try await withTemporaryFolder { folder in
            let size = 600_000
            let (store, app) = try await Self.store(folder, values: 20, size: size)
            let file = folder.appending(path: "one.backup").path
            let (written, commits) = try Self.backUp(folder.appending(path: "posthorn.sqlite").path, to: file)
            #expect((written.apps, written.takenAt) == (1, Self.now))
            #expect(written.bytes > 10_000_000)
            #expect((3..<50).contains(commits), "A step is 4 MB.")
            #expect(try await Self.laterValues(store) == commits)
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
            let (facts, secret) = try StoreBackup.read(file)
            #expect(facts == written)
            #expect(secret == Self.secret)
            let path = folder.appending(path: "other.sqlite").path
            try StoreBackup.extract(file, to: path)
            let restored = try SQLiteStore(path: path)
            #expect(try await restored.apps() == [app])
            for number in 0..<20 {
                #expect(try await restored.value("value \(number)") == Self.value(number, size))
            }
            #expect(try await Self.laterValues(restored) == 0)
            let tables = try await restored.database.read { try $0.tableExists("backup") }
            #expect(!tables, "The secret is not left in the database.")
            try await restored.setValue([1], for: "goes on")
        }
    }

    @Test("What is no whole backup is refused, and nothing is written")
    func refusals() async throws {
        try await withTemporaryFolder { folder in
            let (store, _) = try await Self.store(folder, values: 5)
            let database = folder.appending(path: "posthorn.sqlite").path
            let file = folder.appending(path: "one.backup").path
            _ = try StoreBackup.write(database: database, secret: Self.secret, to: file, at: Self.now)
            let never = folder.appending(path: "never.sqlite").path
            func refusal(_ file: String) -> String {
                do {
                    _ = try StoreBackup.read(file)
                    try StoreBackup.extract(file, to: never)
                    return ""
                } catch { return "\(error)" }
            }
            #expect(refusal(folder.appending(path: "nothing").path).contains("There is no file"))
            #expect(refusal(database).contains("is no backup"))
            let text = folder.appending(path: "text").path
            try Data("not a database, but long enough to look at: \(String(repeating: "x", count: 1000))".utf8)
                .write(to: URL(filePath: text))
            #expect(refusal(text).contains("is no backup"))
            let torn = folder.appending(path: "torn").path
            var bytes = try Data(contentsOf: URL(filePath: file))
            for place in stride(from: bytes.count / 3, to: bytes.count / 3 + 4096, by: 1) { bytes[place] = 0xA5 }
            try bytes.write(to: URL(filePath: torn))
            #expect(refusal(torn).contains("damaged"), "\(refusal(torn))")
            let newer = folder.appending(path: "newer").path
            try FileManager.default.copyItem(atPath: file, toPath: newer)
            try await DatabaseQueue(path: newer).write {
                try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('99 of the future')")
            }
            #expect(refusal(newer).contains("newer version of Posthorn"))
            #expect(!FileManager.default.fileExists(atPath: never))
            #expect(throws: DatabaseError.self, "A file that was not checked leaves nothing either.") {
                try StoreBackup.extract(text, to: never)
            }
            #expect(!FileManager.default.fileExists(atPath: never))
            #expect(throws: BackupProblem("'\(file)' exists; give another file, or remove it.")) {
                try StoreBackup.write(database: database, secret: Self.secret, to: file, at: Self.now)
            }
            withExtendedLifetime(store) {}
        }
    }
}
