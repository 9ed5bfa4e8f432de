import PushModel

/// Reads the members of a JSON object one by one, and reports the invalid one.
///
/// ``finish()`` reports keys that were not read: they are mistakes of the writer.
struct ObjectReader {
    private let object: JSONObject
    private let path: String
    private var known: [String] = []

    /// * `path`: the path of the object in its document; empty for the document itself.
    /// - Throws: if the value is not an object.
    init(_ value: JSONValue, at path: String = "") throws(DocumentProblem) {
        guard let object = value.object else {
            throw DocumentProblem(key: path, found: value.kind, expected: "an object")
        }
        self.object = object
        self.path = path
    }

    // MARK: - Members

    mutating func has(_ key: String) -> Bool {
        known.append(key)
        return object[key] != nil
    }

    mutating func text(_ key: String, _ expected: String = "a string") throws(DocumentProblem) -> String? {
        guard let value = member(key) else { return nil }
        guard let text = value.string, !text.isEmpty else { throw problem(key, value, expected) }
        return text
    }

    mutating func bool(_ key: String) throws(DocumentProblem) -> Bool? {
        guard let value = member(key) else { return nil }
        guard let bool = value.bool else { throw problem(key, value, "true or false") }
        return bool
    }

    mutating func integer(_ key: String, in range: ClosedRange<Int64>) throws(DocumentProblem) -> Int? {
        guard let value = member(key) else { return nil }
        guard let integer = value.integer, range.contains(integer) else {
            throw problem(key, value, "an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return Int(integer)
    }

    mutating func number(_ key: String, in range: ClosedRange<Double>) throws(DocumentProblem) -> Double? {
        guard let value = member(key) else { return nil }
        guard let number = value.double, range.contains(number) else {
            throw problem(
                key,
                value,
                "a number from \(JSONValue.short(range.lowerBound)) to \(JSONValue.short(range.upperBound))"
            )
        }
        return number
    }

    /// Reads one of several words and returns its meaning.
    mutating func word<Meaning>(
        _ key: String,
        of words: [(word: String, meaning: Meaning)]
    ) throws(DocumentProblem) -> Meaning? {
        guard let value = member(key) else { return nil }
        guard let found = words.first(where: { $0.word == value.string }) else {
            throw problem(key, value, "one of " + words.map { "'\($0.word)'" }.joined(separator: ", "))
        }
        return found.meaning
    }

    mutating func environment(_ key: String = "environment") throws(DocumentProblem) -> APNSEnvironment? {
        try word(key, of: APNSEnvironment.allCases.map { ($0.rawValue, $0) })
    }

    /// The elements of an array, each with its path.
    mutating func array(_ key: String) throws(DocumentProblem) -> [(path: String, value: JSONValue)]? {
        guard let value = member(key) else { return nil }
        guard let array = value.array else { throw problem(key, value, "an array") }
        return array.enumerated().map { (place(key) + "[\($0.offset)]", $0.element) }
    }

    mutating func member(_ key: String) -> JSONValue? {
        known.append(key)
        return object[key]
    }

    // MARK: - Problems

    /// Returns a required value, or throws if it is missing.
    func need<Value>(_ value: Value?, _ key: String, _ expected: String) throws(DocumentProblem) -> Value {
        guard let value else { throw DocumentProblem(key: place(key), found: "missing", expected: expected) }
        return value
    }

    func problem(_ key: String, _ value: JSONValue, _ expected: String) -> DocumentProblem {
        DocumentProblem(key: place(key), found: value.shown, expected: expected)
    }

    /// - Throws: if there is a key that was not read.
    func finish() throws(DocumentProblem) {
        for key in object.keys where !known.contains(key) {
            let words = Set(known).sorted().map { "'\($0)'" }.joined(separator: ", ")
            throw DocumentProblem(key: place(key), found: "not known here", expected: "one of \(words)")
        }
    }

    private func place(_ key: String) -> String { path.isEmpty ? key : path + "." + key }
}

extension JSONValue {
    /// The value for an error message: the value itself if short, else its kind.
    fileprivate var shown: String {
        switch self {
        case .integer, .double, .bool, .null: text
        case .string(let string) where string.utf8.count <= 64: "'\(string)'"
        default: kind
        }
    }

    /// A number without a redundant fraction.
    fileprivate static func short(_ number: Double) -> String {
        Int64(exactly: number).map(String.init) ?? String(number)
    }
}
