import Foundation
import JPush
import PosthornStack
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import TestSupport
import Testing

/// The SDK in an app, and the service that is behind it: real HTTP, real WebSockets, the clock turned.
@Suite("The SDK and its service", .suiteLimit)
struct JPushRoadTests {
    /// Sends a custom message with a real request.
    ///
    /// - Returns: its msg_id.
    private func send(_ content: String, to registrationID: RegistrationID, by stack: Stack) async throws -> String {
        let body: JSONValue = [
            "platform": "all", "audience": ["registration_id": [.string(registrationID.text)]],
            "message": ["msg_content": .string(content), "extras": ["n": 1]],
        ]
        let answer = try await stack.api.post("/v3/push", body.bytes)
        #expect(answer.status == 200, "\(answer.json.text)")
        return try #require(answer.json.object?["msg_id"]?.string)
    }

    /// Waits until the report of a push says so.
    private func report(
        _ message: String,
        from report: String = "received/detail",
        by stack: Stack,
        until isThere: (JSONObject) -> Bool
    ) async throws {
        try await eventually("\(report) has all of \(message)") {
            let answer = try await stack.api.get("/v3/\(report)?msg_ids=\(message)")
            return answer.json.array?.first?.object.map(isThere) ?? false
        }
    }

    private func messages(of phone: PushLabPhone) async -> [String] {
        await phone.callbacks().filter { $0.hasPrefix("jpfNetworkDidReceiveMessage") }
    }

    @Test("A custom message comes to the app once, and its journey and its counters end with it")
    func customMessage() async throws {
        try await withStack { stack in
            let phone = try #require(stack.phones.first)
            let registrationID = try await stack.registrationID(of: phone)
            // In the background the SDK has no link: what is sent waits until the app is in front.
            phone.device.open(phone.bundleID)
            let message = try await send("hello", to: registrationID, by: stack)
            let sentence = try await stack.verdict(.delivered, of: message, to: registrationID)
            #expect(sentence == "delivered: the app has acknowledged the custom message")
            let heard = await messages(of: phone)
            #expect(heard.count == 1)
            #expect(heard.first?.contains("hello") == true)
            try await report(message, by: stack) { $0["ios_msg_received"] == 1 && $0["jpush_received"] == 1 }
        }
    }

    @Test("Messages sent while the app was dead come at its next start, the newest five, in order, once")
    func deadApp() async throws {
        try await withStack { stack in
            let phone = try #require(stack.phones.first)
            let registrationID = try await stack.registrationID(of: phone)
            phone.device.forceQuit(phone.bundleID)
            await phone.device.settled()
            var sent: [String] = []
            for number in 0..<7 { sent.append(try await send("message \(number)", to: registrationID, by: stack)) }
            for _ in 0..<2 {
                // The second start finds nothing that the first has had.
                phone.device.open(phone.bundleID)
                let again = try await stack.registrationID(of: phone)
                #expect(again == registrationID)
                _ = try await stack.verdict(.delivered, of: try #require(sent.last), to: registrationID)
                for message in sent.dropFirst(2) {
                    _ = try await stack.verdict(.delivered, of: message, to: registrationID)
                }
                phone.device.forceQuit(phone.bundleID)
                await phone.device.settled()
            }
            let passedOver = try await stack.verdict(.coalesced, of: sent[0], to: registrationID)
            #expect(passedOver.hasPrefix("not delivered: newer custom messages"))
            for message in sent.dropFirst(2) {
                try await report(message, by: stack) { $0["ios_msg_received"] == 1 }
            }
            try await report(sent[0], by: stack) { $0["ios_msg_received"] == 0 }
        }
    }

    @Test("An app whose user has switched notifications off shows the push itself, and the tap is counted")
    func inApp() async throws {
        try await withStack { stack in
            let phone = try #require(stack.phones.first)
            let registrationID = try await stack.registrationID(of: phone)
            phone.device.setNotifications(of: phone.bundleID, allowed: false)
            let body: JSONValue = [
                "platform": "all", "audience": ["registration_id": [.string(registrationID.text)]],
                "notification": ["ios": ["alert": ["title": "T", "body": "hello"]]],
                "inapp_message": ["inapp_message": true],
            ]
            let answer = try await stack.api.post("/v3/push", body.bytes)
            let message = try #require(answer.json.object?["msg_id"]?.string)
            let sentence = try await stack.verdict(.suppressed, of: message, to: registrationID)
            #expect(sentence == "delivered, not shown: the user has switched the app's notifications off")
            phone.device.open(phone.bundleID)
            _ = await phone.device.inside(phone.bundleID) { JPUSHService.pageEnter(to: "home") }
            let deviceEvent = await phone.device.first { if case .inAppShown = $0.kind { true } else { false } }
            guard case .inAppShown(let shown) = deviceEvent?.kind else { return }
            #expect((shown.title, shown.body) == ("T", "hello"))
            #expect(phone.device.tap(shown.id))
            try await eventually("the in-app message is reported as opened") {
                let journey = try await stack.journey(of: message, to: registrationID)
                return journey.object?["inapp"]?.object?["verdict"]?.object?["state"] == "opened"
            }
            try await report(message, from: "messages/detail", by: stack) { counts in
                counts["details"]?.object?["inapp"]
                    == ["target": 1, "sent": 1, "received": 1, "display": 1, "click": 1]
            }
        }
    }

    @Test("An opened push is counted once, although two callbacks carry it")
    func opened() async throws {
        try await withStack { stack in
            let phone = try #require(stack.phones.first)
            let registrationID = try await stack.registrationID(of: phone)
            let message = try await stack.push("Tap me", to: registrationID, [:])
            let journey = try await stack.journey(of: message, to: registrationID)
            let apnsID = try #require(journey.object?["apns_id"]?.string)
            _ = await stack.journeys.first(of: apnsID) { $0 == .presented(.banner) }
            #expect(phone.device.tap(apnsID))
            _ = try await stack.verdict(.opened, of: message, to: registrationID)
            try await report(message, by: stack) { $0["ios_apns_received"] == 1 }
            try await report(message, from: "messages", by: stack) { $0["ios"]?.object?["click"] == 1 }
        }
    }
}
