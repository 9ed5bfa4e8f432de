import ArgumentParser
import PushModel

/// A service whose export of devices can be imported as it is.
enum ImportSource: String, ExpressibleByArgument, CaseIterable {
    /// A CSV export of subscriptions: [Export subscriptions CSV](https://documentation.onesignal.com/reference/csv-export). Its rows as
    /// JSON, one a line, are read as well.
    case oneSignal = "onesignal"
    /// Objects of the class `_Installation`, one a line, as its REST API has them or as `mongoexport` writes them, also as CSV.
    case parse
    /// Endpoints, one a line, as an export job of Amazon Pinpoint wrote them, also as CSV with the names of its segment files
    /// ([EndpointBatchItem](https://docs.aws.amazon.com/pinpoint/latest/apireference/apps-application-id-endpoints.html)).
    case pinpoint

    /// Why a row is left out.
    enum Omission: String, CaseIterable {
        case unreachable = "APNs does not reach their devices"
        case unsubscribed = "their users have unsubscribed"
        case otherApp = "they belong to another app"
    }

    /// Returns the field that a column becomes.
    func field(_ column: String) -> DeviceImport.Field? { fields[column] }

    /// The column of device tokens.
    var tokenColumn: String {
        switch self {
        case .oneSignal: "identifier"
        case .parse: "deviceToken"
        case .pinpoint: "Address"
        }
    }

    /// The column of kinds of devices, and the name of a row.
    private var kind: (column: String, row: String) {
        switch self {
        case .oneSignal: ("device_type", "a subscription of OneSignal")
        case .parse: ("deviceType", "an installation of Parse")
        case .pinpoint: ("ChannelType", "an endpoint of Amazon Pinpoint")
        }
    }

    /// Whether the column has an attribute, or decides if a row is imported.
    func reads(_ column: String) -> Bool {
        attribute(column) != nil
            || [
                "device_type", "invalid_identifier", "notification_types", "deviceType", "appIdentifier",
                "EndpointStatus", "OptOut",
            ].contains(column)
    }

    /// The columns that become fields.
    var fields: [String: DeviceImport.Field] {
        switch self {
        case .oneSignal:
            [
                "id": .registrationID, "identifier": .token, "external_user_id": .alias, "tags": .tags,
                "language": .language, "timezone_id": .zone, "game_version": .appVersion, "device_os": .system,
            ]
        case .parse:
            [
                "objectId": .registrationID, "_id": .registrationID, "deviceToken": .token, "user": .alias,
                "_p_user": .alias, "channels": .tags, "localeIdentifier": .language, "timeZone": .zone,
                "appVersion": .appVersion,
            ]
        case .pinpoint:
            [
                "Id": .registrationID, "Address": .token, "ChannelType": .environment, "User.UserId": .alias,
                "Demographic.Locale": .language, "Demographic.Timezone": .zone, "Demographic.AppVersion": .appVersion,
                "Demographic.PlatformVersion": .system,
            ]
        }
    }

    /// Returns the name of the attribute, of an endpoint or of its user, that a column of Pinpoint has.
    private func attribute(_ column: String) -> String? {
        guard self == .pinpoint else { return nil }
        return column.wholeMatch(of: /(?:User\.User)?Attributes\.(.+)/).map { String($0.1) }
    }

    /// Returns a row of JSON with the names that CSV has: `User.UserId` for a member of an object in one of Pinpoint.
    func flat(_ row: JSONObject, _ path: String = "") -> JSONObject {
        guard self == .pinpoint else { return row }
        return JSONObject(
            row.members.flatMap { member in
                let name = path + member.key
                return member.value.object.map { flat($0, name + ".").members.map { ($0.key, $0.value) } }
                    ?? [(name, member.value)]
            }
        )
    }

    /// Returns why a row is left out of an app with this bundle id; nil if it is imported.
    ///
    /// Without its column, a row is not left out for that reason.
    ///
    /// - Throws: if the row is of another export.
    func omission(of row: JSONObject, bundleID: String) throws(DeviceImport.Problem) -> Omission? {
        if self == .pinpoint || row[tokenColumn] == nil, Self.text(row[kind.column]).isEmpty {
            throw DeviceImport.Problem("'\(kind.column)' is missing; expected \(kind.row).")
        }
        guard !Self.text(row[tokenColumn]).isEmpty else { return .unreachable }
        switch self {
        case .oneSignal:
            // Other kinds of devices have other numbers.
            let isIOS = Double(Self.text(row["device_type"], default: "0")) == 0
            let isInvalid = ["t", "true", "1"].contains(Self.text(row["invalid_identifier"]).lowercased())
            guard isIOS, !isInvalid else { return .unreachable }
            // Permissions as bits; 0 without any, and less for other reasons: -2 by the user, -31 by the API.
            let isSubscribed = Double(Self.text(row["notification_types"], default: "1")).map { $0 > 0 } ?? true
            return isSubscribed ? nil : .unsubscribed
        case .parse:
            guard Self.text(row["deviceType"], default: "ios") == "ios" else { return .unreachable }
            return Self.text(row["appIdentifier"], default: bundleID) == bundleID ? nil : .otherApp
        case .pinpoint:
            let isIOS = ["APNS", "APNS_SANDBOX"].contains(Self.text(row["ChannelType"]))
            guard isIOS, Self.text(row["EndpointStatus"]) != "INACTIVE" else { return .unreachable }
            return Self.text(row["OptOut"]) == "ALL" ? .unsubscribed : nil
        }
    }

    /// Returns the device that a row describes, as ``DeviceImport`` reads it. `remarks` gets one for each value that does not fit.
    ///
    /// - Throws: if the row has an alias that another id has, or tags that cannot be read.
    func device(
        _ row: JSONObject,
        _ names: inout ImportNames,
        remarks: inout [String]
    ) throws(DeviceImport.Problem) -> JSONObject {
        var device: JSONObject = [:]
        var attributes: [String: String] = [:]
        var pairs: [String] = []
        for member in row.members {
            if let name = attribute(member.key) {
                let values = (member.value.array ?? [member.value]).map { Self.text($0) }.filter { !$0.isEmpty }
                // A variable has one value.
                if values.count > 1 {
                    pairs += values.map { "\(name)=\($0)" }
                } else if let value = values.first {
                    ImportNames.add(name, value, to: &attributes, remarks: &remarks)
                }
                continue
            }
            guard let field = field(member.key) else { continue }
            switch field {
            case .environment where self == .pinpoint:
                device[field.rawValue] = member.value == "APNS_SANDBOX" ? "development" : "production"
            case .token, .environment, .attributes, .zone, .language, .appVersion: device[field.rawValue] = member.value
            case .registrationID:
                // Ids here have only letters and digits.
                let id = id(member.value).filter { $0 != "-" }
                if id.isEmpty || RegistrationID(id) != nil {
                    device[field.rawValue] = .string(id)
                } else {
                    remarks.append("the id '\(id.prefix(40))' is not 1 to 64 letters and digits")
                }
            case .alias:
                let id = id(member.value)
                // An empty one would clear the alias.
                if !id.isEmpty {
                    device[field.rawValue] = try names.alias(for: id, remarks: &remarks).map(JSONValue.string)
                }
            case .tags:
                device[field.rawValue] = .strings(names.tags(for: try tags(member.value), &remarks))
            case .system:
                let version = Self.text(member.value)
                if !version.isEmpty { device[field.rawValue] = .string("iOS \(version)") }
            }
        }
        if !pairs.isEmpty { device["tags"] = .strings(names.tags(for: pairs, &remarks)) }
        if !attributes.isEmpty { device["attributes"] = .object(JSONObject(attributes.map { ($0, .string($1)) })) }
        return device
    }

    /// Returns an id, or that of what an object refers to.
    private func id(_ value: JSONValue) -> String {
        guard self == .parse else { return Self.text(value) }
        // A user is an object, perhaps as text, or the class and the id: `_User$8Ksm2uVqFx`.
        let object = value.object ?? value.string.flatMap { try? JSONValue(parsing: $0) }?.object
        let text = Self.text(object?["objectId"] ?? object?["$oid"] ?? value)
        return String(text.split(separator: "$").last ?? "")
    }

    private func tags(_ value: JSONValue) throws(DeviceImport.Problem) -> [String] {
        guard self == .oneSignal else { return value == .null ? [] : try DeviceImport.tagTexts(value) }
        let tags = value.string.flatMap { try? JSONValue(parsing: $0) } ?? value
        guard let object = tags.object else {
            // PHP writes an object without members as an array.
            guard [.null, "", []].contains(tags) else {
                throw DeviceImport.Problem("'tags' is '\(Self.text(value).prefix(80))'; expected a JSON object.")
            }
            return []
        }
        return object.members.compactMap { tag in
            let text = Self.text(tag.value)
            return text.isEmpty ? nil : "\(tag.key)=\(text)"
        }
    }

    /// Returns the text of a value of any type, or the default for a missing or empty one.
    private static func text(_ value: JSONValue?, default missing: String = "") -> String {
        guard let value, value != .null, value != "" else { return missing }
        return value.string ?? value.text
    }
}
