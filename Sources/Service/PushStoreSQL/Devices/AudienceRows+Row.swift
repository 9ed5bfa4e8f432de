import Foundation
import PushModel
package import PushService

extension AudienceRows {
    /// Appends the device of a row that begins with the columns of ``DeviceColumn/audience``.
    ///
    /// All devices are read at the start, so each column is asked for once.
    ///
    /// - Throws: ``CorruptRow`` if the tags are not a JSON array of strings.
    package mutating func add(_ row: some SQLRow) throws {
        func int64(_ column: DeviceColumn) -> Int64 { row.int64(column.rawValue) }
        func text(_ column: DeviceColumn) -> String? { row.optionalText(column.rawValue) }
        add(
            DeviceOrdinal(truncatingIfNeeded: int64(.ordinal)),
            version: UInt32(truncatingIfNeeded: int64(.version)),
            // The table allows no third value.
            environment: text(.environment) == "production" ? .production : .development,
            badge: Int(int64(.badge)),
            lastSeen: Date(milliseconds: int64(.lastSeen)),
            isStopped: row.bool(DeviceColumn.isStopped.rawValue)
        )
        if row.isNull(DeviceColumn.tokenRefusal.rawValue) {
            row.withOctets(DeviceColumn.token.rawValue) { setToken(DeviceToken($0)) }
        } else {
            setRefused()
        }
        row.withOctets(DeviceColumn.alias.rawValue) { setAlias($0) }
        if let zone = text(.zone) { setZone(zone) }
        if let version = text(.appVersion) { setAppVersion(version) }
        if let system = text(.system), !system.isEmpty { setSystem(system) }
        if let language = text(.language) { setLanguage(language) }
        if let date = row.optionalInt64(DeviceColumn.registeredAt.rawValue) { setRegistered(Date(milliseconds: date)) }
        if row.bool(DeviceColumn.isAliasProved.rawValue) { setAliasProved() }
        var isRead = false
        row.withOctets(DeviceColumn.tags.rawValue) { isRead = addTags($0) }
        if !isRead { try addTags(text(.tags) ?? "[]") }
    }

    /// Reads a JSON array of strings as written by Posthorn, which rarely contains escapes.
    ///
    /// - Returns: false if it is not such an array or has an escape; earlier tags have been added.
    private mutating func addTags(_ json: Span<UInt8>) -> Bool {
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
            addTag(json.extracting(start..<index))
            index += 1
        }
        return true
    }

    /// Reads any JSON array of strings. Tags that are already present are not added twice.
    private mutating func addTags(_ json: String) throws {
        guard let tags = (try? JSONValue(parsing: json))?.array?.compactMap(\.string) else {
            throw CorruptRow(table: "device", column: "tags", found: json)
        }
        for tag in tags { addTag(tag.utf8.span) }
    }
}
