import CallKit
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import SourceCompatibility5
import TestSupport
import Testing
import UIKit

@Suite("VoIP apps of other people compile and run")
@MainActor
struct CallDrivenTests {
    private let app = InstalledApp(bundleID: "com.example.voip", name: "Calls", backgroundModes: ["voip", "audio"])

    @Test("Swift 5 mode: PushKit and CallKit in one manager", arguments: [10, 17])
    func intercom(_ version: Int) async throws {
        let phone = TestPhone(.iOS(version))
        phone.install(app) { IntercomApp() }
        await phone.open(app)
        await phone.background(app)
        let calls = try #require(phone.device.delegate(of: app.bundleID, as: IntercomApp.self)).calls
        #expect(calls.token?.count == 64)
        await phone.push(voIP: ["door": "Garden"], to: app)
        #expect(calls.events.first == (version < 11 ? "old push" : "push"))
        #expect(phone.ringingCall?.name == "At the garden" && phone.ringingCall?.hasVideo == true)
        try await phone.answerCall()
        try await phone.setCallMuted(true)
        #expect(calls.events.contains("audio true") && calls.events.contains("observed the connection"))
        calls.hangUp()
        await phone.device.settled()
        #expect(phone.calls.isEmpty && calls.visitors.isEmpty)
        #expect(calls.events.suffix(3).contains("silence") && calls.events.contains("observed the end"))
        // The visitor leaves.
        await phone.push(voIP: ["door": "Garden"], to: app)
        calls.cancel(reason: .remoteEnded)
        await phone.device.settled()
        #expect(phone.calls.isEmpty)
        await phone.perform { $0.setFocus(.doNotDisturb) }
        await phone.push(voIP: [:], to: app)
        #expect(calls.events.last == "do not disturb")
        #expect(phone.runFile.entries.allSatisfy { $0.event != "warning" }, "\(phone.run)")
    }

    @Test(
        "Swift 5 mode: PushKit and LiveCommunicationKit, with a report that the push's method waits for",
        arguments: ["17.4", "26.0", "26.4", "27.0"]
    )
    func room(_ version: String) async throws {
        let phone = TestPhone(SystemProfile(version: version))
        phone.install(app) { RoomApp() }
        await phone.open(app)
        await phone.background(app)
        let calls = try #require(phone.device.delegate(of: app.bundleID, as: RoomApp.self)).calls
        let push = await phone.push(voIP: ["room": "Garden"], to: app)
        await phone.settle(within: usualLimit)
        #expect(phone.ringingCall?.name == "Garden" && phone.ringingCall?.framework == .liveCommunicationKit)
        try await phone.answerCall()
        try await phone.setCallMuted(true)
        #expect(calls.events.contains("audio true") && calls.events.contains("mute true"))
        try await calls.hangUp()
        await phone.wait("the call has ended") { $0.calls.isEmpty }
        #expect(calls.events.suffix(2) == ["left", "silence"])
        #expect(Verdict(phone.journeys.events(of: push)).sentence.hasSuffix("and the user answered"))
    }

    @Test("An app chooses its framework by the storefront and the system")
    func choice() {
        let systems = ["17.3", "17.4", "26.3", "26.4"]
        let chinese = systems.map { CallChoice(storefront: "CHN", system: $0) }
        #expect(chinese == [nil, .liveCommunicationKit, .liveCommunicationKit, .liveCommunicationKit])
        let others = systems.map { CallChoice(storefront: "USA", system: $0) }
        #expect(others == [.callKit, .callKit, .callKit, .liveCommunicationKit])
    }

    @Test("JPush gets the VoIP token, and a receipt for a VoIP push that the app passes on")
    func jpush() async throws {
        let jpush = TestJPush()
        let phone = TestPhone()
        jpush.serve(phone)
        var app = app
        app.info["PosthornLink"] = .string(TestJPush.url)
        phone.install(app) { IntercomApp() }
        await phone.open(app)
        await phone.wait("the VoIP token is at the service") { jpush.voIPToken(of: $0) != nil }
        let calls = try #require(phone.device.delegate(of: app.bundleID, as: IntercomApp.self)).calls
        #expect(jpush.voIPToken(of: phone)?.hexadecimal == calls.token)
        await phone.push(voIP: ["door": "Garden", "_j_msgid": 42], to: app)
        await phone.wait("the receipt is at the service") { _ in jpush.receipts.contains { $0.messageID == 42 } }
        #expect(jpush.receipts.map(\.event) == [.received])
    }

    @Test("Swift 6 mode: async methods, and a transaction executed as a whole")
    func meeting() async throws {
        let phone = TestPhone()
        phone.install(app) { MeetingApp() }
        await phone.open(app)
        await phone.background(app)
        let center = try #require(phone.device.delegate(of: app.bundleID, as: MeetingApp.self)).center
        let push = await phone.push(voIP: ["title": "Weekly"], to: app)
        await phone.settle()
        #expect(phone.journeys.kinds(of: push).contains(.presented(.call)), "\(phone.story)")
        #expect(Array(center.meetings.values) == ["Weekly"])
        try await phone.answerCall()
        #expect(center.isAudioActive)
        let id = try #require(phone.calls.first?.id)
        try await center.setMuted(true, in: id)
        await phone.device.settled()
        #expect(center.isMuted && phone.calls.first?.isMuted == true)
        center.leave(id)
        await phone.device.settled()
        #expect(phone.calls.isEmpty && !center.isAudioActive)
        let joined = try await center.join("Daily")
        await phone.device.settled()
        #expect(phone.calls.map(\.id) == [joined] && phone.calls.first?.state == .active)
        try await phone.endCall()
        await phone.perform { $0.setFocus(.doNotDisturb) }
        await phone.push(voIP: ["title": "Late"], to: app)
        await phone.settle(within: usualLimit)
        #expect(center.refusals == [.filteredByDoNotDisturb])
        // A push without a title reports no call: the app is ended.
        await phone.push(voIP: [:], to: app)
        await phone.settle()
        #expect(phone.device.condition(of: app.bundleID) == .notRunning)
    }
}
