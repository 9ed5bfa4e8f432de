import CallKit
import Foundation
import PosthornTesting
import PushDevice
import PushKit
import PushModel
import Testing
import UIKit

/// Sources: Apple, `PKPushRegistry`, `PKPushRegistryDelegate`, "Responding to VoIP Notifications from PushKit", `CXProvider`.
@Suite("Rules of VoIP pushes")
@MainActor
struct VoIPPushRules {
    private static let received = "pushRegistry(_:didReceiveIncomingPushWith:for:completion:)"
    private static let killed = """
        Killing app because it never posted an incoming call to the system after receiving a PushKit VoIP push.
        """

    @Test("PushKit wakes the app in the background and delivers the payload to the registry's delegate")
    func woken() async throws {
        let stage = await CallStage()
        let push = await stage.ring(CallStage.ann)
        #expect(stage.kinds(push).first == .woken(.background))
        #expect(stage.kinds(push).contains(.presented(.call)))
        #expect(stage.phone.journeys.callbacks(of: push) == ["\(Self.received)@background"])
        let payload = stage.delegate?.payloads.first
        #expect(payload?.type == .voIP && payload?.dictionaryPayload["caller"] as? String == "Ann")
        let call = try #require(stage.phone.ringingCall)
        #expect(call.name == "Ann" && call.id.uuidString == CallStage.ann && !call.isOutgoing)
        #expect(stage.sentence(push) == "the device rang with an incoming call (CallKit); the user did not answer")
    }

    @Test("PushKit launches an app that does not run, also one that the user swiped away", arguments: [true, false])
    func launched(_ isForceQuit: Bool) async {
        let stage = await CallStage()
        if isForceQuit {
            await stage.phone.forceQuit(stage.app)
        } else {
            await stage.phone.terminate(stage.app)
        }
        let push = await stage.ring(CallStage.ann)
        #expect(stage.kinds(push).first == .woken(.background))
        #expect(stage.kinds(push).contains(.presented(.call)))
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .background)
        #expect(stage.phone.ringingCall != nil)
    }

    @Test(
        "If you fail to report a call to CallKit, the system will terminate your app, since iOS 13",
        arguments: [12, 13, 17]
    )
    func unreported(_ major: Int) async {
        let stage = await CallStage(.iOS(major))
        let push = await stage.phone.push(voIP: ["text": "not a call"], to: stage.app)
        if major < 13 {
            #expect(stage.kinds(push).last == .suppressed(.noCall))
            #expect(stage.phone.device.condition(of: stage.app.bundleID) == .background)
        } else {
            #expect(stage.kinds(push).last == .crashed(Self.killed))
            #expect(stage.phone.device.condition(of: stage.app.bundleID) == .notRunning)
            #expect(stage.sentence(push).contains(Self.killed))
            #expect(stage.phone.run.contains(Self.killed))
        }
    }

    @Test("The report counts when the method returns: the completion handler plays no role", arguments: [true, false])
    func completionPlaysNoRole(_ completes: Bool) async {
        let stage = await CallStage { $0.completes = completes }
        let push = await stage.phone.push(voIP: ["text": "not a call"], to: stage.app)
        #expect(stage.kinds(push).last == .crashed(Self.killed))
        let reporting = await CallStage { $0.completes = completes }
        let ringing = await reporting.ring(CallStage.ann)
        await reporting.phone.advance(by: .seconds(8))
        #expect(reporting.phone.ringingCall != nil && reporting.sentence(ringing).contains("rang"))
        #expect(reporting.phone.device.condition(of: stage.app.bundleID) == .background)
    }

    @Test("A call reported in a task, after the method has returned, comes too late", arguments: [13, 17, 27])
    func reportedAfterReturn(_ major: Int) async {
        let stage = await CallStage(.iOS(major)) { $0.reportsInTask = true }
        let push = await stage.ring(CallStage.ann)
        await stage.phone.wait("the task has reported") {
            $0.journeys.kinds(of: push).contains(.suppressed(.reportedLate))
        }
        #expect(stage.kinds(push).contains(.crashed(Self.killed)))
        #expect(stage.sentence(push).contains("after the method of its PKPushRegistryDelegate had returned"))
        #expect(stage.phone.calls.isEmpty && stage.phone.device.condition(of: stage.app.bundleID) == .notRunning)
    }

    @Test("In the foreground, or with a call, no report is due, since iOS 13", arguments: ["13.0", "26.0", "26.4"])
    func notDue(_ version: String) async {
        let stage = await CallStage(SystemProfile(version: version))
        await stage.phone.open(stage.app)
        let inFront = await stage.phone.push(voIP: [:], to: stage.app)
        #expect(stage.kinds(inFront).last == .suppressed(.reportNotDueInFront))
        #expect(stage.sentence(inFront).contains("the app was in front"))
        await stage.phone.background(stage.app)
        await stage.ring(CallStage.ann)
        let onCall = await stage.phone.push(voIP: [:], to: stage.app)
        #expect(stage.kinds(onCall).last == .suppressed(.reportNotDueOnCall))
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .background)
        // It may report all the same.
        let second = await stage.ring(CallStage.bob)
        #expect(stage.kinds(second).contains(.presented(.call)))
    }

    @Test("A call of another app does not count as a call: a report is due, which is our decision")
    func otherCall() async throws {
        let stage = await CallStage()
        stage.phone.install(.otherCaller) { CallApp() }
        await stage.phone.open(.otherCaller)
        await stage.phone.background(.otherCaller)
        await stage.phone.push(voIP: ["uuid": .string(CallStage.bob)], to: .otherCaller)
        #expect(stage.phone.calls.map(\.bundleID) == [InstalledApp.otherCaller.bundleID])
        let push = await stage.phone.push(voIP: [:], to: stage.app)
        #expect(stage.kinds(push).last == .crashed(Self.killed))
    }

    @Test("A push in front that is neither reported nor completed ends nothing, and its journey ends after 7 s")
    func neverCompletedInFront() async {
        let stage = await CallStage { $0.completes = false }
        await stage.phone.open(stage.app)
        let push = await stage.phone.push(voIP: [:], to: stage.app)
        await stage.phone.advance(by: .seconds(6))
        #expect(!stage.kinds(push).contains(.suppressed(.reportNotDueInFront)))
        await stage.phone.advance(by: .seconds(2))
        #expect(stage.kinds(push).last == .suppressed(.reportNotDueInFront))
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .active)
    }

    @Test("Repeatedly failing to report calls causes the system to stop delivering VoIP pushes to the app")
    func repeatedly() async {
        let stage = await CallStage()
        for _ in 1...3 { await stage.phone.push(voIP: [:], to: stage.app) }
        let blocked = await stage.ring(CallStage.ann)
        #expect(stage.kinds(blocked) == [.suppressed(.callsNotReported)])
        #expect(stage.sentence(blocked).contains("too many times"))
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .notRunning)
        // A new build is launched again.
        stage.phone.install(stage.app) { CallApp() }
        let after = await stage.ring(CallStage.ann)
        #expect(stage.kinds(after).contains(.presented(.call)))
    }

    @Test("A call that is reported ends the row of failures")
    func reportedBetween() async {
        let stage = await CallStage()
        for _ in 1...2 { await stage.phone.push(voIP: [:], to: stage.app) }
        await stage.ring(CallStage.ann)
        for _ in 1...2 { await stage.phone.push(voIP: [:], to: stage.app) }
        let push = await stage.ring(CallStage.bob)
        #expect(stage.kinds(push).contains(.presented(.call)))
    }

    @Test("The push for an app that starts without a PKPushRegistry for it ends with that reason")
    func noRegistry() async {
        let phone = TestPhone()
        phone.install(.caller) { RecordingApp() }
        let push = await phone.push(voIP: ["uuid": .string(CallStage.ann)], to: .caller)
        #expect(phone.journeys.kinds(of: push).last == .suppressed(.noPushRegistry))
        #expect(Verdict(phone.journeys.events(of: push)).sentence.contains("desiredPushTypes"))
        let stage = await CallStage { $0.types = [.complication] }
        let other = await stage.ring(CallStage.ann)
        #expect(stage.kinds(other).last == .suppressed(.noPushRegistry))
    }

    @Test("Without the background mode voip there are no credentials, no pushes, and reports are unentitled")
    func noBackgroundMode() async throws {
        var app = InstalledApp.caller
        app.info["UIBackgroundModes"] = ["remote-notification"]
        let stage = await CallStage(app: app)
        #expect(stage.delegate?.tokens.isEmpty == true)
        #expect(stage.phone.run.contains("UIBackgroundModes in the Info.plist does not contain"))
        let push = await stage.ring(CallStage.ann)
        #expect(stage.kinds(push) == [.suppressed(.noVoIPMode)])
        let error = await stage.phone.device.inside(app.bundleID) { () async -> (any Error)? in
            let provider = CXProvider(configuration: CXProviderConfiguration())
            do { try await provider.reportNewIncomingCall(with: UUID(), update: CXCallUpdate()) } catch { return error }
            return nil
        }
        #expect(((error ?? nil) as? CXErrorCodeIncomingCallError)?.code == .unentitled)
        #expect(await stage.request([CXEndCallAction(call: UUID())]) == .unentitled)
    }

    @Test("A Focus that does not allow the app filters the call (filteredByDoNotDisturb)")
    func focus() async {
        let stage = await CallStage()
        await stage.phone.perform { $0.setFocus(.doNotDisturb) }
        let push = await stage.ring(CallStage.ann)
        #expect(stage.kinds(push).contains(.suppressed(.callFiltered)))
        #expect(stage.phone.calls.isEmpty)
        #expect((stage.delegate?.errors.first as? CXErrorCodeIncomingCallError)?.code == .filteredByDoNotDisturb)
        // The report counts: the app is not ended.
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .background)
        let bundleID = stage.app.bundleID
        await stage.phone.perform { $0.setFocus(Focus(name: "Work", allowedApps: [bundleID])) }
        await stage.ring(CallStage.bob)
        #expect(stage.phone.ringingCall != nil)
    }

    @Test("A UUID that a call already has is refused (callUUIDAlreadyExists)")
    func duplicate() async {
        let stage = await CallStage()
        await stage.ring(CallStage.ann)
        let push = await stage.ring(CallStage.ann)
        #expect(stage.kinds(push).contains(.suppressed(.callExists)))
        #expect(stage.phone.calls.count == 1)
        #expect((stage.delegate?.errors.first as? CXErrorCodeIncomingCallError)?.code == .callUUIDAlreadyExists)
    }

    @Test("A payload that is no JSON object, and an app that is not installed, end the journey")
    func unreadable() async {
        let stage = await CallStage()
        let push = await stage.phone.push(["a"], to: stage.app, type: .voip)
        #expect(stage.kinds(push) == [.suppressed(.badPayload)])
        await stage.phone.perform { $0.uninstall(InstalledApp.caller.bundleID) }
        let late = await stage.ring(CallStage.ann)
        #expect(stage.kinds(late) == [.suppressed(.notInstalled)])
    }
}
