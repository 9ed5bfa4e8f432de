import PushModel
package import PushService

/// The columns of a device, in the order in which both stores read and write them. The raw value of each is its place in a row.
///
/// The columns that targeting needs come first (``audience``): at start, all devices are read.
package enum DeviceColumn: Int, CaseIterable {
    case ordinal, token, version, badge, lastSeen, environment, alias, tags, isStopped, zone, tokenRefusal, appVersion
    case system, registeredAt, isAliasProved, language
    case app, installation, secretHash, tokenRegisteredAt, mobile, channel, permission, attributes, sequence
    case separatedAt, separatedAs

    package var name: String { "\(self)" }

    /// The columns that ``AudienceRows`` takes, for a SELECT.
    package static let audience = names(before: .app)

    /// Returns the columns before another, for a SELECT.
    package static func names(before end: DeviceColumn) -> String {
        allCases.prefix { $0 != end }.map(\.name).joined(separator: ", ")
    }

    /// The columns of the key.
    package static let key: [DeviceColumn] = [.app, .ordinal]

    /// The assignments of an upsert: all columns but the key.
    package static let assignments = allCases.filter { !key.contains($0) }.map { "\($0) = excluded.\($0)" }
        .joined(separator: ", ")
}

extension RegisteredDevice {
    /// The columns for ``init(_:)``.
    package static let columns = DeviceColumn.allCases.map(\.name).joined(separator: ", ")

    /// Returns the value of a column.
    package func value(_ column: DeviceColumn) -> SQLValue {
        switch column {
        case .app: .app(id.app)
        case .ordinal: .ordinal(id.ordinal)
        case .installation: .text(installation)
        case .secretHash: .bytes(secretHash.bytes)
        case .token: .bytes(token?.bytes)
        case .environment: .word(environment)
        case .tokenRegisteredAt: .date(tokenRegisteredAt)
        case .alias: .text(alias)
        case .tags: .text(JSONValue.array(tags.map { .string($0) }).text)
        case .mobile: .text(mobile)
        case .badge: .int(badge)
        case .system: .text(system)
        case .channel: .text(channel)
        case .lastSeen: .date(lastSeen)
        case .version: .int64(Int64(version))
        case .isStopped: .bool(isStopped)
        case .zone: .text(zone)
        case .appVersion: .text(appVersion)
        case .language: .text(language)
        case .permission: .word(permission)
        case .tokenRefusal: .word(tokenRefusal)
        case .registeredAt: .date(registeredAt)
        case .isAliasProved: .bool(isAliasProved)
        case .sequence: .int64(sequence)
        case .separatedAt: .date(separation?.date)
        case .separatedAs: .int64(separation.map { Int64($0.ordinal) })
        case .attributes: .text(attributes.isEmpty ? nil : JSONValue.strings(attributes).text)
        }
    }

    package init(_ row: some SQLRow) throws {
        func text(_ column: DeviceColumn) -> String? { row.optionalText(column.rawValue) }
        // Damage is logged at start, when all rows are read. A device without its tags is still usable.
        let tags = (try? JSONValue(parsing: row.text(DeviceColumn.tags.rawValue)))?.array?.compactMap(\.string) ?? []
        self.init(
            id: DeviceID(app: row.app(DeviceColumn.app.rawValue), ordinal: row.ordinal(DeviceColumn.ordinal.rawValue)),
            installation: row.text(DeviceColumn.installation.rawValue),
            secretHash: SecretHash(bytes: row.bytes(DeviceColumn.secretHash.rawValue)),
            token: row.optionalBytes(DeviceColumn.token.rawValue).map { DeviceToken(bytes: $0) },
            environment: try row.word(DeviceColumn.environment.rawValue, "environment", of: "device"),
            tokenRegisteredAt: row.date(DeviceColumn.tokenRegisteredAt.rawValue),
            alias: text(.alias),
            tags: tags,
            mobile: text(.mobile),
            badge: row.int(DeviceColumn.badge.rawValue),
            system: row.text(DeviceColumn.system.rawValue),
            channel: text(.channel),
            lastSeen: row.date(DeviceColumn.lastSeen.rawValue),
            isStopped: row.bool(DeviceColumn.isStopped.rawValue),
            zone: text(.zone),
            appVersion: text(.appVersion),
            language: text(.language),
            permission: text(.permission).flatMap(NotificationPermission.init(rawValue:)),
            tokenRefusal: text(.tokenRefusal).map(APNSReason.init(rawValue:)),
            version: UInt32(truncatingIfNeeded: row.int64(DeviceColumn.version.rawValue))
        )
        isAliasProved = row.bool(DeviceColumn.isAliasProved.rawValue)
        sequence = row.int64(DeviceColumn.sequence.rawValue)
        if let date = row.optionalDate(DeviceColumn.separatedAt.rawValue),
            let number = row.optionalInt64(DeviceColumn.separatedAs.rawValue)
        {
            separation = Separation(date: date, ordinal: DeviceOrdinal(truncatingIfNeeded: number))
        }
        registeredAt = row.optionalDate(DeviceColumn.registeredAt.rawValue)
        if let attributes = text(.attributes) { self.attributes = [String: String](attributes: attributes) }
    }
}
