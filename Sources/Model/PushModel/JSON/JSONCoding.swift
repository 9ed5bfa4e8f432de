package import Foundation

/// Writes `Codable` values as JSON and reads them. Names are in snake case, and members in the order of the properties.
///
/// The case of an enumeration is a name beside the JSON, which has the members of its payload.
package enum JSONCoding {
    /// Returns a value as JSON. A property without a value is left out, unless it is ``OrNull``.
    package static func json(of value: some Encodable) -> JSONValue {
        switch value {
        case let plain as any JSONConvertible: return plain.json
        case let values as [any Encodable]: return .array(values.map { json(of: $0) })
        default:
            let writer = Writer()
            writer.write(value)
            return writer.json
        }
    }

    /// Returns the members of a value, as ``json(of:)`` has them.
    package static func object(of value: some Encodable) -> JSONObject { json(of: value).object ?? [:] }

    /// Returns the name of an enumeration's case and its payload.
    package static func namedCase(of value: some Encodable) -> (name: String, payload: JSONObject) {
        let writer = Writer()
        writer.write(value)
        return (writer.name ?? "", writer.json.object ?? [:])
    }

    /// Reads a case of an enumeration, and refuses unknown members.
    ///
    /// - Parameters:
    ///   - type: the enumeration.
    ///   - name: the name of the case, one that the enumeration has.
    ///   - payload: the members of the case's values.
    /// - Returns: the case.
    /// - Throws: ``JSONProblem``.
    package static func read<Value: Decodable>(
        _ type: Value.Type,
        named name: String,
        from payload: JSONObject
    ) throws -> Value {
        let reader = Reader(.object(payload), name: name)
        let value = try Value(from: reader)
        try JSONReader(payload).refuseKeys(besides: Array(reader.asked))
        return value
    }

    /// Reads a value; unknown members are ignored.
    ///
    /// - Throws: ``JSONProblem``, also about a value that is nil because it is missing.
    package static func read<Value: Decodable>(_ type: Value.Type = Value.self, from json: JSONValue?) throws -> Value {
        func convert<Found>(_ form: JSONForm<Found>, _ read: (Found) throws -> Any = { $0 }) throws -> Value {
            guard let found = json.flatMap(form.convert), let value = try read(found) as? Value else {
                throw JSONProblem("", found: json, expected: form.expected())
            }
            return value
        }
        func formed<Form: JSONFormed>(_ type: Form.Type) throws -> Value { try convert(Form.form) }
        func word<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) throws -> Value {
            try convert(JSONForm<Word>.word)
        }
        switch type {
        case is [String].Type: return try convert(.strings)
        case let type as any (RawRepresentable<String> & CaseIterable).Type: return try word(type)
        case let type as any JSONFormed.Type: return try formed(type)
        case let list as any JSONList.Type: return try convert(.array) { try list.read(from: $0) }
        default: return try Value(from: Reader(json ?? .null))
        }
    }
}

/// A value whose JSON is not made of its properties, and which is read from it.
package protocol JSONFormed: Codable, JSONConvertible { static var form: JSONForm<Self> { get } }

extension JSONFormed {
    public init(from decoder: any Decoder) throws {
        self = try JSONCoding.read(Self.self, from: (decoder as? Reader)?.json)
    }

    public func encode(to encoder: any Encoder) { (encoder as? Writer)?.json = json }
}

extension JSONValue: JSONFormed {
    package static var form: JSONForm<JSONValue> { JSONForm("a value") { $0 } }
    package var json: JSONValue { self }
}

extension String: JSONFormed { package static var form: JSONForm<String> { .string } }
extension Bool: JSONFormed { package static var form: JSONForm<Bool> { .bool } }
extension Int64: JSONFormed { package static var form: JSONForm<Int64> { .integer } }

extension Int: JSONFormed {
    package static var form: JSONForm<Int> { JSONForm("an integer") { $0.integer.map { Int($0) } } }
}

extension Date: JSONFormed {
    package static var form: JSONForm<Date> { JSONForm("a date") { try? Date($0.string ?? "", strategy: .iso8601) } }
    /// The date in ISO 8601, in whole seconds.
    package var json: JSONValue { .string(formatted(.iso8601)) }
}

/// A value of which later versions have more forms: a list leaves out the elements that this version does not know.
package protocol JSONVersioned: JSONFormed {}

extension Array: JSONConvertible, JSONFormed where Element: JSONVersioned {
    package static var form: JSONForm<[Element]> { JSONForm("an array") { $0.array?.compactMap(Element.form.convert) } }
    package var json: JSONValue { .array(map(\.json)) }
}

private protocol JSONList { static func read(from elements: [JSONValue]) throws -> Self }

extension Array: JSONList where Element: Decodable {
    fileprivate static func read(from elements: [JSONValue]) throws -> Self {
        try elements.enumerated().map { place, json in
            try JSONProblem.at("[\(place)]") { try JSONCoding.read(Element.self, from: json) }
        }
    }
}

extension JSONProblem {
    /// Runs `body`, whose problems are those of a part of a value.
    fileprivate static func at<Result>(_ part: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch var problem as JSONProblem {
            let isMember = !problem.path.isEmpty && !problem.path.hasPrefix("[")
            problem.path = part + (isMember ? "." : "") + problem.path
            throw problem
        }
    }
}

extension CodingKey {
    /// The name in JSON: `bundle_id` for `bundleID`.
    fileprivate var name: String {
        var name: [UInt8] = []
        var wasCapital = false
        for octet in stringValue.utf8 {
            let isCapital = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octet)
            if isCapital, !wasCapital { name.append(UInt8(ascii: "_")) }
            wasCapital = isCapital
            name.append(isCapital ? octet | 0x20 : octet)
        }
        return String(decoding: name, as: UTF8.self)
    }
    /// Whether this is the key of a value whose members stand in that of its owner: an unlabelled one of an enumeration's case.
    fileprivate var isUnlabelled: Bool { stringValue.utf8.first == UInt8(ascii: "_") }
}

// MARK: - Writing

private final class Writer: Encoder, SingleValueEncodingContainer {
    /// The name of an enumeration's case.
    var name: String?
    /// The members; nil for a value without any.
    var members: JSONObject?
    private var value = JSONValue.null
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    var json: JSONValue {
        get { members.map { .object($0) } ?? value }
        set {
            members = newValue.object
            value = newValue
        }
    }

    func write(_ value: some Encodable) {
        do { try value.encode(to: self) } catch { preconditionFailure("\(value) cannot be written: \(error)") }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if members == nil { members = [:] }
        return KeyedEncodingContainer(MemberWriter<Key>(writer: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { unsupported() }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }
    func encodeNil() { json = .null }
    func encode<Value: Encodable>(_ value: Value) { json = JSONCoding.json(of: value) }
}

private struct MemberWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: Writer
    var codingPath: [any CodingKey] { [] }

    private func set(_ json: JSONValue, _ key: Key) { writer.members?[key.name] = json }

    func encodeNil(forKey key: Key) { set(.null, key) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) {
        if key.isUnlabelled {
            writer.write(value)
        } else {
            set(JSONCoding.json(of: value), key)
        }
    }
    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        writer.name = key.stringValue
        return writer.container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { unsupported() }
    func superEncoder() -> any Encoder { unsupported() }
    func superEncoder(forKey key: Key) -> any Encoder { unsupported() }
}

// MARK: - Reading

private final class Reader: Decoder, SingleValueDecodingContainer {
    let json: JSONValue
    /// The name of an enumeration's case.
    let name: String?
    /// The members that the value has or may have.
    var asked: Set<String> = []
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    init(_ json: JSONValue, name: String? = nil) {
        self.json = json
        self.name = name
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(MemberReader<Key>(reader: self, object: try JSONReader(json).object))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { unsupported() }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }
    func decodeNil() -> Bool { json == .null }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try JSONCoding.read(type, from: json) }
}

private struct MemberReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let reader: Reader
    let object: JSONObject
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [reader.name.flatMap { Key(stringValue: $0) }].compactMap(\.self) }

    private func member(_ key: Key) -> JSONValue? {
        reader.asked.insert(key.name)
        return object[key.name]
    }

    func contains(_ key: Key) -> Bool { member(key) != nil }
    func decodeNil(forKey key: Key) -> Bool { member(key) ?? .null == .null }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        if key.isUnlabelled { return try Value(from: reader) }
        return try JSONProblem.at(key.name) { try JSONCoding.read(type, from: member(key)) }
    }
    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        // Only a value that may be any JSON is null rather than absent.
        let isAbsent = type == JSONValue.self ? !contains(key) : decodeNil(forKey: key)
        return isAbsent ? nil : try decode(type, forKey: key)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try reader.container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { unsupported() }
    func superDecoder() -> any Decoder { unsupported() }
    func superDecoder(forKey key: Key) -> any Decoder { unsupported() }
}

private func unsupported() -> Never { preconditionFailure("Only whole values and objects of members are coded.") }
