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

extension GeoRegion: Codable {
    private enum Key: String, CodingKey {
        case identifier, onEntry, onExit, latitude, longitude, radius, beacon, major, minor, onDisplay
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let shape: Shape
        if let uuid = try values.decodeIfPresent(String.self, forKey: .beacon) {
            shape = .beacon(
                uuid: uuid,
                major: try values.decodeIfPresent(UInt16.self, forKey: .major),
                minor: try values.decodeIfPresent(UInt16.self, forKey: .minor),
                onDisplay: try values.decode(Bool.self, forKey: .onDisplay)
            )
        } else {
            let center = Coordinate(
                latitude: try values.decode(Double.self, forKey: .latitude),
                longitude: try values.decode(Double.self, forKey: .longitude)
            )
            shape = .circle(center: center, radius: try values.decode(Double.self, forKey: .radius))
        }
        self.init(
            identifier: try values.decode(String.self, forKey: .identifier),
            shape: shape,
            notifyOnEntry: try values.decode(Bool.self, forKey: .onEntry),
            notifyOnExit: try values.decode(Bool.self, forKey: .onExit)
        )
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(identifier, forKey: .identifier)
        try values.encode(notifyOnEntry, forKey: .onEntry)
        try values.encode(notifyOnExit, forKey: .onExit)
        switch shape {
        case .circle(let center, let radius):
            try values.encode(center.latitude, forKey: .latitude)
            try values.encode(center.longitude, forKey: .longitude)
            try values.encode(radius, forKey: .radius)
        case .beacon(let uuid, let major, let minor, let onDisplay):
            try values.encode(uuid, forKey: .beacon)
            try values.encodeIfPresent(major, forKey: .major)
            try values.encodeIfPresent(minor, forKey: .minor)
            try values.encode(onDisplay, forKey: .onDisplay)
        }
    }
}
