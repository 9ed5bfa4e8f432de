/// The places of a device's fields in a text with many devices, JSON or CSV.
///
/// ``DeviceImport/init(_:in:)`` reads fields of the usual form from there, without a dictionary of them.
package struct DeviceFields: Sendable {
    /// The place of a value.
    package struct Place: Sendable {
        /// The octets of a text without escapes, or those of any other value in JSON.
        package var range: Range<Int>
        package var isText: Bool

        package init(_ range: Range<Int>, isText: Bool) {
            self.range = range
            self.isText = isText
        }

        /// Returns the value in its text.
        package func json(in octets: [UInt8]) -> JSONValue {
            if isText { return .string(String(decoding: octets[range], as: UTF8.self)) }
            return (try? JSONValue(parsing: octets[range])) ?? .null
        }
    }

    private var places = InlineArray<10, Place?>(repeating: nil)

    package init() {}

    /// The place of a field; nil for one that is missing or null.
    package subscript(field: DeviceImport.Field) -> Place? {
        get { places[field.index] }
        set { places[field.index] = newValue }
    }

    /// Returns the fields as the members of an object.
    package func object(in octets: [UInt8]) -> JSONObject {
        var object: JSONObject = [:]
        for field in DeviceImport.Field.allCases { object[field.rawValue] = self[field]?.json(in: octets) }
        return object
    }
}

extension DeviceImport.Field {
    fileprivate var index: Int {
        switch self {
        case .registrationID: 0
        case .token: 1
        case .environment: 2
        case .alias: 3
        case .tags: 4
        case .attributes: 5
        case .zone: 6
        case .language: 7
        case .appVersion: 8
        case .system: 9
        }
    }
}

/// The fields of the keys of objects, which mostly have the same keys in the same order.
package struct DeviceKeys {
    private let field: (String) -> DeviceImport.Field?
    /// The keys of earlier objects, by their place in the first one, with their fields; not more than ``most``.
    private var known: [(key: String, field: DeviceImport.Field?)] = []
    private static let most = 64

    /// Creates an empty list, with the rule for new keys.
    package init(_ field: @escaping (String) -> DeviceImport.Field?) { self.field = field }

    fileprivate mutating func field(of key: String, at place: Int) -> DeviceImport.Field? {
        if place < known.count, known[place].key.isSame(as: key) { return known[place].field }
        if let other = known.first(where: { $0.key.isSame(as: key) }) { return other.field }
        let found = field(key)
        if known.count < Self.most { known.append((key, found)) }
        return found
    }
}

extension JSONParser {
    /// Reads the next value, a device's object. A repeated field has its last value.
    package mutating func deviceFields(_ keys: inout DeviceKeys) throws(JSONSyntaxError) -> DeviceFields {
        var fields = DeviceFields()
        guard try enterObject() else { return fields }
        var number = 0
        repeat {
            let field = keys.field(of: try key(), at: number)
            number += 1
            let start = at
            let text = plainString()
            let isNull = text == nil ? try value() == .null : false
            if let field { fields[field] = isNull ? nil : .init(text ?? start..<at, isText: text != nil) }
        } while try hasNextMember()
        return fields
    }
}

/// A list of devices in JSON, `{"devices":[…]}`, with the places of their fields and one more member.
package struct DeviceList: Sendable {
    package let octets: [UInt8]
    /// The first devices, up to a limit; nil for an element that is not an object.
    package private(set) var devices: [DeviceFields?] = []
    /// The number of elements; nil if there is no array.
    package private(set) var count: Int?
    /// The value of the other member.
    package private(set) var other: JSONValue?

    package init(
        parsing octets: [UInt8],
        upTo limit: Int = .max,
        and other: String
    ) throws(JSONSyntaxError) {
        self.octets = octets
        var parser = JSONParser(bytes: octets)
        try parser.start()
        if !parser.isAtObject {
            _ = try parser.value()
        } else if try parser.enterObject() {
            repeat {
                switch try parser.key() {
                case "devices": try readDevices(&parser, limit)
                case other: self.other = try parser.value()
                default: _ = try parser.value()
                }
            } while try parser.hasNextMember()
        }
        try parser.end()
    }

    /// Reads the array; of two, the last one counts.
    private mutating func readDevices(_ parser: inout JSONParser, _ limit: Int) throws(JSONSyntaxError) {
        devices = []
        count = nil
        guard parser.isAtArray else {
            _ = try parser.value()
            return
        }
        var keys = DeviceKeys { DeviceImport.Field(rawValue: $0) }
        var number = 0
        if try parser.enterArray() {
            repeat {
                let isObject = parser.isAtObject && number < limit
                let fields = isObject ? try parser.deviceFields(&keys) : nil
                if !isObject { _ = try parser.value() }
                if number < limit { devices.append(fields) }
                number += 1
            } while try parser.hasNextElement()
        }
        count = number
    }
}
