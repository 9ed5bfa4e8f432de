/// The attributes of devices as the store has them, in one piece of memory, and of one device at a time the values for a template.
package struct AttributeValues: Hashable, Sendable {
    /// The JSON object of a device; empty for one without attributes.
    private struct Object: Hashable {
        var range = 0..<0
        /// Whether it has escapes, control characters or damaged UTF-8, which hardly any has.
        var isOdd = false
    }

    /// The objects of the devices.
    private var bytes: [UInt8] = []
    private var objects: [Object]
    /// The values of the selected device, if it was read with the parser.
    private var parsed: [UInt8] = []
    private var isParsed = false
    /// The values of the device that was selected last, escaped, by column.
    private var values: [Range<Int>?] = []

    /// Creates room for a number of devices, which have no attributes yet.
    package init(count: Int = 0) { objects = Array(repeating: Object(), count: count) }

    /// Sets the attributes of the device at a place, once, as the text that the store has for them.
    package mutating func set(_ object: Span<UInt8>, at place: Int) {
        let start = bytes.count
        var marks: UInt8 = 0
        unsafe object.withUnsafeBufferPointer { octets in
            // Needs no branch per octet.
            for index in octets.indices {
                let octet = unsafe octets[index]
                marks |= octet & 0x80 | (octet < 0x20 ? 1 : 0) | (octet == UInt8(ascii: "\\") ? 1 : 0)
            }
            unsafe bytes.append(contentsOf: octets)
        }
        var isOdd = marks & 1 != 0
        if marks & 0x80 != 0 { do { _ = try UTF8Span(validating: object) } catch { isOdd = true } }
        objects[place] = Object(range: start..<bytes.count, isOdd: isOdd)
    }

    /// Selects the values of a device for columns with these names.
    ///
    /// - Returns: false if it has none of them.
    mutating func select(_ place: Int, columns: [[UInt8]]) -> Bool {
        guard place < objects.count, !objects[place].range.isEmpty else { return false }
        let object = objects[place]
        clear(columns.count)
        // Held, and not copied, while the values are changed.
        let held = bytes
        let octets = held.span.extracting(object.range)
        isParsed = object.isOdd || !Self.read(octets, at: object.range.lowerBound, columns: columns, into: &values)
        if isParsed { read(String(decoding: held[object.range], as: UTF8.self), columns) }
        return values.contains { $0 != nil }
    }

    /// The value of the selected device in a column, escaped; nil without one.
    subscript(column: Int) -> ArraySlice<UInt8>? { values[column].map { (isParsed ? parsed : bytes)[$0] } }

    private mutating func clear(_ count: Int) {
        if values.count == count {
            for column in values.indices { values[column] = nil }
        } else {
            values = Array(repeating: nil, count: count)
        }
    }

    /// Finds values in an object that begins at `start`, without escapes, if all of them are texts and nothing stands between its parts, as
    /// in nearly every one.
    ///
    /// - Returns: false for another object; its values are undefined.
    private static func read(
        _ object: Span<UInt8>,
        at start: Int,
        columns: [[UInt8]],
        into values: inout [Range<Int>?]
    ) -> Bool {
        guard object[0] == UInt8(ascii: "{") else { return false }
        var next = 1
        while true {
            // A quote, the name, quote and colon; a quote, the value, a quote, and a comma or the end.
            let name = next + 1
            let nameEnd = quote(from: name, in: object)
            let value = nameEnd + 3
            let valueEnd = quote(from: value, in: object)
            guard valueEnd + 1 < object.count, object[next] == UInt8(ascii: "\""),
                object[nameEnd + 1] == UInt8(ascii: ":"), object[nameEnd + 2] == UInt8(ascii: "\"")
            else { return false }
            for column in columns.indices where columns[column].isSame(as: object.extracting(name..<nameEnd)) {
                values[column] = start + value..<start + valueEnd
            }
            next = valueEnd + 2
            guard object[valueEnd + 1] == UInt8(ascii: ",") else {
                return object[valueEnd + 1] == UInt8(ascii: "}") && next == object.count
            }
        }
    }

    /// Returns the place of the next quote; that of the end, or a later one, without any.
    private static func quote(from place: Int, in object: Span<UInt8>) -> Int {
        var next = place
        while next < object.count, object[next] != UInt8(ascii: "\"") { next += 1 }
        return next
    }

    /// Finds values in any object; a damaged one has none.
    private mutating func read(_ object: String, _ columns: [[UInt8]]) {
        parsed.removeAll(keepingCapacity: true)
        clear(columns.count)
        let attributes = [String: String](attributes: object)
        for (column, name) in columns.enumerated() {
            guard let value = attributes[String(decoding: name, as: UTF8.self)] else { continue }
            let start = parsed.count
            parsed += JSONValue.string(value).bytes.dropFirst().dropLast()
            values[column] = start..<parsed.count
        }
    }
}

extension [UInt8] {
    fileprivate func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for place in indices where self[place] != other[place] { return false }
        return true
    }
}

extension [String: String] {
    /// Reads the text that the store has for the attributes of a device; a damaged one counts as empty.
    package init(attributes text: String) {
        let members = (try? JSONValue(parsing: text))?.object?.members ?? []
        self.init(members.compactMap { member in member.value.string.map { (member.key, $0) } }) { $1 }
    }
}
