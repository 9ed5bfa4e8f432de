public import PushModel

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
