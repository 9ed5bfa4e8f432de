import Foundation
import GRDB
import PushModel
import PushService
import TestSupport
import Testing

@testable import PushStoreSQLite

@Suite("Backup and restore", .suiteLimit)
struct BackupTests {
    private static let secret = (0..<32).map { UInt8($0 * 7) }
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

    @discardableResult
    private static func write(
        _ database: String,
        to file: String,
        progress: @escaping (StoreBackup.Progress) -> Void = { _ in }
    ) throws -> StoreBackup.Facts {
        let folder = URL(filePath: database).deletingLastPathComponent().path
        return try StoreBackup.write(
            database: database,
            secret: secret,
            to: file,
            notedIn: folder,
            at: now,
            progress: progress
        )
    }

    /// Writes a backup of a database, in which another connection commits a value after each step of the copy.
    ///
    /// - Returns: the contents of the backup, and the number of values.
    private static func backUp(_ database: String, to file: String) throws -> (facts: StoreBackup.Facts, commits: Int) {
        let writer = try DatabaseQueue(path: database)
        var commits = 0
        let facts = try Self.write(database, to: file) { _ in
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
            #expect(
                try Data(contentsOf: URL(filePath: path)).firstRange(of: Data(Self.secret)) == nil,
                "Nor in a free page."
            )
            try await restored.setValue([1], for: "goes on")
        }
    }

    @Test("A file that is not a whole backup is refused, and nothing is written")
    func refusals() async throws {
        try await withTemporaryFolder { folder in
            let (store, _) = try await Self.store(folder, values: 5)
            let database = folder.appending(path: "posthorn.sqlite").path
            let file = folder.appending(path: "one.backup").path
            try Self.write(database, to: file)
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
            #expect(throws: DatabaseProblem.self, "A file that was not checked leaves nothing either.") {
                try StoreBackup.extract(text, to: never)
            }
            #expect(!FileManager.default.fileExists(atPath: never))
            #expect(throws: BackupProblem("'\(file)' exists; give another file, or remove it.")) {
                try Self.write(database, to: file)
            }
            withExtendedLifetime(store) {}
        }
    }

    @Test("A damaged database gives no backup, and the error names the database and the way back")
    func damaged() async throws {
        try await withTemporaryFolder { folder in
            let (store, _) = try await Self.store(folder, values: 200, size: 3000)
            try store.close()
            let database = folder.appending(path: "posthorn.sqlite").path
            let whole = try Data(contentsOf: URL(filePath: database))
            let file = folder.appending(path: "one.backup").path
            let last = whole.count / 4096 - 1
            for damage in [0..<100, 100..<4096, last / 2 * 4096..<last / 2 * 4096 + 4096] {
                var bytes = whole
                bytes.replaceSubrange(damage, with: repeatElement(0xA5, count: damage.count))
                try bytes.write(to: URL(filePath: database))
                let problem = try #require(throws: DatabaseProblem.self) { try Self.write(database, to: file) }
                let text = problem.description
                #expect(text.contains("'\(database)'") && text.contains("posthorn restore"), "\(text)")
                #expect(!text.contains("SELECT") && !text.contains("PRAGMA"), "\(text)")
                let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(!left.contains { $0.contains("backup") }, "\(left)")
            }
        }
    }

    @Test("The rest of a killed backup is removed at the next start, and the files of a running one are not")
    func leftovers() async throws {
        try await withTemporaryFolder { folder in
            let (store, _) = try await Self.store(folder, values: 5)
            let database = folder.appending(path: "posthorn.sqlite").path
            let elsewhere = folder.appending(path: "elsewhere")
            try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: false)
            func left() throws -> [String] {
                try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                    $0.contains(".part") || $0.hasPrefix("unfinished")
                }
            }
            let part = elsewhere.appending(path: "killed.backup.part").path
            try Data(repeating: 1, count: 5000).write(to: URL(filePath: part))
            try Data(repeating: 1, count: 500).write(to: URL(filePath: part + "-journal"))
            let link = folder.appending(path: "unfinished-backup-1").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: part)
            let goesOn = try BackupPart(of: elsewhere.appending(path: "goes-on").path, notedIn: folder.path)
            #expect(try left().count == 2, "The file that is being written, and its link.")
            #expect(throws: BackupProblem.self) {
                try Self.write(database, to: elsewhere.appending(path: "goes-on").path)
            }
            try Self.write(database, to: elsewhere.appending(path: "other").path)
            #expect(FileManager.default.fileExists(atPath: goesOn.path))
            goesOn.remove()
            #expect(try left() == [])
            withExtendedLifetime(store) {}
        }
    }

    @Test("What is no rest of this user's backups stands in the way, and is neither written nor removed")
    func foreignParts() async throws {
        try await withTemporaryFolder { folder in
            let (store, _) = try await Self.store(folder, values: 5)
            let database = folder.appending(path: "posthorn.sqlite").path
            let target = folder.appending(path: "target").path
            try Data("mine".utf8).write(to: URL(filePath: target))
            func refused(_ name: String, _ make: (String) throws -> Void) throws {
                let part = folder.appending(path: "\(name).part").path
                try make(part)
                let before = try FileManager.default.attributesOfItem(atPath: part)
                let problem = #expect(throws: BackupProblem.self, "\(name)") {
                    try Self.write(database, to: folder.appending(path: name).path)
                }
                #expect(problem?.description.contains("'\(part)' is there") == true, "\(problem?.description ?? "")")
                let after = try FileManager.default.attributesOfItem(atPath: part)
                #expect(before as NSDictionary == after as NSDictionary, "\(name)")
                #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
            }
            try refused("link") { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: target) }
            try refused("nowhere") {
                try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: target + "-2")
            }
            try refused("readable") { path in
                _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o644])
            }
            try refused("linked") { path in
                _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
                try FileManager.default.linkItem(atPath: path, toPath: path + "-2")
            }
            try refused("folder") {
                try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
            }
            try refused("pipe") { path in
                let made = unsafe mkfifo(path, 0o600)
                #expect(made == 0)
            }
            // A link that leads nowhere is no place for a backup either.
            let nowhere = folder.appending(path: "end").path
            try FileManager.default.createSymbolicLink(atPath: nowhere, withDestinationPath: target + "-3")
            #expect(throws: BackupProblem.self) { try Self.write(database, to: nowhere) }
            // The rest of a killed backup of this user is replaced by a new file.
            let rest = folder.appending(path: "killed.part").path
            _ = FileManager.default.createFile(
                atPath: rest,
                contents: Data(repeating: 1, count: 5000),
                attributes: [.posixPermissions: 0o600]
            )
            try Self.write(database, to: folder.appending(path: "killed").path)
            let mode = try FileManager.default.attributesOfItem(atPath: folder.appending(path: "killed").path)[
                .posixPermissions
            ]
            #expect(mode as? NSNumber == 0o600)
            withExtendedLifetime(store) {}
        }
    }
}
