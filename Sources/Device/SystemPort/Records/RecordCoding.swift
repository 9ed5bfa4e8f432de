package import Foundation
public import PushModel

/// Encodes and decodes an object of a framework by its record.
package enum RecordCoding {
    private static let key = "record"

    package static func encode(_ record: some Encodable, with coder: NSCoder) {
        guard let data = try? JSONEncoder().encode(record) else { return }
        coder.encode(data as NSData, forKey: key)
    }

    package static func decode<Record: Decodable>(_ type: Record.Type = Record.self, from coder: NSCoder) -> Record? {
        guard let data = coder.decodeObject(of: NSData.self, forKey: key) else { return nil }
        return try? JSONDecoder().decode(type, from: Data(referencing: data))
    }

    /// Whether a coder is an app's own, with which its tests make notifications: it answers Apple's keys instead of a record.
    package static func isFake(_ coder: NSCoder) -> Bool { type(of: coder) != NSKeyedUnarchiver.self }
}

// Records with a payload encode it as its own text.

extension JSONObject: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let object = try JSONValue(parsing: container.decode(String.self)).object else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Expected a JSON object.")
        }
        self = object
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(JSONValue.object(self).text)
    }
}
