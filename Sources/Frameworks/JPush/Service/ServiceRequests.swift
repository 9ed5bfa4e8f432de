import DeviceLink
import Foundation
import PushModel

// What the files in Shared ask for, over the link.

typealias ServiceClient = JPushClient
typealias ServiceRequest = SDKRequest
typealias ServiceAnswer = SDKReply

extension SDKRequest {
    static let getTags = Self.getAllTags
    static let getPush = Self.pushStatus
    static let getTopics = Self.topics(declined: nil)
    static func declineTopics(_ names: [String]) -> Self { .topics(declined: names) }
    static func setAttributes(_ texts: [String: String]) -> Self { .attributes(texts) }
    static func setBadge(_ value: Int) -> Self { .badge(value) }
    static func setMobile(_ number: String?) -> Self { .mobile(number) }
    static func setPush(_ isOn: Bool) -> Self { .pushSwitch(isOn) }
}

extension JPushClient {
    /// Sends a request under the limits of its kind, and calls `answer` once, on the main thread.
    func request(_ request: SDKRequest, _ answer: @escaping (SDKReply) -> Void) {
        self.request(JPushState.Operation(limited: request), answer)
    }

    /// Sends a request for whose answer nobody waits: it is kept until the service has answered.
    func send(_ request: SDKRequest) { self.request(JPushState.Operation(request: request, deadline: .never)) { _ in } }

    func setVoIPToken(_ token: Data) {
        guard let environment = port.port?.facts.environment else { return }
        send(.voipToken(DeviceToken(bytes: token), environment))
    }

    func setActivityToken(_ token: Data?, of name: String, isStart: Bool, _ answer: @escaping (Int) -> Void) {
        let token = token.map { DeviceToken(bytes: $0) }
        request(isStart ? .activityStartToken(type: name, token) : .activityToken(id: name, token)) { answer($0.code) }
    }

    func warn(_ text: String) { log.write(.warning, text) }
}

extension JPushState.Operation {
    /// Creates an operation with the limits for requests of this kind.
    fileprivate init(limited request: SDKRequest) {
        self.init(request: request)
        switch request {
        case .addTags, .setTags, .deleteTags, .cleanTags, .getAllTags, .checkTag:
            limits = CallGates.Limits(gate: .tags, rate: .labels)
        case .setAlias, .deleteAlias, .getAlias:
            limits = CallGates.Limits(gate: .alias, rate: .labels)
        case .mobile: limits.rate = .mobile
        case .pushSwitch, .pushStatus, .topics: limits.ignoresSwitch = true
        default: break
        }
    }
}
