import Foundation
import Logging
import PosthornStack
import PosthornTesting
import PushClock
import PushLab
import PushModel
import PushService
import TestSupport
import Testing

/// A stack in a folder of its own, which is removed in the end.
func withStack(
    environment: APNSEnvironment = .production,
    clock: any CivilClock = VirtualClock(),
    preparesPhones: Bool = true,
    managesChannels: Bool = false,
    system: String = "17.0",
    turnsClocks: Bool = false,
    phones: Int = 1,
    _ body: @escaping @Sendable (Stack) async throws -> Void
) async throws {
    try await withTemporaryFolder { folder in
        let settings = Stack.Settings(folder: folder.path(percentEncoded: false)) {
            $0.clock = clock
            $0.system = system
            $0.environment = environment
            $0.preparesPhones = preparesPhones
            $0.turnsClocks = turnsClocks
            $0.phones = phones
            $0.managesChannels = managesChannels
        }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        try await Stack.run(settings, logger: logger, body)
    }
}

extension Stack {
    /// Sends a push with a real request.
    ///
    /// - Returns: its msg_id.
    func push(_ title: String, to registrationID: RegistrationID, _ options: JSONObject) async throws -> String {
        let body: JSONValue = [
            "platform": "all", "audience": ["registration_id": [.string(registrationID.text)]],
            "notification": ["ios": ["alert": ["title": .string(title), "body": "Hello"], "badge": "+1"]],
            "options": .object(options),
        ]
        let answer = try await api.post("/v3/push", body.bytes)
        #expect(answer.status == 200, "\(answer.json.text)")
        return try #require(answer.json.object?["msg_id"]?.string)
    }

    func journey(of message: String, to registrationID: RegistrationID) async throws -> JSONValue {
        try await api.get("/posthorn/v1/journeys/\(message)/\(registrationID)").json
    }

    /// The sentence of the verdict, once it has this state: each look waits for the next event of anybody.
    func verdict(_ state: Verdict.State, of message: String, to registrationID: RegistrationID) async throws -> String {
        try await eventual("the verdict of \(message) is '\(state.rawValue)'") {
            let verdict = try await journey(of: message, to: registrationID).object?["verdict"]?.object
            return verdict?["state"]?.string == state.rawValue ? verdict?["sentence"]?.string ?? "" : nil
        }
    }
}

extension PushLabPhone {
    /// The sample app's own log.
    @MainActor
    func callbacks() -> [String] {
        device.delegate(of: bundleID, as: AppDelegate.self)?.log.lines.map(\.description) ?? []
    }
}

extension OperatorClient {
    /// Performs an operation with parameters in JSON, as commands of other versions send them.
    func perform(
        _ operation: OperatorController.Operation,
        _ parameters: JSONObject = [:]
    ) async throws -> JSONObject { try await perform(named: operation.rawValue, parameters) }
}

extension Recorder where Element == String {
    /// Returns when the line has come so often, or the test is cancelled by its time limit.
    func wait(for line: String, times: Int = 1) async { await reach(times) { $0 == line } }
}
