import Foundation
import GRDB
import GRDBSQLite
import PushService

/// The error of an SQLite database: its file, what was found, and the remedy, without SQL.
///
/// The only translation of SQLite's result codes that operators see.
package struct DatabaseProblem: Error, Hashable, CustomStringConvertible {
    package let description: String
    /// Whether the disk is at fault, and not the content of the file.
    package let isOfDisk: Bool

    /// Translates an error that is about the file; nil for any other, such as one of a statement.
    init?(_ error: any Error, in path: String) {
        guard let error = error as? DatabaseError else { return nil }
        // There is no room for the -shm beside the file.
        let code = error.extendedResultCode == .SQLITE_IOERR_SHMSIZE ? ResultCode.SQLITE_FULL : error.resultCode
        guard let (found, remedy) = Self.words(of: code, path) else { return nil }
        isOfDisk = StoreError(ofDisk: error) != nil
        description = "The database '\(path)' \(found) (\(Self.code(of: error))). \(remedy)"
    }

    /// Translates an error of opening, which is always about the file.
    init?(opening path: String, _ error: any Error) {
        if let problem = Self(error, in: path) {
            self = problem
            return
        }
        guard let error = error as? DatabaseError else { return nil }
        isOfDisk = false
        description =
            "'\(path)' is not a database of Posthorn, or has lost a part of it (\(Self.code(of: error))). \(Self.restore)"
    }

    /// Creates the error for what ``damage(in:by:)`` has found.
    init(path: String, damage: String) {
        isOfDisk = false
        description = "The database '\(path)' is damaged (\(damage)). \(Self.restore)"
    }

    /// The checks of SQLite. The quick one reads each page once; the full one also compares indexes with their tables.
    enum Check: String {
        case quick = "quick_check"
        case full = "integrity_check"
    }

    /// Returns what a check finds; nil if the database is intact.
    static func damage(in database: Database, by check: Check = .quick) throws -> String? {
        let found: [String]
        do { found = try String.fetchAll(database, sql: "PRAGMA \(check.rawValue)(3)") } catch let error
            as DatabaseError
            where [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
        {
            return code(of: error)
        }
        guard found != ["ok"] else { return nil }
        let lines = found.flatMap { $0.split(separator: "\n") }.filter { !$0.hasPrefix("***") }
        return lines.isEmpty ? "\(check.rawValue) gave no answer" : lines.prefix(3).joined(separator: "; ")
    }

    /// The remedy for damaged content.
    private static let restore = """
        Stop the service and restore the last good backup: 'posthorn restore FILE --data FOLDER --replace' keeps this database in a folder \
        beside it. Without a backup, 'sqlite3 FILE .recover' saves what can be read.
        """

    /// The number and the message of SQLite, without the statement.
    static func code(of error: DatabaseError) -> String {
        "SQLite error \(error.extendedResultCode.rawValue): \(message(of: error))"
    }

    /// The message of SQLite. A connection that has noted no error says "not an error" of one that a copy or a check has returned.
    static func message(of error: DatabaseError) -> String {
        if let message = error.message, message != "not an error" { return message }
        return unsafe String(cString: sqlite3_errstr(error.resultCode.rawValue))
    }

    /// Returns the words for an error of SQLite that is not about the file; nil for an error of another kind.
    package static func words(of error: any Error) -> String? {
        (error as? DatabaseError).map { "The database refused a statement (\(code(of: $0)))." }
    }

    private static func words(of code: ResultCode, _ path: String) -> (found: String, remedy: String)? {
        // SQLite says that it cannot be read, or cannot be opened.
        var isFolder: ObjCBool = false
        if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            return ("is a folder, where a file is expected", restore)
        }
        return switch code {
        case .SQLITE_CORRUPT: ("is damaged", restore)
        case .SQLITE_NOTADB: ("is not an SQLite file, or its beginning is damaged", restore)
        case .SQLITE_FULL: ("has no room to grow", "Free space on its disk.")
        case .SQLITE_IOERR: ("cannot be read or written", "Repair or replace its disk; the system's log has the cause.")
        case .SQLITE_READONLY, .SQLITE_PERM:
            ("cannot be written to", "Make the file, its folder and its disk writable for the service's user.")
        case .SQLITE_CANTOPEN:
            (
                "cannot be opened",
                "It has to be a file that the service's user may read and write, in a folder that this user may write to, on a disk with "
                    + "some room."
            )
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            (
                "is locked by another program",
                "End that program; 'fuser' names it. Only Posthorn may have the file open."
            )
        default: nil
        }
    }
}

extension StoreError {
    /// Converts an SQLite error about the disk; nil for any other error.
    init?(ofDisk error: any Error) {
        if let error = error as? StoreError, error.retryAfter != nil {
            self = error
            return
        }
        guard let error = error as? DatabaseError else { return nil }
        switch error.resultCode {
        case .SQLITE_FULL: self = .noRoom
        case .SQLITE_READONLY: self = .readOnly
        // SQLite also reports a failure if there is no space for a file next to the database, such as its -shm.
        case .SQLITE_IOERR, .SQLITE_CANTOPEN: self = .diskFailed(DatabaseProblem.message(of: error))
        default: return nil
        }
    }
}
