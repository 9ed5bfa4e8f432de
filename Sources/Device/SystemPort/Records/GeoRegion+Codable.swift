public import PushModel

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
