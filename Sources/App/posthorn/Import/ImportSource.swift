import ArgumentParser
import PushModel

/// A service whose export of devices can be imported as it is.
enum ImportSource: String, ExpressibleByArgument, CaseIterable {
    /// A CSV export of subscriptions: [Export subscriptions CSV](https://documentation.onesignal.com/reference/csv-export).
    case oneSignal = "onesignal"
    /// Objects of the class `_Installation`, one a line, as its REST API has them or as `mongoexport` writes them.
    case parse

    /// Returns the field that a column becomes.
    func field(_ column: String) -> DeviceImport.Field? { fields[column] }

    /// Whether the column decides if a row is imported.
    func decides(_ column: String) -> Bool { ["device_type", "invalid_identifier", "deviceType"].contains(column) }

    private var fields: [String: DeviceImport.Field] {
        switch self {
        case .oneSignal: ["id": .registrationID, "identifier": .token, "external_user_id": .alias, "tags": .tags]
        case .parse:
            [
                "objectId": .registrationID, "_id": .registrationID, "deviceToken": .token, "user": .alias,
                "_p_user": .alias, "channels": .tags,
            ]
        }
    }

    /// Returns the device that a row describes, as ``DeviceImport`` reads it; nil if APNs does not reach it.
    func device(_ row: JSONObject) -> JSONObject? {
        let token = row.members.first { field($0.key) == .token }?.value.string ?? ""
        guard !token.isEmpty, isReachable(row) else { return nil }
        var device: JSONObject = [:]
        for member in row.members {
            guard let field = field(member.key), let value = value(member.value, of: field) else { continue }
            device[field.rawValue] = value
        }
        return device
    }

    private func isReachable(_ row: JSONObject) -> Bool {
        switch self {
        // Other kinds of devices have other numbers.
        case .oneSignal:
            row["device_type"]?.string == "0" && row["invalid_identifier"]?.string?.first?.lowercased() != "t"
        case .parse: row["deviceType"]?.string == "ios"
        }
    }

    private func value(_ value: JSONValue, of field: DeviceImport.Field) -> JSONValue? {
        switch field {
        case .token, .environment, .attributes: return value
        case .registrationID:
            // Ids here have only letters and digits.
            return .string((value.string ?? "").filter { $0 != "-" })
        case .alias:
            // Parse refers to a user by an object, or by the class and the id: `_User$8Ksm2uVqFx`.
            let text = value.object?["objectId"]?.string ?? value.string ?? ""
            let id = self == .parse ? String(text.split(separator: "$").last ?? "") : text
            // An empty one would clear the alias.
            return id.isEmpty ? nil : .string(Self.name(id))
        case .tags:
            if let channels = value.array { return .strings(channels.compactMap(\.string).map(Self.name)) }
            let tags = (try? JSONValue(parsing: value.string ?? ""))?.object ?? [:]
            return .strings(tags.members.map { Self.name("\($0.key)=\($0.value.string ?? $0.value.text)") })
        }
    }

    /// Returns the text with `_` for each character that aliases and tags cannot have.
    private static func name(_ text: String) -> String { String(text.map { JPushLimits.isTag(String($0)) ? $0 : "_" }) }
}
