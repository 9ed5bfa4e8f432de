import Foundation
import GRDB
import PushModel
import PushService
import PushStoreSQL

/// The current row of a statement on devices.
///
/// It is read with as few SQLite calls as possible: they are a third of the cost of reading a device.
struct DeviceRow: ~Copyable {
    private let row: StatementRow

    /// The statement selects the first of ``DeviceColumn``, as many as are read.
    init(_ statement: Statement) { row = StatementRow(statement) }

    func step() throws -> Bool { try row.step() }

    func read(into rows: inout AudienceRows) throws {
        rows.add(
            ordinal,
            version: UInt32(truncatingIfNeeded: int64(.version)),
            // The table allows no third value.
            environment: unsafe octets(.environment)?.first == UInt8(ascii: "p") ? .production : .development,
            badge: Int(int64(.badge)),
            lastSeen: Date(milliseconds: int64(.lastSeen)),
            isStopped: int64(.isStopped) != 0
        )
        if unsafe octets(.tokenRefusal) != nil { rows.setRefused() } else if let token { rows.setToken(token) }
        if let alias = unsafe octets(.alias) { unsafe rows.setAlias(alias.span) }
        if let zone = unsafe octets(.zone) { unsafe rows.setZone(String(decoding: zone, as: UTF8.self)) }
        if let version = unsafe octets(.appVersion) {
            unsafe rows.setAppVersion(String(decoding: version, as: UTF8.self))
        }
        if let system = unsafe octets(.system), !system.isEmpty {
            unsafe rows.setSystem(String(decoding: system, as: UTF8.self))
        }
        if let language = unsafe octets(.language) {
            unsafe rows.setLanguage(String(decoding: language, as: UTF8.self))
        }
        let registered = int64(.registeredAt)
        if registered != 0 { rows.setRegistered(Date(milliseconds: registered)) }
        if int64(.isAliasProved) != 0 { rows.setAliasProved() }
        try readTags(into: &rows)
    }

    private func int64(_ column: DeviceColumn) -> Int64 { row.int64(column.rawValue) }

    @unsafe
    private func octets(_ column: DeviceColumn) -> UnsafeBufferPointer<UInt8>? { unsafe row.octets(column.rawValue) }

    var ordinal: DeviceOrdinal { DeviceOrdinal(truncatingIfNeeded: int64(.ordinal)) }

    var token: DeviceToken? {
        guard let octets = unsafe octets(.token) else { return nil }
        guard octets.count == 32 else { return unsafe DeviceToken(bytes: octets) }
        let raw = UnsafeRawBufferPointer(octets)
        func word(_ place: Int) -> UInt64 {
            unsafe UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self))
        }
        return DeviceToken(words: SIMD4(word(0), word(1), word(2), word(3)))
    }

    private func readTags(into rows: inout AudienceRows) throws {
        guard let json = unsafe octets(.tags), unsafe !Self.read(json.span, into: &rows) else { return }
        let text = unsafe String(decoding: json, as: UTF8.self)
        let tags = (try? JSONValue(parsing: text))?.array?.compactMap(\.string)
        guard let tags else { throw CorruptRow(table: "device", column: "tags", found: text) }
        // Tags that are already present are not added twice.
        for tag in tags { rows.addTag(tag.utf8.span) }
    }

    /// Reads a JSON array of strings as written by Posthorn, which rarely contains escapes.
    ///
    /// - Returns: false if it is not such an array or has an escape; earlier tags have been added.
    private static func read(_ json: Span<UInt8>, into rows: inout AudienceRows) -> Bool {
        let quote = UInt8(ascii: "\"")
        let last = json.count - 1
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
