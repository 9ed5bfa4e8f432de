import DeviceLink
import PushModel

/// The requests that the service has yet to answer, kept in the app's store until then.
struct DurableRequests: Sendable {
    /// The maximum number of requests; the oldest beyond it are dropped, as an app that never reaches its service adds
    /// more at each launch.
    static let limit = 100

    private(set) var requests: [(number: Int64, request: SDKRequest)] = []

    init() {}

    mutating func add(_ request: SDKRequest, as number: Int64) {
        // If a value is set as a whole, only the last request counts.
        if let kind = request.wholeValue { requests.removeAll { $0.request.wholeValue == kind } }
        requests.append((number, request))
        if requests.count > Self.limit { requests.removeFirst() }
    }

    func holds(_ number: Int64) -> Bool { requests.contains { $0.number == number } }

    mutating func remove(_ number: Int64) { requests.removeAll { $0.number == number } }

    // MARK: In the app's store

    /// Reads requests from frames of the link. Their numbers are negative: those of this process count from 1.
    ///
    /// - Parameter text: the stored text; nil, or text in another format, yields no requests.
    init(text: String?) {
        let frames = text.flatMap { try? JSONValue(parsing: $0) }?.array ?? []
        for (place, value) in frames.enumerated() {
            guard let text = value.string, case .request(_, let request) = try? SDKFrame(text: text) else { continue }
            requests.append((Int64(place - frames.count), request))
        }
    }

    /// The stored text; nil without requests.
    var text: String? {
        if requests.isEmpty { return nil }
        let frames = requests.map { JSONValue.string(SDKFrame.request(number: 0, $0.request).text) }
        return JSONValue.array(frames).text
    }
}

extension SDKRequest {
    /// The value that this request sets, if a later one supersedes it.
    fileprivate var wholeValue: String? {
        switch self {
        case .badge, .mobile, .voipToken, .pushSwitch: name
        case .setTags, .cleanTags: "tags"
        case .setAlias, .deleteAlias: "alias"
        case .activityToken(let id, _): "\(name) \(id)"
        case .activityStartToken(let type, _): "\(name) \(type)"
        default: nil
        }
    }

    /// Whether it only reads: it is of no use once no caller waits for the answer.
    var isQuestion: Bool {
        switch self {
        case .getAllTags, .getAlias, .checkTag, .pushStatus: true
        default: false
        }
    }
}
