import DeviceLink
import PosthornTesting
import PushModel
import Synchronization

/// A service at the other end of the SDK link, that does what a test says.
final class TestService: LinkAcceptor {
    struct State {
        var received: [SDKFrame] = []
        var links: [any LinkConnection] = []
        /// Instead of letting an app in.
        var refusal: (code: Int, message: String)?
        /// The next login is of nobody.
        var forgets = false
        /// Whether requests are answered.
        var answers = true
        var tags: [String] = []
        var alias: String?
        var mobile: String?
        var isOn = true
        var receipts: [SDKReceipt] = []
        /// Custom messages that no app has acknowledged.
        var messages: [SDKMessage] = []
        var acknowledged: [Int64] = []
        /// In the place of a reply.
        var code = 0
        /// How many requests about tags and alias are taken before 6011; nil for all.
        var budget: Int?
        var next: Int64 = 1
    }

    static let url = "ws://service.test/sdk"

    let state = Mutex(State())

    var received: [SDKFrame] { state.withLock(\.received) }

    var requests: [SDKRequest] {
        received.compactMap { frame in if case .request(_, _, let request) = frame { request } else { nil } }
    }

    func set(_ change: (inout sending State) -> Void) { state.withLock { change(&$0) } }

    var logins: [SDKFrame] { received.filter { if case .login = $0 { true } else { false } } }
    var registrations: [SDKFrame] { received.filter { if case .register = $0 { true } else { false } } }

    /// Ends all links, as a restart does.
    func drop() {
        let links = state.withLock { state in
            defer { state.links = [] }
            return state.links
        }
        for link in links { link.close() }
    }

    func accept(_ connection: any LinkConnection) -> @Sendable (LinkEvent) -> Void {
        state.withLock { $0.links.append(connection) }
        return { [self] event in
            guard case .received(let text) = event, let frame = try? SDKFrame(text: text) else { return }
            for answer in answers(to: frame) { connection.send(answer.text) }
        }
    }

    private func answers(to frame: SDKFrame) -> [SDKFrame] {
        state.withLock { state in
            state.received.append(frame)
            switch frame {
            case .register, .login:
                if let (code, message) = state.refusal { return [.refused(code: code, message: message)] }
                if case .login = frame, state.forgets {
                    state.forgets = false
                    return [.refused(code: 6016, message: "who?")]
                }
                if case .login(_, _, _, _, let takesMessages, _, _, _, _) = frame {
                    return [.loggedIn()] + (takesMessages ? state.messages.map { .message($0) } : [])
                }
                defer { state.next += 1 }
                let id = "19d\(state.next)"
                return [.registered(registrationID: id, secret: "s\(state.next)", userID: state.next), .loggedIn()]
            case .request(let number, _, let request):
                guard state.answers else { return [] }
                return [.reply(number: number, Self.reply(to: request, &state))]
            case .acknowledge(let position):
                state.acknowledged.append(position)
                state.messages.removeAll { $0.position <= position }
                return []
            case .registered, .loggedIn, .refused, .reply, .message, .takeBack:
                return []
            }
        }
    }

    /// A custom message: kept until it is acknowledged, and sent on every open link.
    func send(_ message: SDKMessage) {
        let links = state.withLock { state in
            state.messages.append(message)
            return state.links
        }
        for link in links { link.send(SDKFrame.message(message).text) }
    }

    private static func reply(to request: SDKRequest, _ state: inout State) -> SDKReply {
        if state.code != 0 { return SDKReply(code: state.code) }
        if let budget = state.budget, request.isAboutNames {
            guard budget > 0 else { return SDKReply(code: 6011) }
            state.budget = budget - 1
        }
        switch request {
        case .setTags(let tags, _): state.tags = tags
        case .addTags(let tags, _): state.tags += tags
        case .deleteTags(let tags): state.tags.removeAll { tags.contains($0) }
        case .cleanTags: state.tags = []
        case .getAllTags: return SDKReply(code: 0, tags: state.tags)
        case .setAlias(let alias, _): state.alias = alias
        case .deleteAlias: state.alias = nil
        case .getAlias: return SDKReply(code: 0, alias: state.alias)
        case .checkTag(let tag): return SDKReply(code: 0, isBound: state.tags.contains(tag))
        case .mobile(let mobile): state.mobile = mobile
        case .attributes: break
        case .topics(let declined):
            var reply = SDKReply(code: 0)
            reply.topics = Dictionary(["news", "offers"].map { ($0, declined?.contains($0) == true) }) { $1 }
            return reply
        case .pushSwitch(let isOn): state.isOn = isOn
        case .pushStatus: return SDKReply(code: 0, isOn: state.isOn)
        case .receipts(let receipts): state.receipts += receipts
        case .token, .badge, .voipToken, .activityToken, .activityStartToken: break
        }
        return SDKReply(code: 0)
    }
}

extension SDKRequest {
    fileprivate var isAboutNames: Bool {
        switch self {
        case .addTags, .setTags, .deleteTags, .cleanTags, .getAllTags, .checkTag, .setAlias, .deleteAlias, .getAlias:
            true
        default: false
        }
    }
}
