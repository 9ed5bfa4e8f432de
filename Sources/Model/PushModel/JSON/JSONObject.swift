/// The members of a JSON object in their original order.
///
/// A repeated key has its last value, at its first position. Keys are compared octet by octet. Lookup is linear, because the objects of a
/// push are small. Parsing and comparing take linear time in total, because anyone can send a large object.
public struct JSONObject: Hashable, Sendable {
    /// The members in their original order; no key occurs twice.
    public private(set) var members: [Member]

    /// One key with its value.
    public struct Member: Hashable, Sendable {
        /// The unescaped key.
        public var key: String
        /// The value of the key.
        public var value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }

        public static func == (left: Member, right: Member) -> Bool {
            left.key.isSame(as: right.key) && left.value == right.value
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(ExactText(key))
            hasher.combine(value)
        }
    }

    /// Creates an object without members.
    public init() { members = [] }

    /// Creates an object from keys and values in this order. A repeated key has its last value, at its first position.
    public init(_ pairs: some Sequence<(String, JSONValue)>) {
        self.init(written: pairs.map { Member(key: $0, value: $1) })
    }

    /// Creates an object from members with distinct keys.
    package init(distinct members: [Member]) { self.members = members }

    /// Creates an object from members in their original order, with possible repeated keys.
    init(written: [Member]) {
        guard written.count > Self.small else {
            members = []
            guard Self.repeatsNone(written) else {
                for member in written { self[member.key] = member.value }
                return
            }
            members = written
            return
        }
        var places: [ExactText: Int] = [:]
        places.reserveCapacity(written.count)
        members = []
        members.reserveCapacity(written.count)
        for member in written {
            if let place = places[ExactText(member.key)] {
                members[place].value = member.value
            } else {
                places[ExactText(member.key)] = members.count
                members.append(member)
            }
        }
    }

    private static func repeatsNone(_ written: [Member]) -> Bool {
        for place in written.indices {
            for other in 0..<place where written[other].key.isSame(as: written[place].key) { return false }
        }
        return true
    }

    /// The number of members up to which a linear lookup is faster.
    private static let small = 16

    /// The keys in their original order.
    public var keys: [String] { members.map(\.key) }
    /// Whether the object has no members.
    public var isEmpty: Bool { members.isEmpty }

    /// The value of a key; nil if there is none. Assigning nil removes the member, a new key is added at the end.
    public subscript(key: String) -> JSONValue? {
        get {
            // Most requested keys are missing, and most existing keys have a different length.
            let length = key.utf8.count
            for place in members.indices
            where members[place].key.utf8.count == length && members[place].key.isSame(as: key) {
                return members[place].value
            }
            return nil
        }
        set {
            let place = members.firstIndex { $0.key.isSame(as: key) }
            switch (place, newValue) {
            case (let place?, let value?): members[place].value = value
            case (let place?, nil): members.remove(at: place)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Returns the members with other keys than these ASCII ones.
    func without(_ keys: [String]) -> JSONObject {
        var rest: [Member] = []
        for place in members.indices {
            let length = members[place].key.utf8.count
            if !keys.contains(where: { $0.utf8.count == length && $0 == members[place].key }) {
                rest.append(members[place])
            }
        }
        return JSONObject(distinct: rest)
    }

    /// Returns the object with one member replaced.
    func replacing(_ key: String, with member: Member) -> JSONObject {
        var object = self
        for place in object.members.indices where object.members[place].key.isSame(as: key) {
            object.members[place] = member
        }
        return object
    }

    /// Equality and hash ignore the order of keys, as is usual for JSON objects.
    public static func == (left: JSONObject, right: JSONObject) -> Bool {
        guard left.members.count == right.members.count else { return false }
        guard right.members.count > small else { return left.members.allSatisfy { right[$0.key] == $0.value } }
        let values = Dictionary(uniqueKeysWithValues: right.members.lazy.map { (ExactText($0.key), $0.value) })
        return left.members.allSatisfy { values[ExactText($0.key)] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        var sum = 0
        for member in members { sum &+= member.hashValue }
        hasher.combine(sum)
    }
}

extension JSONObject {
    /// Returns the texts in an array; none if the member is missing or no array.
    package func strings(_ key: String) -> [String] { self[key]?.array?.compactMap(\.string) ?? [] }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
