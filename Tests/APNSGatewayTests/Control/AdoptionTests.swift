import APNSTransport
import DeviceLink
import Foundation
import PushModel
import Synchronization
import TestSupport
import Testing

@testable import APNSGateway

@Suite("Tokens that the gateway did not issue", .suiteLimit)
struct AdoptionTests {
    private static let app = CourierServer.DeviceApp(device: "simulator", topic: bundleID, environment: .development)

    /// The lengths of the Simulator, of most tokens, and the limits.
    private static let lengths = [1, 32, 80, 100]

    private func token(_ length: Int, _ first: UInt8 = 7) -> DeviceToken {
        DeviceToken(bytes: (0..<length).map { first &+ UInt8($0) })
    }

    @Test("A push to an adopted token reaches the device, also one that registered before", arguments: lengths)
    func delivers(_ length: Int) throws {
        let world = try World()
        let token = token(length)
        #expect(world.respond(to: world.request(to: token)).reason == "BadDeviceToken")
        try world.gateway.adopt(token, for: Self.app)
        #expect(world.respond(to: world.request(to: token)).status == 200)
        let device = FakeDevice("simulator", at: world.gateway)
        #expect(try device.register() == token)
        #expect(device.pushes.count == 1)

        let next = self.token(length, 8)
        try world.gateway.adopt(next, for: Self.app)
        #expect(world.respond(to: world.request(to: token)).reason == "Unregistered")
        #expect(world.respond(to: world.request(to: next)).status == 200)
        #expect(device.pushes.count == 2)
    }

    @Test("A gateway that starts again knows adopted tokens of any length", arguments: lengths)
    func restarts(_ length: Int) async throws {
        try await withTemporaryPath { folder in
            let first = try World(mail: folder)
            try first.gateway.adopt(token(length), for: Self.app)
            #expect(first.respond(to: first.request(to: token(length))).status == 200)
            await first.gateway.flush()
            let second = try World(mail: folder, clock: first.clock)
            #expect(second.gateway.facts(about: token(length))?.waiting == 1)
            #expect(second.gateway.state.withLock { $0.token(at: 0) } == token(length))
            try second.gateway.adopt(token(length), for: Self.app)
            let device = FakeDevice("simulator", at: second.gateway)
            #expect(try device.register() == token(length))
        }
    }

    @Test("What cannot be adopted is refused with its reason")
    func refuses() async throws {
        try await FaultyGateway.withControl(try World()) { setting, control in
            let dead = setting.token()
            setting.gateway.unregisterToken(dead)
            let long = String(repeating: "ab", count: 101)
            let topic = String(repeating: "t", count: 256)
            let device = String(repeating: "d", count: 129)
            let good = #"{"topic":"com.example.app","environment":"development","device":"one"}"#
            let cases: [(token: String, body: String, status: Int, words: String)] = [
                ("00f", good, 400, "is not a device token; expected an even number"),
                (long, good, 400, "The token has 101 bytes; expected at most 100."),
                ("00ff", good.replacing("one", with: ""), 400, "Key 'device' is ''"),
                ("00ff", good.replacing("one", with: device), 400, "The device has 129 octets; expected 1 to 128."),
                ("00ff", good.replacing("com.example.app", with: topic), 400, "The topic has 256 octets"),
                ("00ff", good.replacing("com.example.app", with: ""), 400, "Key 'topic' is ''; expected a bundle id"),
                (
                    "00ff", good.replacing("com.example.app", with: "a b"), 400,
                    "Key 'topic' is 'a b'; expected a bundle id"
                ),
                ("00ff", good.replacing("development", with: "test"), 400, "environment"),
                ("00ff", #"{"topic":"com.example.app","environment":"development"}"#, 400, "the id of the device"),
                (dead.hexadecimal, good, 409, "The token has ended"),
                (setting.token().hexadecimal, good, 409, "belongs to another app or to another device"),
            ]
            for (token, body, status, words) in cases {
                let answer = try await control("PUT", "tokens/\(token)", body)
                #expect(answer.status == status)
                #expect(answer.error?.contains(words) == true, "\(answer.error ?? "")")
            }
            for _ in 0..<2 {
                let adopted = try await control("PUT", "tokens/00ff", good)
                #expect(adopted.status == 200)
                #expect(adopted.json["device"]?.string == "one")
            }
            let list = try await control("GET", "tokens?device=one").json["tokens"]?.array
            #expect(list?.compactMap { $0.object?["token"]?.string } == ["00ff"])
        }
    }
}
