import DeviceLink
import Synchronization

/// A change of tags and alias together, as in the calls before SDK 3.0.6.
struct LabelChange {
    /// The tags; nil leaves them unchanged, an empty set clears them.
    var tags: Set<String>?
    /// The alias; nil leaves it unchanged, an empty one clears it.
    var alias: String?

    /// The client result code, or 0.
    private var code: Int {
        if tags == nil, alias == nil { return ResultCode.nothingToSet }
        if let tags, case let code = TagRules.oldCode(tags: tags), code != 0 { return code }
        return alias.map { TagRules.oldCode(alias: $0) } ?? 0
    }

    private var requests: [SDKRequest] {
        let tagRequest = tags.map { $0.isEmpty ? SDKRequest.cleanTags : .setTags($0.sorted()) }
        let aliasRequest = alias.map { $0.isEmpty ? SDKRequest.deleteAlias : .setAlias($0) }
        return [tagRequest, aliasRequest].compactMap { $0 }
    }

    /// Sends the change and calls `done` once, on the main thread, with 0 or the first other code.
    func send(with client: JPushClient, _ done: @escaping (Int) -> Void) {
        let code = code
        guard code == 0 else { return client.onMain { done(code) } }
        let requests = requests
        let collected = CodeCollector(count: requests.count)
        for request in requests {
            let operation: JPushState.Operation = request.isAboutTags ? .tags(request) : .alias(request)
            client.request(operation) { reply in
                if let code = collected.add(reply.code) { done(code) }
            }
        }
    }

    func sendInBackground(with client: JPushClient) {
        let code = code
        guard code == 0 else { return client.log.write(.warning, "tags-set: code \(code), \(ResultCode.text(code)).") }
        for request in requests { client.request(JPushState.Operation(request: request, deadline: .never)) { _ in } }
    }
}

extension SDKRequest {
    fileprivate var isAboutTags: Bool {
        switch self {
        case .setTags, .cleanTags: true
        default: false
        }
    }
}

/// Collects the codes of operations that have one answer together.
private final class CodeCollector: Sendable {
    private let state: Mutex<(missing: Int, code: Int)>

    init(count: Int) { state = Mutex((count, 0)) }

    /// - Returns: the first code other than 0, or 0, once all are present.
    func add(_ code: Int) -> Int? {
        state.withLock { state in
            state.missing -= 1
            if state.code == 0 { state.code = code }
            return state.missing == 0 ? state.code : nil
        }
    }
}
