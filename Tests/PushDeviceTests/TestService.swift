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
        /// Whether requests are answered.
        var answers = true
        var tags: [String] = []
        var alias: String?
        var next: Int64 = 1
    }

    static let url = "ws://service.test/sdk"

    let state = Mutex(State())

    var received: [SDKFrame] { state.withLock(\.received) }

    func set(_ change: (inout sending State) -> Void) { state.withLock { change(&$0) } }

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
                if case .login = frame { return [.loggedIn] }
                defer { state.next += 1 }
                let id = "19d\(state.next)"
                return [.registered(registrationID: id, secret: "s\(state.next)", userID: state.next), .loggedIn]
            case .request(let number, let request):
                guard state.answers else { return [] }
                return [.reply(number: number, Self.reply(to: request, &state))]
            case .registered, .loggedIn, .refused, .reply, .message, .acknowledge:
                return []
            }
        }
    }

    private static func reply(to request: SDKRequest, _ state: inout State) -> SDKReply {
        switch request {
        case .setTags(let tags): state.tags = tags
        case .addTags(let tags): state.tags += tags
        case .deleteTags(let tags): state.tags.removeAll { tags.contains($0) }
        case .cleanTags: state.tags = []
        case .getAllTags: return SDKReply(code: 0, tags: state.tags)
        case .setAlias(let alias): state.alias = alias
        case .deleteAlias: state.alias = nil
        case .getAlias: return SDKReply(code: 0, alias: state.alias)
        default: break
        }
        return SDKReply(code: 0)
    }
}
