package import Foundation
import GRDB
import PushService

/// A backup of a service: its database and its secret in one file.
///
/// The file is an SQLite database with one more table, `backup`. It contains all secrets of the service.
package enum StoreBackup {
    /// The contents of a backup.
    package struct Facts: Hashable, Sendable {
        /// The time from which the data is.
        package var takenAt: Date
        package var apps: Int
        package var devices: Int
        package var pushes: Int
        package var bytes: Int64
    }

    /// The part of a backup or a restore that is done.
    package struct Progress: Sendable {
        package var done: Int
        package var all: Int
    }

    /// The pages copied between two reports of progress: 4 MB.
    private static let step: CInt = 1024

    /// Writes a backup of a database, in which a service may write meanwhile, with the service's secret. The data is that
    /// of one moment, at the beginning. The file, where nothing may be, appears when it is complete and verified; the data
    /// folder notes what an interrupted backup leaves.
    ///
    /// Until the copy is complete, the write-ahead log keeps everything that the service writes.
    ///
    /// - Throws: ``BackupProblem``; ``DatabaseProblem``, also if the copy shows that the database is damaged.
    package static func write(
        database: String,
        secret: [UInt8],
        to file: String,
        notedIn folder: String,
        at date: Date,
        progress: @escaping (Progress) -> Void = { _ in }
    ) throws -> Facts {
        // A link that leads nowhere is something, too.
        guard (try? FileManager.default.attributesOfItem(atPath: file)) == nil else {
            throw BackupProblem("'\(file)' exists; give another file, or remove it.")
        }
        let part = try BackupPart(of: file, notedIn: folder)
        defer { part.remove() }
        do {
            try copy(database, secret: secret, at: date, to: part.path, progress: progress)
        } catch {
            // Only the copy can run out of room.
            let isOfCopy = (error as? DatabaseError)?.resultCode == .SQLITE_FULL
            throw DatabaseProblem(opening: isOfCopy ? file : database, error) ?? error
        }
        let facts = try checked(part.path, named: file) { DatabaseProblem(path: database, damage: $0) }.facts
        try sync(part.path)
        try FileManager.default.moveItem(atPath: part.path, toPath: file)
        return facts
    }

    /// Copies a database and its secret to a new file.
    private static func copy(
        _ database: String,
        secret: [UInt8],
        at date: Date,
        to part: String,
        progress: @escaping (Progress) -> Void
    ) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let source = try DatabaseQueue(path: database, configuration: configuration)
        defer { try? source.close() }
        guard try source.read({ try isSecret(secret, of: $0) }) else {
            throw BackupProblem(
                "The secret.key of the data folder is not that of '\(database)'. Put back this service's secret.key first."
            )
        }
        let copy = try copy(of: source, to: part, progress: progress)
        try copy.writeWithoutTransaction { database in
            // One file without a log beside it.
            try database.execute(sql: "PRAGMA journal_mode = DELETE")
            try database.execute(sql: "CREATE TABLE backup (secret BLOB NOT NULL, takenAt INTEGER NOT NULL)")
            try database.execute(sql: "INSERT INTO backup VALUES (?, ?)", arguments: [Data(secret), date.milliseconds])
        }
        try copy.close()
    }

    /// Reads a backup, and checks that it is whole.
    ///
    /// - Throws: ``BackupProblem`` if it is no backup, damaged, or of a newer version of Posthorn.
    package static func read(_ file: String) throws -> (facts: Facts, secret: [UInt8]) {
        guard FileManager.default.fileExists(atPath: file) else { throw BackupProblem("There is no file '\(file)'.") }
        return try checked(file, named: file) {
            BackupProblem("'\(file)' is no backup, or is damaged (\($0)); give another backup.")
        }
    }

    /// Reads a complete or unfinished backup; errors name `file`, and damage has an error of its own.
    private static func checked(
        _ path: String,
        named file: String,
        _ problem: (_ damage: String) -> any Error
    ) throws -> (facts: Facts, secret: [UInt8]) {
        var configuration = Configuration()
        configuration.readonly = true
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            defer { try? queue.close() }
            return try queue.read { database in
                guard try database.tableExists("backup"),
                    let row = try Row.fetchOne(database, sql: "SELECT secret, takenAt FROM backup")
                else {
                    throw BackupProblem("'\(file)' is no backup; expected a file that 'posthorn backup' has written.")
                }
                guard try !Schema.isOlder(database) else {
                    throw BackupProblem("'\(file)' is of a version before 0.1.0, which no release reads.")
                }
                guard try !Schema.migrator.hasBeenSuperseded(database) else {
                    throw BackupProblem("'\(file)' is of a newer version of Posthorn; restore it with that version.")
                }
                if let damage = try DatabaseProblem.damage(in: database, by: .full) { throw problem(damage) }
                guard try isSecret(Array(row["secret"] as Data), of: database) else {
                    throw BackupProblem(
                        "'\(file)' has a secret that is not that of its database; take another backup, with the right secret.key."
                    )
                }
                func count(_ table: String) throws -> Int {
                    try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0
                }
                let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
                let facts = Facts(
                    takenAt: Date(milliseconds: row["takenAt"]),
                    apps: try count("app"),
                    devices: try count("device"),
                    pushes: try count("message"),
                    bytes: size?.int64Value ?? 0
                )
                return (facts, Array(row["secret"] as Data))
            }
        } catch let error as DatabaseError { throw problem(DatabaseProblem.code(of: error)) }
    }

    /// Returns whether a database has the mark of a secret, or none: those of earlier versions have none.
    private static func isSecret(_ secret: [UInt8], of database: Database) throws -> Bool {
        let mark = try Data.fetchOne(
            database,
            sql: "SELECT value FROM setting WHERE key = ?",
            arguments: [SecretMark.key]
        )
        return mark.map { Array($0) == SecretMark.mark(of: secret) } ?? true
    }

    /// Writes the database of a backup that ``read(_:)`` has checked to a path, replacing what an interrupted restore has
    /// left. The database is complete and on disk when the call returns, and absent if it throws.
    package static func extract(
        _ file: String,
        to database: String,
        progress: @escaping (Progress) -> Void = { _ in }
    ) throws {
        // Truncated, not removed: as long as it is there, the restore is known to be unfinished.
        try? FileManager.default.removeItem(atPath: database + "-journal")
        guard
            FileManager.default.createFile(atPath: database, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw BackupProblem("'\(database)' cannot be written; is its folder writable?") }
        do {
            var configuration = Configuration()
            configuration.readonly = true
            let source = try DatabaseQueue(path: file, configuration: configuration)
            defer { try? source.close() }
            let copy = try copy(of: source, to: database, progress: progress)
            // The secret is not left in a free page either.
            try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA secure_delete = ON; DROP TABLE backup") }
            try copy.close()
            try sync(database)
        } catch {
            for name in [database, database + "-journal"] { try? FileManager.default.removeItem(atPath: name) }
            let isOfCopy = (error as? DatabaseError)?.resultCode == .SQLITE_FULL
            throw DatabaseProblem(opening: isOfCopy ? database : file, error) ?? error
        }
    }

    /// Removes what killed backups and restores of a data folder have left. The folder must be locked.
    ///
    /// A restore whose database has replaced none yet stays: a service must not begin with an empty one in its place.
    package static func removeLeftovers(in folder: String, database: String, restored: String) {
        BackupPart.removeLeftovers(in: folder)
        guard FileManager.default.fileExists(atPath: database) else { return }
        for name in [restored, restored + "-journal"] { try? FileManager.default.removeItem(atPath: name) }
    }

    /// Copies all pages of a database to an empty file, as they are at one moment.
    ///
    /// The moment is that of the first read of the transaction. Without one, each step of the copy reads the newest state, and
    /// begins again if that has changed.
    private static func copy(
        of source: DatabaseQueue,
        to path: String,
        progress: @escaping (Progress) -> Void
    ) throws -> DatabaseQueue {
        let copy = try DatabaseQueue(path: path)
        try source.read { source in
            // SQLite begins a transaction when it is first used.
            _ = try Int.fetchOne(source, sql: "SELECT count(*) FROM sqlite_master")
            try copy.writeWithoutTransaction { copy in
                try source.backup(to: copy, pagesPerStep: step) { state in
                    progress(Progress(done: state.completedPageCount, all: state.totalPageCount))
                }
            }
        }
        return copy
    }

    /// Moves what is in the write-ahead log of a database that no process uses into the database.
    package static func emptyLog(of database: String) throws {
        guard FileManager.default.fileExists(atPath: database) else { return }
        let queue = try DatabaseQueue(path: database)
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try queue.close()
    }

    private static func sync(_ file: String) throws {
        let handle = try FileHandle(forUpdating: URL(filePath: file))
        try handle.synchronize()
        try handle.close()
    }
}

/// The error of a backup or a restore, with what to do.
package struct BackupProblem: Error, Hashable, CustomStringConvertible {
    package var description: String
    package init(_ description: String) { self.description = description }
}
