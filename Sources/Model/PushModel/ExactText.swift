/// A text that equals only a text of the same octets.
///
/// `String` takes texts that look the same for the same: U+F914 and U+6A02 (樂), or `é` in one scalar and in two. Names and keys are what
/// somebody else wrote, and databases, APNs and other languages compare their octets. Sources: open-genai PR #14, bitchat #214.
package struct ExactText: Hashable, Comparable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.isSame(as: right.text) }

    /// The order of `String`; texts that it takes for the same are in the order of their octets.
    package static func < (left: ExactText, right: ExactText) -> Bool {
        guard left.text == right.text else { return left.text < right.text }
        return left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) { text.hashOctets(into: &hasher) }
}

extension String {
    /// Whether the octets are the same.
    package func isSame(as other: String) -> Bool {
        // The comparison of `String` is quick, and decides unless both have other scalars than ASCII.
        guard utf8.count == other.utf8.count, self == other else { return false }
        let own = utf8Span
        guard !own.isKnownASCII else { return true }
        let ownOctets = own.span
        let otherOctets = other.utf8Span.span
        for place in ownOctets.indices where ownOctets[place] != otherOctets[place] { return false }
        return true
    }

    package func hashOctets(into hasher: inout Hasher) {
        unsafe utf8Span.span.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        // Otherwise two texts in a row could be divided in another place.
        hasher.combine(0xFF as UInt8)
    }
}

extension Set<ExactText> {
    package init(exactly texts: some Sequence<String>) { self.init(exactly: Array(texts)) }

    // Not generic: that would look up the metadata of the sequence for each text.
    package init(exactly texts: [String]) {
        self.init(minimumCapacity: texts.count)
        for text in texts { insert(ExactText(text)) }
    }

    /// The texts in their order.
    package var texts: [String] { sorted().map(\.text) }
}

/// A property with a name or names, which make its type equal to another only if they have the same octets.
@propertyWrapper
package struct Exact<Value: ExactlyComparable>: Hashable, Sendable {
    package var wrappedValue: Value

    package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    package static func == (left: Exact, right: Exact) -> Bool { left.wrappedValue.isSame(as: right.wrappedValue) }

    package func hash(into hasher: inout Hasher) { wrappedValue.hashOctets(into: &hasher) }
}

/// The values of ``Exact``.
package protocol ExactlyComparable: Sendable {
    /// Whether the octets are the same.
    func isSame(as other: Self) -> Bool
    func hashOctets(into hasher: inout Hasher)
}

extension String: ExactlyComparable {}

extension Optional: ExactlyComparable where Wrapped: ExactlyComparable {
    package func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (let own?, let other?): own.isSame(as: other)
        case (nil, nil): true
        default: false
        }
    }

    package func hashOctets(into hasher: inout Hasher) {
        hasher.combine(self != nil)
        self?.hashOctets(into: &hasher)
    }
}

extension [String: String]: ExactlyComparable {
    package func isSame(as other: Self) -> Bool {
        count == other.count && allSatisfy { name, text in other[name]?.isSame(as: text) ?? false }
    }

    package func hashOctets(into hasher: inout Hasher) {
        for name in keys.sorted() {
            name.hashOctets(into: &hasher)
            self[name].hashOctets(into: &hasher)
        }
    }
}

extension Array: ExactlyComparable where Element: ExactlyComparable {
    package func isSame(as other: Self) -> Bool {
        count == other.count && indices.allSatisfy { self[$0].isSame(as: other[$0]) }
    }

    package func hashOctets(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { element.hashOctets(into: &hasher) }
    }
}
