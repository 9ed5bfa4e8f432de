import Foundation
import GRDB
import GRDBSQLite
import PushModel
import PushService

/// The row of a device at which a statement stands.
///
/// On SQLite's own interface, and with as few calls of it as will do: those are a third of what reading a device costs.
@safe
struct DeviceRow: ~Copyable {
    /// The columns that ``read(into:)`` looks for, in their order.
    static let columns =
        "ordinal, version, badge, lastSeen, environment, token, alias, tags, isStopped, zone, tokenRefusal"
    /// Those of ``ordinal`` and ``token(_:)``.
    static let tokenColumns = "ordinal, token"

    // Used by the thread alone that reads from the database just now; lives as long as its owner, which is kept for that.
    private let statement: OpaquePointer
    private let owner: Statement

    init(_ statement: Statement) {
        owner = statement
        unsafe self.statement = statement.sqliteStatement
    }

    func step() throws -> Bool {
        let code = unsafe sqlite3_step(statement)
        if code == SQLITE_DONE { return false }
        guard code == SQLITE_ROW else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return true
    }

    func read(into rows: inout AudienceRows) throws {
        rows.add(
            ordinal,
            version: UInt32(truncatingIfNeeded: integer(1)),
            // The table takes no third word.
            environment: unsafe octets(4)?.first == UInt8(ascii: "p") ? .production : .development,
            badge: Int(integer(2)),
            lastSeen: Date(milliseconds: integer(3)),
            isStopped: integer(8) != 0
        )
        if unsafe octets(10) != nil { rows.setRefused() } else if let token = token(5) { rows.setToken(token) }
        if let alias = unsafe octets(6) { unsafe rows.setAlias(alias.span) }
        if let zone = unsafe octets(9) { unsafe rows.setZone(String(decoding: zone, as: UTF8.self)) }
        try readTags(7, into: &rows)
    }

    private func integer(_ column: CInt) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

    /// Of a text or a blob, which are SQLite's and good until the next step; nil for null.
    private func octets(_ column: CInt) -> UnsafeBufferPointer<UInt8>? {
        let value = unsafe sqlite3_column_value(statement, column)
        // In this order: asking for the octets may change their number.
        guard let start = unsafe sqlite3_value_blob(value) else {
            // It has none for what is empty either.
            let isNull = unsafe sqlite3_value_type(value) == SQLITE_NULL
            return unsafe isNull ? nil : UnsafeBufferPointer(start: nil, count: 0)
        }
        return unsafe UnsafeBufferPointer(
            start: start.assumingMemoryBound(to: UInt8.self),
            count: Int(sqlite3_value_bytes(value))
        )
    }

    var ordinal: DeviceOrdinal { DeviceOrdinal(truncatingIfNeeded: integer(0)) }

    func token(_ column: CInt) -> DeviceToken? {
        guard let octets = unsafe octets(column) else { return nil }
        guard octets.count == 32 else { return unsafe DeviceToken(bytes: octets) }
        let raw = UnsafeRawBufferPointer(octets)
        func word(_ place: Int) -> UInt64 {
            unsafe UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self))
        }
        return DeviceToken(words: SIMD4(word(0), word(1), word(2), word(3)))
    }

    private func readTags(_ column: CInt, into rows: inout AudienceRows) throws {
        guard let json = unsafe octets(column), unsafe !Self.read(json.span, into: &rows) else { return }
        let text = unsafe String(decoding: json, as: UTF8.self)
        let tags = (try? JSONValue(parsing: text))?.array?.compactMap(\.string)
        guard let tags else { throw CorruptRow(table: "device", column: "tags", found: text) }
        // Those that are there already are not taken twice.
        for tag in tags { rows.addTag(tag.utf8.span) }
    }

    /// Reads a JSON array of texts as Posthorn writes it, in which nearly never anything is escaped.
    ///
    /// - Returns: false if it is none, with the tags before the one that is escaped.
    private static func read(_ json: Span<UInt8>, into rows: inout AudienceRows) -> Bool {
        let (quote, last) = (UInt8(ascii: "\""), json.count - 1)
        guard last > 0, json[0] == UInt8(ascii: "["), json[last] == UInt8(ascii: "]") else { return false }
        var index = 1
        while index < last {
            if index > 1 {
                guard json[index] == UInt8(ascii: ",") else { return false }
                index += 1
            }
            guard json[index] == quote else { return false }
            let start = index + 1
            repeat { index += 1 } while index < last && json[index] != quote && json[index] != UInt8(ascii: "\\")
            guard index < last, json[index] == quote else { return false }
            rows.addTag(json.extracting(start..<index))
            index += 1
        }
        return true
    }
}
