extension DeviceToken: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let token = DeviceToken(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "A device token is '\(text)'; expected an even number of hexadecimal digits."
            )
        }
        self = token
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hexadecimal)
    }
}
