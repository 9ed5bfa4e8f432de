#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation

/// Encodes and decodes an object by its fields, as the emulated frameworks do.
enum RecordCoding {
    private static let key = "record"

    static func encode<Record: Encodable>(_ record: Record, with coder: NSCoder) {
        guard let data = try? JSONEncoder().encode(record) else { return }
        coder.encode(data as NSData, forKey: key)
    }

    static func decode<Record: Decodable>(_ type: Record.Type = Record.self, from coder: NSCoder) -> Record? {
        guard let data = coder.decodeObject(of: NSData.self, forKey: key) else { return nil }
        return try? JSONDecoder().decode(type, from: Data(referencing: data))
    }
}

#endif
