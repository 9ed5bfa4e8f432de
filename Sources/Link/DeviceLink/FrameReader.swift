import PushModel

/// Reads the members of a frame and reports missing ones.
struct FrameReader {
    let object: JSONObject
    let type: String

    init(_ text: String) throws(LinkFrameError) {
        let json: JSONValue
        do { json = try JSONValue(parsing: text) } catch { throw LinkFrameError("A frame is not JSON: \(error).") }
        guard let object = json.object, let type = object["type"]?.string else {
            throw LinkFrameError("A frame is not an object with a 'type'.")
        }
        self.object = object
        self.type = type
    }

    var unknownType: LinkFrameError { LinkFrameError("Frames of type '\(type)' are not known.") }

    func string(_ key: String) throws(LinkFrameError) -> String {
        try read(key, expected: "a string") { $0.string }
    }

    func integer(_ key: String) throws(LinkFrameError) -> Int64 {
        try read(key, expected: "an integer") { $0.integer }
    }

    func strings(_ key: String) throws(LinkFrameError) -> [String] {
        try read(key, expected: "an array of strings") { value in
            guard let array = value.array else { return nil }
            let strings = array.compactMap(\.string)
            return strings.count == array.count ? strings : nil
        }
    }

    func word<Word: RawRepresentable<String>>(_ key: String) throws(LinkFrameError) -> Word {
        try read(key, expected: "a known word") { $0.string.flatMap(Word.init(rawValue:)) }
    }

    /// Returns nil if the member is missing or null.
    func optional<Value>(
        _ key: String,
        expected: String,
        _ convert: (JSONValue) -> Value?
    ) throws(LinkFrameError) -> Value? {
        switch object[key] {
        case nil, .null: return nil
        default: return try read(key, expected: expected, convert)
        }
    }

    func read<Value>(
        _ key: String,
        expected: String,
        _ convert: (JSONValue) -> Value?
    ) throws(LinkFrameError) -> Value {
        guard let value = object[key], let converted = convert(value) else {
            throw LinkFrameError("A '\(type)' frame needs '\(key)', \(expected).")
        }
        return converted
    }
}
