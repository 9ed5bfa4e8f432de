import Foundation
import Testing

@testable import PosthornClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The client's engine over HTTPS, with each fault at each of its calls: no operation is lost, and none is repeated but one whose answer
/// was lost, at once.
@Suite("Faults of a client over HTTPS")
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

    private func launch(on phone: EngineStage) throws -> PosthornClient {
        let client = try stage.client(on: phone)
        client.start()
        client.setDeviceToken(Data([0xAA]))
        return client
    }

    @Test("No operation is lost or doubled", arguments: Fault.all)
    func table(_ fault: Fault) throws {
        let phone = EngineStage()
        let date = Date(timeIntervalSince1970: 1_800_000_000)
        var client: PosthornClient?
        switch fault {
        case .olderState: try becomeOlder(try launch(on: phone), date)
        case .restoredState:
            ask(try launch(on: EngineStage()), at: date)
            stage.dropRequests()
        default: break
        }
        if case .fullDisk(let writes) = fault { stage.setWrites(writes) }
        client = try launch(on: phone)
        if fault != .olderState, let client { ask(client, at: date) }
        var calls = 0
        while let (request, answer) = stage.takeRequest() {
            calls += 1
            switch fault {
            case .killedBefore(calls):
                client = nil
                client = try launch(on: phone)
            case .killedAfter(calls):
                _ = service.answer(request)
                client = nil
                client = try launch(on: phone)
            case .lostAnswer(calls):
                _ = service.answer(request)
                answer(.failure(URLError(.timedOut)))
            case .unavailable(calls): answer(.success(ServiceAnswer(status: 503, body: Data())))
            case .clockBack(calls):
                client?.report(.dismissed, of: 1, at: date.addingTimeInterval(-86_400))
                answer(.success(service.answer(request)))
            default: answer(.success(service.answer(request)))
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
        #expect(device.receipts.filter { $0 != "1 dismissed" }.count == (fault.mayRepeat ? device.receipts.count : 2))
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
            device.operations.append("\(name) \(String(decoding: request.httpBody ?? Data(), as: UTF8.self))")
        default: break
        }
        return "{}"
    }
}
