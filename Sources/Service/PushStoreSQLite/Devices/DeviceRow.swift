import Foundation
import GRDB
import PushModel
import PushService

/// The current row of a statement on devices.
///
/// It is read with as few SQLite calls as possible: they are a third of the cost of reading a device.
struct DeviceRow: ~Copyable {
    /// The columns for ``read(into:)``, in order.
    static let columns = """
        ordinal, version, badge, lastSeen, environment, token, alias, tags, isStopped, zone, tokenRefusal, appVersion, system,
        registeredAt, isAliasProved
        """
    /// The columns for ``ordinal`` and ``token(_:)``.
    static let tokenColumns = "ordinal, token"

    private let row: StatementRow

    init(_ statement: Statement) { row = StatementRow(statement) }

    func step() throws -> Bool { try row.step() }

    func read(into rows: inout AudienceRows) throws {
        rows.add(
            ordinal,
            version: UInt32(truncatingIfNeeded: row.int64(1)),
            // The table allows no third value.
            environment: unsafe row.octets(4)?.first == UInt8(ascii: "p") ? .production : .development,
            badge: Int(row.int64(2)),
            lastSeen: Date(milliseconds: row.int64(3)),
            isStopped: row.int64(8) != 0
        )
        if unsafe row.octets(10) != nil { rows.setRefused() } else if let token = token(5) { rows.setToken(token) }
        if let alias = unsafe row.octets(6) { unsafe rows.setAlias(alias.span) }
        if let zone = unsafe row.octets(9) { unsafe rows.setZone(String(decoding: zone, as: UTF8.self)) }
        if let version = unsafe row.octets(11) { unsafe rows.setAppVersion(String(decoding: version, as: UTF8.self)) }
        if let system = unsafe row.octets(12), !system.isEmpty {
            unsafe rows.setSystem(String(decoding: system, as: UTF8.self))
        }
        let registered = row.int64(13)
        if registered != 0 { rows.setRegistered(Date(milliseconds: registered)) }
        if row.int64(14) != 0 { rows.setAliasProved() }
        try readTags(7, into: &rows)
    }

    var ordinal: DeviceOrdinal { DeviceOrdinal(truncatingIfNeeded: row.int64(0)) }

    func token(_ column: Int) -> DeviceToken? {
        guard let octets = unsafe row.octets(column) else { return nil }
        guard octets.count == 32 else { return unsafe DeviceToken(bytes: octets) }
        let raw = UnsafeRawBufferPointer(octets)
        func word(_ place: Int) -> UInt64 {
            unsafe UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8 * place, as: UInt64.self))
        }
        return DeviceToken(words: SIMD4(word(0), word(1), word(2), word(3)))
    }

    private func readTags(_ column: Int, into rows: inout AudienceRows) throws {
        guard let json = unsafe row.octets(column), unsafe !Self.read(json.span, into: &rows) else { return }
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
