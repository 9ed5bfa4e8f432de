/// A form that a member of a JSON object must have: a conversion, and the words of an error message.
package struct JSONForm<Value> {
    /// The form in the words of an error message, such as `an integer`; only called for such a message.
    package let expected: () -> String
    /// Nil for a value of another form.
    package let convert: (JSONValue) -> Value?

    package init(_ expected: @autoclosure @escaping () -> String, _ convert: @escaping (JSONValue) -> Value?) {
        self.expected = expected
        self.convert = convert
    }
}

extension JSONForm<String> {
    package static var string: Self { Self("a string") { $0.string } }

    /// A string that is not empty.
    package static var text: Self { Self("a non-empty string") { $0.string?.isEmpty == false ? $0.string : nil } }
}

extension JSONForm<Bool> {
    package static var bool: Self { Self("true or false") { $0.bool } }
}

extension JSONForm<Int64> {
    package static var integer: Self { Self("an integer") { $0.integer } }
}

extension JSONForm<Int> {
    package static func integer(in range: ClosedRange<Int64>) -> Self {
        Self("an integer from \(range.lowerBound) to \(range.upperBound)") { value in
            value.integer.flatMap { range.contains($0) ? Int($0) : nil }
        }
    }
}

extension JSONForm<Double> {
    package static func number(in range: ClosedRange<Double>) -> Self {
        Self("a number from \(short(range.lowerBound)) to \(short(range.upperBound))") { value in
            value.double.flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A number without a redundant fraction.
    private static func short(_ number: Double) -> String { Int64(exactly: number).map(String.init) ?? String(number) }
}

extension JSONForm<[JSONValue]> {
    package static var array: Self { Self("an array") { $0.array } }
}

extension JSONForm<[String]> {
    package static var strings: Self { .array("an array of strings") { $0.string } }
}

extension JSONForm<DeviceToken> {
    package static var deviceToken: Self {
        Self("an even number of hexadecimal digits") { $0.string.flatMap { DeviceToken(written: $0) } }
    }
}

extension JSONForm {
    /// An array whose elements can all be converted.
    package static func array<Element>(
        _ expected: @autoclosure @escaping () -> String,
        of element: @escaping (JSONValue) -> Element?
    ) -> Self where Value == [Element] {
        Self(expected()) { value in
            guard let array = value.array else { return nil }
            let elements = array.compactMap(element)
            return elements.count == array.count ? elements : nil
        }
    }

    /// An object whose members can all be converted.
    package static func object<Element>(
        _ expected: @autoclosure @escaping () -> String,
        of element: @escaping (JSONValue) -> Element?
    ) -> Self where Value == [String: Element] {
        Self(expected()) { value in
            guard let members = value.object?.members else { return nil }
            let elements = members.compactMap { member in element(member.value).map { (member.key, $0) } }
            return elements.count == members.count ? Dictionary(elements) { $1 } : nil
        }
    }

    /// One of several words, each with its meaning.
    package static func word(of words: [(word: String, meaning: Value)]) -> Self {
        Self("one of " + words.map { "'\($0.word)'" }.joined(separator: ", ")) { value in
            words.first { $0.word == value.string }?.meaning
        }
    }
}

extension JSONForm where Value: RawRepresentable<String> & CaseIterable {
    /// One of the words of a type.
    package static var word: Self { .word(of: Value.allCases.map { ($0.rawValue, $0) }) }
}
