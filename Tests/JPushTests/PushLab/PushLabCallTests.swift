import DeviceLink
import PosthornTesting
import PushDevice
import PushLab
import PushModel
import TestSupport
import Testing
import UIKit

@Suite("PushLab's call", .suiteLimit)
@MainActor
struct PushLabCallTests {
    private static let ann: JSONValue = ["uuid": "11111111-1111-4111-8111-111111111111", "caller": "Ann"]

    /// The lines about calls since the start of the app, without the one of the token.
    private func told(_ stage: LabStage) throws -> [String] {
        try stage.lab.log.lines.filter { line in
            ["pushRegistry(_:didReceive", "reportNewIncomingCall", "provider"].contains { line.name.hasPrefix($0) }
        }.map(\.description)
    }

    private static let ringing = [
        "pushRegistry(_:didReceiveIncomingPushWith:for:completion:) [background] Ann",
        "reportNewIncomingCall(with:update:completion:) [background] Ann",
    ]

    @Test("The token for VoIP pushes is registered with JPush", arguments: [11, 13, 17])
    func token(_ major: Int) async throws {
        let stage = await LabStage(major)
        let lab = try stage.lab
        try await eventually("the service has a token for VoIP pushes") {
            stage.service.requests.contains { if case .voipToken(_, .development) = $0 { true } else { false } }
        }
        #expect(lab.log.lines.count { $0.name == "pushRegistry(_:didUpdate:for:)" && $0.detail.count == 64 } == 1)
    }

    @Test("A VoIP push launches the app and rings; the user answers, talks, and hangs up", arguments: [11, 17])
    func answered(_ major: Int) async throws {
        let stage = await LabStage(major)
        await stage.phone.terminate(stage.app)
        let push = await stage.phone.push(voIP: Self.ann, to: stage.app)
        #expect(stage.phone.ringingCall?.name == "Ann")
        #expect(try told(stage) == Self.ringing)
        try await stage.phone.answerCall()
        #expect(stage.phone.calls.map(\.state) == [.active])
        try await stage.phone.endCall()
        #expect(
            try told(stage).dropFirst(2) == [
                "provider(_:perform:) [background] CXAnswerCallAction Ann", "provider(_:didActivate:) [background]",
                "provider(_:perform:) [background] CXEndCallAction Ann", "provider(_:didDeactivate:) [background]",
            ]
        )
        #expect(stage.phone.calls.isEmpty)
        #expect(Verdict(stage.phone.journeys.events(of: push)).sentence.hasSuffix("and the user answered"))
    }

    @Test("The user declines, on the locked phone")
    func declined() async throws {
        let stage = await LabStage(17)
        await stage.phone.background(stage.app)
        await stage.phone.perform { $0.lock() }
        let push = await stage.phone.push(voIP: Self.ann, to: stage.app)
        try await stage.phone.declineCall()
        #expect(try told(stage) == Self.ringing + ["provider(_:perform:) [background] CXEndCallAction Ann"])
        #expect(Verdict(stage.phone.journeys.events(of: push)).sentence.hasSuffix("and the user declined"))
    }

    @Test("A push without a caller rings too, so that the system does not end the app")
    func unknown() async throws {
        let stage = await LabStage(17)
        await stage.phone.background(stage.app)
        await stage.phone.push(voIP: ["greeting": "hello"], to: stage.app)
        #expect(stage.phone.ringingCall?.name == "unknown")
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .background)
    }

    @Test("Before iOS 11 there are no calls", arguments: [7, 9, 10])
    func older(_ major: Int) async throws {
        let stage = await LabStage(major)
        #expect(try stage.names.allSatisfy { !$0.hasPrefix("pushRegistry") })
        #expect(!stage.service.requests.contains { if case .voipToken = $0 { true } else { false } })
    }
}
