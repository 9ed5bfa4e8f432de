public import Foundation

extension ProvisioningProfile {
    /// The error for a file that is not a provisioning profile.
    public struct Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
        public var description: String
    }

    /// Reads a profile: an XML property list, alone or in Apple's signed envelope, whose signature is not verified.
    ///
    /// - Throws: ``Unreadable`` if the file is not such a list, or lacks a required key.
    public init(file: Data) throws(Unreadable) {
        let list: PropertyList
        let text = try Self.propertyList(in: file)
        do { list = try PropertyListDecoder().decode(PropertyList.self, from: text) } catch {
            throw Unreadable(description: "The file is no provisioning profile: \(Self.reason(error)).")
        }
        for (key, date) in [("CreationDate", list.created), ("ExpirationDate", list.expires)] {
            guard Self.dates.contains(date) else {
                throw Unreadable(description: "'\(key)' is not a date in the years 1 to 9999.")
            }
        }
        let entitlements = list.entitlements
        let (prefix, bundleID) = try Self.split(entitlements.applicationIdentifier)
        var environment: APNSEnvironment?
        if let text = entitlements.apsEnvironment {
            guard let known = APNSEnvironment(rawValue: text) else {
                throw Unreadable(description: "'aps-environment' is '\(text)'; expected 'development' or 'production'.")
            }
            environment = known
        }
        self.init(
            name: list.name,
            id: list.id,
            teamID: list.teamIdentifier?.first ?? entitlements.teamIdentifier ?? prefix,
            bundleID: bundleID,
            environment: environment,
            devices: list.devices.map(Set.init),
            created: list.created,
            expires: list.expires
        )
    }

    /// The dates that survive a round trip; Foundation's decoder also accepts years of other lengths.
    private static let dates =
        Date(timeIntervalSince1970: -62_135_596_800)..<Date(timeIntervalSince1970: 253_402_300_800)

    /// Returns the file: a property list in XML.
    ///
    /// - Throws: the errors of `PropertyListEncoder`.
    public func propertyList() throws -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        return try encoder.encode(
            PropertyList(
                name: name,
                id: id,
                teamIdentifier: [teamID],
                applicationIdentifierPrefix: [teamID],
                entitlements: PropertyList.Entitlements(
                    applicationIdentifier: "\(teamID).\(bundleID)",
                    teamIdentifier: teamID,
                    apsEnvironment: environment?.rawValue,
                    getTaskAllow: environment == .development
                ),
                devices: devices?.sorted(),
                provisionsAllDevices: devices == nil ? true : nil,
                created: created,
                expires: expires,
                version: PropertyList.Version()
            )
        )
    }

    private struct PropertyList: Codable {
        struct Entitlements: Codable {
            var applicationIdentifier: String
            var teamIdentifier: String?
            var apsEnvironment: String?
            var getTaskAllow: Bool?

            enum CodingKeys: String, CodingKey {
                case applicationIdentifier = "application-identifier"
                case teamIdentifier = "com.apple.developer.team-identifier"
                case apsEnvironment = "aps-environment"
                case getTaskAllow = "get-task-allow"
            }
        }

        /// The version of the format, always 1. It is written but not read: Foundation's decoder crashes on an `<integer>` of
        /// eight octets or more that is not UTF-8.
        struct Version: Codable {
            init() {}

            init(from decoder: any Decoder) {}

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                try container.encode(1)
            }
        }

        var name: String
        var id: UUID
        var teamIdentifier: [String]?
        var applicationIdentifierPrefix: [String]?
        var entitlements: Entitlements
        var devices: [String]?
        var provisionsAllDevices: Bool?
        var created: Date
        var expires: Date
        var version: Version?

        enum CodingKeys: String, CodingKey {
            case name = "Name"
            case id = "UUID"
            case teamIdentifier = "TeamIdentifier"
            case applicationIdentifierPrefix = "ApplicationIdentifierPrefix"
            case entitlements = "Entitlements"
            case devices = "ProvisionedDevices"
            case provisionsAllDevices = "ProvisionsAllDevices"
            case created = "CreationDate"
            case expires = "ExpirationDate"
            case version = "Version"
        }
    }

    /// Extracts the XML property list.
    ///
    /// Other formats of property lists are rejected: profiles do not use them, and Foundation's decoder crashes on some damaged ones.
    private static func propertyList(in file: Data) throws(Unreadable) -> Data {
        if ["<?xml", "<!DOCTYPE", "<plist"].contains(where: { file.starts(with: $0.utf8) }) { return file }
        // An envelope (RFC 5652) is a sequence in DER; it contains the list unencoded.
        guard file.first == 0x30, let start = file.range(of: Data("<?xml".utf8)),
            let end = file.range(of: Data("</plist>".utf8), in: start.lowerBound..<file.endIndex)
        else { throw Unreadable(description: "The file is no provisioning profile: \(noPropertyList).") }
        return Data(file[start.lowerBound..<end.upperBound])
    }

    private static let noPropertyList =
        "it is no property list in XML; expected what 'posthorn profile create' writes, or a .mobileprovision"

    private static func split(_ identifier: String) throws(Unreadable) -> (prefix: String, bundleID: String) {
        guard let dot = identifier.firstIndex(of: "."), dot != identifier.startIndex else {
            throw Unreadable(
                description: "'application-identifier' is '\(identifier)'; expected team and bundle id, such as "
                    + "'ABCDE12345.com.example.app'."
            )
        }
        return (String(identifier[..<dot]), String(identifier[identifier.index(after: dot)...]))
    }

    private static func reason(_ error: any Error) -> String {
        func path(_ keys: [any CodingKey]) -> String { keys.map(\.stringValue).joined(separator: ".") }
        return switch error as? DecodingError {
        case .keyNotFound(let key, let context): "'\(path(context.codingPath + [key]))' is missing"
        case .typeMismatch(_, let context) where !context.codingPath.isEmpty,
            .valueNotFound(_, let context) where !context.codingPath.isEmpty,
            .dataCorrupted(let context) where !context.codingPath.isEmpty:
            "'\(path(context.codingPath))' has the wrong type"
        default: noPropertyList
        }
    }
}
