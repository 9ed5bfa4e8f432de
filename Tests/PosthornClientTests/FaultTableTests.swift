import Foundation
import Testing

@testable import PosthornClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The client's engine, with each fault at each of its calls: no operation is lost, and none is repeated but one whose answer
/// was lost, at once.
@Suite("Faults of a client over HTTPS, over the link, and changing between them")
struct FaultTableTests {
    enum Fault: Hashable, Sendable {
        case nothing
        /// The process dies before the service has this call.
        case killedBefore(Int)
        /// The process dies before it has the answer to this call.
        case killedAfter(Int)
        case lostAnswer(Int)
        /// The service cannot carry out this call now.
        case unavailable(Int)
        /// The clock goes back by a day at this call.
        case clockBack(Int)
        /// After so many writes the disk is full.
        case fullDisk(Int)
        /// An older version has stored everything in one file.
        case olderState
        /// The state of another phone, which had calls of its own to make.
        case restoredState

        /// Whether the service may get a call twice.
        var mayRepeat: Bool {
            switch self {
            case .killedAfter, .lostAnswer: true
            default: false
            }
        }

        static let all: [Self] =
            [.nothing, .olderState, .restoredState]
            + (1...7).flatMap { number -> [Self] in
                [
                    .killedBefore(number), .killedAfter(number), .lostAnswer(number), .unavailable(number),
                    .clockBack(number),
                ]
            } + (0...12).map(Self.fullDisk)
    }

    private let stage = EngineStage()
    private let launches = Guarded(0)
    private let service = HTTPModel()

    /// The operations that the app asks for, as the service gets them.
    private static let asked = [
        #"tags {"operation":"add","tags":["a","b"]}"#, #"alias {"alias":"tom","operation":"set"}"#,
        #"tags {"operation":"delete","tags":["b"]}"#, #"badge {"badge":7}"#,
    ]

    private func ask(_ client: PosthornClient, at date: Date) {
        for operation: DeviceOperation in [.addTags(["a", "b"]), .setAlias("tom"), .deleteTags(["b"]), .setBadge(7)] {
            client.perform(operation, completion: nil)
        }
        client.report(.received, of: 1, at: date)
        client.report(.opened, of: 1, at: date)
    }

    /// The next process; each has the other way to the service if they change.
    private func launch(on phone: EngineStage, _ channel: ClientStage.Channel) throws -> PosthornClient {
        stage.dropRequests()
        let number = launches.with { launches in
            launches += 1
            return launches
        }
        let isOverLink = channel == .link || channel == .changing && number.isMultiple(of: 2)
        let client = try stage.client(on: phone, overLink: isOverLink)
        client.start()
        client.setDeviceToken(Data([0xAA]))
        return client
    }

    /// A call that waits for its answer.
    private enum Call {
        case request(URLRequest, @Sendable (Result<ServiceAnswer, any Error>) -> Void)
        case frame(String, @Sendable (SocketEvent) -> Void)
    }

    private func nextCall() -> Call? {
        if let (request, answer) = stage.takeRequest() { return .request(request, answer) }
        return stage.takeFrame().map { .frame($0.0, $0.1) }
    }

    /// Lets the service carry out a call, and hands over the answer, or loses it.
    private func carryOut(_ call: Call, answering: Bool = true) {
        switch call {
        case .request(let request, let done):
            let answer = service.answer(request)
            done(answering ? .success(answer) : .failure(URLError(.timedOut)))
        case .frame(let frame, let event):
            for answer in service.answer(frame) where answering { event(.received(answer)) }
            if !answering { event(.closed("lost")) }
        }
    }

    @Test("No operation is lost or doubled", arguments: Fault.all, ClientStage.Channel.allCases)
    func table(_ fault: Fault, _ channel: ClientStage.Channel) throws {
        let phone = EngineStage()
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        var client: PosthornClient?
        switch fault {
        case .olderState: try becomeOlder(try launch(on: phone, channel), date)
        case .restoredState:
            ask(try launch(on: EngineStage(), channel), at: date)
            stage.dropRequests()
        default: break
        }
        if case .fullDisk(let writes) = fault { stage.setWrites(writes) }
        client = try launch(on: phone, channel)
        if fault != .olderState, let client { ask(client, at: date) }
        var calls = 0
        while let call = nextCall() {
            calls += 1
            switch fault {
            case .killedBefore(calls):
                client = nil
                client = try launch(on: phone, channel)
            case .killedAfter(calls):
                client = nil
                carryOut(call)
                client = try launch(on: phone, channel)
            case .lostAnswer(calls): carryOut(call, answering: false)
            case .unavailable(calls):
                switch call {
                case .request(_, let done): done(.success(ServiceAnswer(status: 503, body: Data())))
                case .frame(_, let event): event(.closed("unavailable"))
                }
            case .clockBack(calls):
                client?.report(.dismissed, of: 1, at: date.addingTimeInterval(-86_400))
                carryOut(call)
            default: carryOut(call)
            }
            client?.flush { _ in }
        }
        #expect(calls >= 6)
        let device = try #require(service.devices.last)
        #expect(service.devices.count == 1)
        #expect(device.token == "aa")
        var executed = device.operations
        if fault.mayRepeat {
            executed = executed.reduce(into: []) { kept, next in if kept.last != next { kept.append(next) } }
        }
        #expect(executed == Self.asked)
        let expected = ["1 received", "1 opened"]
        // The link says "received" of a push that the user has dismissed.
        let further = device.receipts.filter { $0 != "1 dismissed" }.count - (channel == .https ? 0 : 1)
        #expect(fault.mayRepeat || further <= 2)
        #expect(device.receipts.starts(with: expected))
        if case .fullDisk = fault { return }
        let stored = try StoredParts(from: stage) { Issue.record("\($0)") }
        #expect(stored.queue.queue.isEmpty && stored.receipts.receipts.isEmpty)
    }

    /// Stores what waits as a version did that had one file.
    private func becomeOlder(_ client: PosthornClient, _ date: Date) throws {
        ask(client, at: date)
        stage.dropRequests()
        var whole: [String: Any] = [:]
        for key in ["state", "queue", "receipts"] {
            let part = try JSONSerialization.jsonObject(with: stage.values[key] ?? Data("{}".utf8)) as? [String: Any]
            whole.merge(part ?? [:]) { $1 }
            stage.set(nil, for: key) { _ in }
        }
        stage.set(nil, for: "mark") { _ in }
        stage.set(try JSONSerialization.data(withJSONObject: whole), for: "state") { _ in }
    }
}

/// The service's side of the requests.
private final class HTTPModel: Sendable {
    struct Device: Sendable {
        var installation: String
        var token: String?
        var operations: [String] = []
        var receipts: [String] = []
    }

    private let state = Guarded<[Device]>([])
    /// The device on the link.
    private let linked = Guarded(0)

    var devices: [Device] { state.with { $0 } }

    func answer(_ request: URLRequest) -> ServiceAnswer {
        let body = request.httpBody.flatMap { try? JSONSerialization.jsonObject(with: $0) as? [String: Any] } ?? [:]
        let name = request.url?.lastPathComponent ?? ""
        let text = state.with { devices in
            guard request.httpMethod == "POST", name == "registrations" else {
                let place = (request.url?.pathComponents.compactMap(Int.init).first ?? 0)
                return Self.answer(request, name, body, of: &devices[place])
            }
            let installation = body["installation"] as? String ?? ""
            if !devices.contains(where: { $0.installation == installation }) {
                devices.append(Device(installation: installation))
            }
            let place = devices.firstIndex { $0.installation == installation } ?? 0
            devices[place].token = body["token"] as? String ?? devices[place].token
            return #"{"registration_id":"\#(place)","secret":"s","has_token":true}"#
        }
        return ServiceAnswer(status: 200, body: Data(text.utf8))
    }

    /// Answers a frame, as if it were the request for the same.
    func answer(_ frame: String) -> [String] {
        let members = (try? JSONSerialization.jsonObject(with: Data(frame.utf8)) as? [String: Any]) ?? [:]
        let type = members["type"] as? String ?? ""
        return state.with { devices in
            if type == "register" {
                let installation = members["installation"] as? String ?? ""
                if !devices.contains(where: { $0.installation == installation }) {
                    devices.append(Device(installation: installation))
                }
                linked.with { $0 = devices.firstIndex { $0.installation == installation } ?? 0 }
                let id = linked.with { $0 }
                return [#"{"type":"registered","registration-id":"\#(id)","secret":"s"}"#, #"{"type":"logged-in"}"#]
            }
            if type == "login" {
                linked.with { $0 = (members["registration-id"] as? String).flatMap { Int($0) } ?? 0 }
                return [#"{"type":"logged-in"}"#]
            }
            let place = linked.with { $0 }
            switch type {
            case "ack": return []
            case "token": devices[place].token = members["token"] as? String
            case "receipts":
                for receipt in members["receipts"] as? [[String: Any]] ?? [] {
                    devices[place].receipts.append("\(receipt["id"] ?? "") \(receipt["event"] ?? "")")
                }
            default: devices[place].operations.append(Self.operation(type, members))
            }
            return [#"{"type":"reply","number":\#(members["number"] as? Int ?? 0),"code":0}"#]
        }
    }

    /// The operation as HTTPS has it.
    private static func operation(_ type: String, _ members: [String: Any]) -> String {
        var members = members
        members["type"] = nil
        members["number"] = nil
        members["sequence"] = nil
        let parts = type.split(separator: "-").map(String.init)
        if parts.count > 1 { members["operation"] = parts[1] }
        return "\(parts[0]) \(text(members))"
    }

    private static func text(_ members: [String: Any]) -> String {
        let data = try? JSONSerialization.data(withJSONObject: members, options: .sortedKeys)
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    private static func answer(
        _ request: URLRequest,
        _ name: String,
        _ body: [String: Any],
        of device: inout Device
    ) -> String {
        switch (request.httpMethod, name) {
        case ("PUT", _):
            device.token = body["token"] as? String ?? device.token
            let digest = device.token.map { #","token_digest":"\#(DeviceValues.digest(of: $0))""# }
            return #"{"has_token":true,"push":true\#(digest ?? "")}"#
        case ("POST", "receipts"):
            for receipt in body["receipts"] as? [[String: Any]] ?? [] {
                device.receipts.append("\(receipt["msg_id"] ?? "") \(receipt["event"] ?? "")")
            }
        case ("POST", _):
            device.operations.append("\(name) \(text(body.filter { $0.key != "sequence" }))")
        default: break
        }
        return "{}"
    }
}
