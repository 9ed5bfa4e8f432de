import PushModel

/// The JSON names of the kinds of faults.
enum FaultWord: String, CaseIterable {
    case answer
    case latency
    case stall
    case goAway
    case reset
    case close
    case streamLimit
    case dropDelivery
    case duplicateDelivery

    /// The subject that a fault applies to.
    enum Subject {
        case request
        case connection
        case delivery
    }

    var subject: Subject {
        switch self {
        case .answer, .latency, .stall, .goAway, .reset, .close: .request
        case .streamLimit: .connection
        case .dropDelivery, .duplicateDelivery: .delivery
        }
    }
}

extension Fault.Kind {
    var word: FaultWord {
        switch self {
        case .answer: .answer
        case .latency: .latency
        case .stall: .stall
        case .goAway: .goAway
        case .reset: .reset
        case .close: .close
        case .streamLimit: .streamLimit
        case .dropDelivery: .dropDelivery
        case .duplicateDelivery: .duplicateDelivery
        }
    }

    init(reading json: inout StrictJSONReader) throws(JSONProblem) {
        switch try json.need("kind", JSONForm<FaultWord>.word) {
        case .answer: self = .answer(try FaultAnswer(reading: &json))
        case .latency: self = .latency(try json.need("seconds", .latency))
        case .stall: self = .stall(try json.optional("seconds", .number(in: 0...Fault.longest)))
        case .goAway: self = .goAway(try FaultGoAway(reading: &json, hasRequest: true))
        case .reset:
            let code = try json.optional("code", .integer(in: 0...0xFFFF_FFFF)) ?? Self.internalError
            self = .reset(code: code, isTaken: try json.optional("taken", .bool) ?? false)
        case .close: self = .close(isTaken: try json.optional("taken", .bool) ?? false)
        case .streamLimit:
            let limit = JSONForm.integer(in: 0...0x7FFF_FFFF)
            self = .streamLimit(try json.need("streams", limit, orMissing: "how many may be open at once"))
        case .dropDelivery: self = .dropDelivery(isForGood: try json.optional("forGood", .bool) ?? false)
        case .duplicateDelivery:
            self = .duplicateDelivery(copies: try json.optional("copies", .integer(in: 2...100)) ?? 2)
        }
    }

    /// HTTP/2's INTERNAL_ERROR (RFC 9113, section 7).
    private static let internalError = 2

    var details: [(String, JSONValue?)] {
        switch self {
        case .answer(let answer): answer.details
        case .latency(let range):
            range.lowerBound == range.upperBound
                ? [("seconds", .double(range.lowerBound))]
                : [("seconds", [.double(range.lowerBound), .double(range.upperBound)])]
        case .stall(let seconds): [("seconds", seconds.map { .double($0) })]
        case .goAway(let goAway): goAway.details
        case .reset(let code, let isTaken): [("code", .number(code)), ("taken", .bool(isTaken))]
        case .close(let isTaken): [("taken", .bool(isTaken))]
        case .streamLimit(let limit): [("streams", .number(limit))]
        case .dropDelivery(let isForGood): [("forGood", .bool(isForGood))]
        case .duplicateDelivery(let copies): [("copies", .number(copies))]
        }
    }
}

extension JSONForm<ClosedRange<Double>> {
    /// A number of seconds, or a range of them.
    fileprivate static var latency: Self {
        Self("a number of seconds, or two of them as [least, most]") { value in
            let bounds = (value.array ?? [value, value]).map(\.double)
            guard bounds.count == 2, let least = bounds[0], let most = bounds[1], least >= 0, most >= least,
                most <= Fault.longest
            else { return nil }
            return least...most
        }
    }
}
