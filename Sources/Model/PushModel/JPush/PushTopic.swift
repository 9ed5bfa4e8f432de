/// A topic of an app's pushes, which a device can decline, with the number of pushes that a device gets of it.
package struct PushTopic: Hashable, Sendable {
    /// A period of the calendar, in the time zone of the device.
    package enum Period: String, Hashable, Sendable, CaseIterable {
        case hour
        case day
        /// From Monday on.
        case week

        /// Returns the number of the period that a local time is in: seconds since 1970, plus the offset of the zone at that time.
        package func number(at seconds: Int64) -> Int64 {
            let days = (Double(seconds) / 86_400).rounded(.down)
            return switch self {
            case .hour: Int64((Double(seconds) / 3600).rounded(.down))
            case .day: Int64(days)
            // 1970 began on a Thursday.
            case .week: Int64(((days + 3) / 7).rounded(.down))
            }
        }
    }

    /// The maximum number of an app's topics (our choice).
    package static let limit = 100

    package var name: String
    /// The number of pushes that a device gets in a period; nil for any.
    package var cap: Int?
    package var period: Period
    /// Whether the cap leaves out pushes of the class `immediate`: those to few devices, such as one-time passwords.
    package var exemptsImmediate: Bool

    package init(name: String, cap: Int? = nil, period: Period = .day, exemptsImmediate: Bool = false) {
        self.name = name
        self.cap = cap
        self.period = period
        self.exemptsImmediate = exemptsImmediate
    }

    /// Whether a text can be the name of a topic: 1 to 40 letters, digits, dots, hyphens and underscores of ASCII.
    package static func isName(_ text: String) -> Bool {
        (1...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "._-".utf8.contains($0) }
    }

    /// Reads the topics of an app: `{"topics":[{"name","cap","per","exempt_immediate"}]}`.
    ///
    /// - Throws: 1002, 1003 or 1009 for any other body.
    package static func list(_ body: [UInt8]) throws(JPushError) -> [PushTopic] {
        let topics = try JSONReader.read(body, keys: ["topics"]) { body throws(JSONProblem) in
            var topics: [PushTopic] = []
            for (place, item) in try body.need("topics", .array).enumerated() {
                topics.append(try PushTopic(JSONReader(item, at: "topics[\(place)]")))
            }
            return topics
        }
        guard topics.count <= limit, Set(topics.map(\.name)).count == topics.count else {
            throw .badValue("'topics' has \(topics.count) topics; expected at most \(limit) with different names.")
        }
        return topics
    }

    private init(_ members: JSONReader) throws(JSONProblem) {
        try members.refuseKeys(besides: ["name", "cap", "per", "exempt_immediate"])
        self.init(
            name: try members.need("name", .topic),
            cap: try members.optional("cap", .integer(in: 1...1000)),
            period: try members.optional("per", .word) ?? .day,
            exemptsImmediate: try members.optional("exempt_immediate", .bool) ?? false
        )
    }

    package var json: JSONValue {
        [
            "name": .string(name), "cap": cap.map { .integer(Int64($0)) } ?? .null, "per": .string(period.rawValue),
            "exempt_immediate": .bool(exemptsImmediate),
        ]
    }
}

extension JSONForm<String> {
    /// The name of a topic.
    static var topic: Self {
        Self("1 to 40 letters, digits, '.', '-' and '_'") { $0.string.flatMap { PushTopic.isName($0) ? $0 : nil } }
    }
}
