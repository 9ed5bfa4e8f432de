import Foundation

/// Runs a push service with an APNs and emulated iPhones of its own for the time of `body`.
///
/// - Parameters:
///   - options: more options of `posthorn sandbox`, such as `--devices`.
///   - body: the test.
/// - Returns: the result of `body`.
/// - Throws: ``PosthornError`` if the program does not start, and whatever `body` throws.
public func withSandbox<Result: Sendable>(
    options: [String] = [],
    _ body: @Sendable (Sandbox) async throws -> Result
) async throws -> Result {
    let program = try await Program { folder in
        ["sandbox", "--json", "--until-eof", "--data", folder + "/data"] + options
    }
    defer { program.stop() }
    let sandbox = Sandbox(try JSONDecoder().decode(Sandbox.Facts.self, from: program.facts))
    return try await body(sandbox)
}

/// A push service with the JPush REST API, an APNs and emulated iPhones, for one test.
public struct Sandbox: Sendable {
    /// An emulated iPhone.
    public struct Device: Sendable, Decodable {
        public let name: String
        public let registrationID: String
        public let token: String
    }

    struct Facts: Decodable {
        struct API: Decodable {
            var url, appKey, masterSecret: String
        }

        var api: API
        var apns: APNs.Facts
        var devices: [Device]
    }

    public let apns: APNs
    /// The address of the JPush REST API: the pushes of your code go to `\(url)/v3/push`.
    public let url: String
    public let appKey: String
    public let masterSecret: String
    public let devices: [Device]

    private let service: Endpoint

    init(_ facts: Facts) {
        apns = APNs(facts.apns, topic: facts.apns.topic ?? "", authorization: nil)
        url = facts.api.url
        appKey = facts.api.appKey
        masterSecret = facts.api.masterSecret
        devices = facts.devices
        service = Endpoint(url: facts.api.url, login: (facts.api.appKey, facts.api.masterSecret))
    }

    /// Waits until a push is `shown` on a device, or in another state.
    ///
    /// - Parameters:
    ///   - msgID: the `msg_id` of the REST API.
    ///   - state: the state of the journey's verdict.
    ///   - device: the device; the first one if nil.
    ///   - within: the limit in seconds.
    /// - Throws: ``PosthornError`` after the limit; it says what happened instead.
    public func wait(
        for msgID: String,
        toBe state: String = "shown",
        on device: Device? = nil,
        within: Double = 5
    ) async throws {
        guard let device = device ?? devices.first else { throw PosthornError("The sandbox has no device.") }
        try await wait(at: "journeys/\(msgID)/\(device.registrationID)", for: state, within: within)
    }

    /// Waits until a push that has arrived at the APNs is `shown` on its device, or in another state.
    ///
    /// - Throws: ``PosthornError`` after `within` seconds; it says what happened instead.
    public func wait(for push: Push, toBe state: String = "shown", within: Double = 5) async throws {
        try await wait(at: "apns/\(push.apnsID ?? "")", for: state, within: within)
    }

    private func wait(at resource: String, for state: String, within: Double) async throws {
        try await poll(within) { found in
            "waited \(within) s for the push to be \(state); it is \(found)\n\(await apns.story())"
        } until: {
            let verdict = try await service("GET", "posthorn/v1/\(resource)")["verdict"] as? [String: Any] ?? [:]
            let found = verdict["state"] as? String ?? "unknown"
            return ("\(found): \(verdict["sentence"] as? String ?? "")", found == state)
        }
    }

    /// Advances the clocks of service, APNs and devices.
    public func turnClock(by seconds: Double) async throws { try await apns.turnClock(by: seconds) }
}
