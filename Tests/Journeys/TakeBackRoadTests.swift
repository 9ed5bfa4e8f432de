import DeviceLink
import Foundation
import PosthornStack
import PosthornTesting
import PushClock
import PushDevice
import PushModel
import PushService
import TestSupport
import Testing

/// A push that is taken back, from the request to the phone's notification centre and back.
///
/// The pushes have no badge: PushLab removes its badge when it is opened, and with it the system removes all notifications of the app.
@Suite("Pushes that are taken back", .suiteLimit)
struct TakeBackRoadTests {
    /// Turned while something is waited for: what the apps report may wait for a moment.
    private let clock = VirtualClock()

    private func takenBack(_ message: String, by stack: Stack) async throws -> JSONObject? {
        try await stack.api.get("/posthorn/v1/messages/\(message)").json.object?["taken_back"]?.object
    }

    /// Withdraws a push, and waits until its state says so.
    private func withdraw(
        _ message: String,
        by stack: Stack,
        until isThere: @escaping (JSONObject) -> Bool
    ) async throws {
        #expect(try await stack.api.delete("/v3/push/\(message)").status == 200)
        try await told(message, by: stack, until: isThere)
    }

    private func told(_ message: String, by stack: Stack, until isThere: (JSONObject) -> Bool) async throws {
        try await eventually("what became of the removal is told") {
            await clock.advance(by: .seconds(1))
            return try await takenBack(message, by: stack).map(isThere) ?? false
        }
    }

    private func reason(_ told: JSONObject) -> JSONValue? { told["outcomes"]?.array?.first?.object?["reason"] }

    /// Sends a push and waits until it is on the phone's screen.
    private func show(_ phone: PushLabPhone, by stack: Stack) async throws -> (message: String, apnsID: String) {
        let id = try await stack.registrationID(of: phone)
        let message = try await send("wrong", to: ["registration_id": [.string(id.text)]], by: stack)
        let journey = try await stack.journey(of: message, to: id)
        let apnsID = try #require(journey.object?["apns_id"]?.string)
        _ = await stack.journeys.first(of: apnsID) { $0 == .presented(.banner) }
        return (message, apnsID)
    }

    private func send(
        _ text: String,
        to audience: JSONValue,
        by stack: Stack,
        _ options: JSONObject = [:]
    ) async throws -> String {
        let body: JSONValue = [
            "platform": "all", "audience": audience, "notification": ["ios": ["alert": .string(text)]],
            "options": .object(options),
        ]
        let answer = try await stack.api.post("/v3/push", body.bytes)
        return try #require(answer.json.object?["msg_id"]?.string, "\(answer.json.text)")
    }

    private func shown(on phone: PushLabPhone) -> Int { phone.device.screen.list.count }

    @Test("By a silent push in the background, over the link of an app in front; the notification goes away")
    func silentPushAndLink() async throws {
        try await withStack(clock: clock) { stack in
            let phone = try #require(stack.phones.first)
            let id = try await stack.registrationID(of: phone)
            for isInFront in [false, true] {
                if isInFront { phone.device.open(phone.bundleID) }
                let (message, _) = try await show(phone, by: stack)
                #expect(shown(on: phone) == 1)
                try await withdraw(message, by: stack) { $0["removed"] == 1 && $0["waiting"] == 0 }
                #expect(shown(on: phone) == 0)
                let why = try await stack.journey(of: message, to: id).object?["taken_back"]?.object
                #expect(why?["verdict"]?.object?["sentence"] == "taken back: the app removed the notification")
                let order = try #require(try await takenBack(message, by: stack)?["msg_id"]?.string)
                let events = try await stack.journey(of: order, to: id).object?["events"]?.array ?? []
                #expect(events.contains { $0.object?["reason"] == "askedOverLink" } == isInFront)
                #expect(events.contains { $0.object?["event"] == "woken" } != isInFront)
            }
        }
    }

    @Test("An app that was force-quit is asked at its next start; what was opened before is not asked for")
    func forceQuit() async throws {
        try await withStack(clock: clock) { stack in
            let phone = try #require(stack.phones.first)
            let (message, _) = try await show(phone, by: stack)
            phone.device.forceQuit(phone.bundleID)
            await phone.device.settled()
            try await withdraw(message, by: stack) { $0["waiting"] == 1 && reason($0) == "forceQuit" }
            #expect(shown(on: phone) == 1)
            phone.device.open(phone.bundleID)
            try await told(message, by: stack) { $0["removed"] == 1 && $0["outcomes"] == [] }
            #expect(shown(on: phone) == 0)

            phone.device.background(phone.bundleID)
            let (opened, apnsID) = try await show(phone, by: stack)
            #expect(phone.device.tap(apnsID))
            try await reported(opened, by: stack)
            #expect(try await stack.api.delete("/v3/push/\(opened)").status == 200)
            #expect(try await takenBack(opened, by: stack) == nil, "There is nobody to ask.")
        }
    }

    /// Waits until the service knows that the only device of a push has opened it.
    private func reported(_ message: String, by stack: Stack) async throws {
        try await eventually("the tap is reported") {
            await clock.advance(by: .seconds(1))
            let report = try await stack.api.get("/v3/messages/detail?msg_ids=\(message)").json
            return report.array?.first?.object?["ios"]?.object?["apns_click"] == 1
        }
    }

    @Test("Low Power Mode and the hourly budget hold the silent push; it is answered when they end")
    func held() async throws {
        try await withStack(clock: clock) { stack in
            let phone = try #require(stack.phones.first)
            let (message, _) = try await show(phone, by: stack)
            phone.device.setLowPower(true)
            try await withdraw(message, by: stack) { $0["waiting"] == 1 && reason($0) == "lowPower" }
            #expect(shown(on: phone) == 1)
            phone.device.setLowPower(false)
            try await told(message, by: stack) { $0["removed"] == 1 && $0["waiting"] == 0 }
            #expect(shown(on: phone) == 0)
            // Spends the rest of the hour's silent pushes.
            var last = message
            for _ in 0..<10 {
                last = try await show(phone, by: stack).message
                try await withdraw(last, by: stack) { $0["removed"] == 1 || reason($0) == "budget" }
                if shown(on: phone) == 1 { break }
            }
            #expect(try await takenBack(last, by: stack)?["waiting"] == 1)
            await clock.advance(by: .seconds(3600))
            try await told(last, by: stack) { $0["removed"] == 1 && $0["outcomes"] == [] }
            #expect(shown(on: phone) == 0)
        }
    }

    @Test("What is opened on one device of an alias goes away on the other")
    func readElsewhere() async throws {
        try await withStack(clock: clock, phones: 2) { stack in
            var ids: [RegistrationID] = []
            for phone in stack.phones {
                let id = try await stack.registrationID(of: phone)
                #expect(try await stack.api.post("/v3/devices/\(id)", ["alias": "ann"]).status == 200)
                ids.append(id)
            }
            let message = try await send("news", to: ["alias": ["ann"]], by: stack, ["x_read_group": true])
            var apnsIDs: [String] = []
            for id in ids {
                let journey = try await stack.journey(of: message, to: id)
                let apnsID = try #require(journey.object?["apns_id"]?.string)
                _ = await stack.journeys.first(of: apnsID) { $0 == .presented(.banner) }
                apnsIDs.append(apnsID)
            }
            #expect(stack.phones[0].device.tap(apnsIDs[0]))
            try await told(message, by: stack) { $0["removed"] == 1 && $0["opened"] == 1 && $0["waiting"] == 0 }
            #expect(shown(on: stack.phones[1]) == 0)
            let why = try await stack.journey(of: message, to: ids[1]).object?["read_elsewhere"]?.object
            #expect(why?["verdict"]?.object?["sentence"] == "taken back: the app removed the notification")
        }
    }

    @Test("A client that does not know orders is told apart from one that was not there since")
    func olderClient() async throws {
        try await withStack(clock: clock, preparesPhones: false) { stack in
            let registrations = stack.service.core.registrations
            let registration = SDKRegistration(
                appKey: stack.app.app.key.text,
                bundleID: Stack.bundleID,
                channel: nil,
                environment: .production,
                system: "iOS 15.0",
                installation: "older"
            )
            let token = SDKRequest.token(stack.sampleTokens().valid, .production)
            let older = try await registrations.register(registration, with: [token], from: nil)
            let message = try await send("wrong", to: "all", by: stack)
            try await eventually("APNs has the push") {
                let events = try await stack.journey(of: message, to: older.registrationID).object?["events"]?.array
                return events?.contains { $0.object?["event"] == "sent" } == true
            }
            try await withdraw(message, by: stack) { $0["waiting"] == 1 && $0["impossible"] == 0 }
            let name = older.registrationID.text
            let client = APIClient(url: stack.api.url, appKey: name, masterSecret: older.secret)
            let state = try await client.put("/posthorn/v1/registrations/\(name)", [:]).json
            #expect(state.object?["take_back"]?.array?.first?.object?["msg_id"]?.string == message)
            try await told(message, by: stack) { $0["waiting"] == 0 && $0["impossible"] == 1 }
            let why = try await stack.journey(of: message, to: older.registrationID).object?["taken_back"]?.object
            let sentence = why?["verdict"]?.object?["sentence"]?.string ?? ""
            #expect(sentence.hasPrefix("asked to remove the notification, and not answered"))
        }
    }
}
