package import Foundation

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
