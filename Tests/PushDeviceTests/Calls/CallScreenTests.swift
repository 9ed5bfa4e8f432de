import CallKit
import Foundation
import PosthornTesting
import PushDevice
import PushKit
import PushModel
import Testing

/// Sources: Apple, `CXProviderDelegate`, `CXAction`, `CXCallController`.
@Suite("Calls on the screen")
@MainActor
struct CallScreenTests {
    @Test("Answering has the provider perform CXAnswerCallAction; then the audio session is activated")
    func answer() async throws {
        let stage = await CallStage()
        let push = await stage.ring(CallStage.ann)
        try await stage.phone.answerCall()
        #expect(stage.log == ["answer", "audio on"])
        #expect(stage.phone.calls.map(\.state) == [.active])
        #expect(stage.phone.calls.first?.connected != nil)
        #expect(stage.sentence(push) == "the device rang with an incoming call (CallKit), and the user answered")
        #expect(stage.phone.journeys.callbacks(of: push).last == "provider(_:perform:) CXAnswerCallAction@background")
        try await stage.phone.endCall()
        #expect(stage.log == ["answer", "audio on", "end", "audio off"])
        #expect(stage.phone.calls.isEmpty)
    }

    @Test("Declining has the provider perform CXEndCallAction, on a locked device too")
    func decline() async throws {
        let stage = await CallStage()
        await stage.phone.perform { $0.lock() }
        let push = await stage.ring(CallStage.ann)
        try await stage.phone.declineCall()
        #expect(stage.log == ["end"])
        #expect(stage.phone.calls.isEmpty)
        #expect(stage.sentence(push) == "the device rang with an incoming call (CallKit), and the user declined")
    }

    @Test(
        "A call fills a locked screen; on an unlocked one it rings on a banner since iOS 14",
        arguments: [13, 14, 27]
    )
    func presentation(system: Int) async throws {
        for locks in [true, false] {
            let stage = await CallStage(.iOS(system))
            if locks { await stage.phone.perform { $0.lock() } }
            await stage.ring(CallStage.ann)
            let fills = locks || system < 14
            #expect(stage.phone.ringingCall?.presentation == (fills ? .fullScreen : .banner))
            #expect(stage.phone.run.contains("full screen") == fills)
            try await stage.phone.answerCall()
            #expect(stage.phone.calls.map(\.presentation) == [nil])
        }
    }

    @Test("reportCall(with:endedAt:reason:) ends the ringing")
    func unanswered() async throws {
        let stage = await CallStage()
        let push = await stage.ring(CallStage.ann)
        let uuid = try #require(UUID(uuidString: CallStage.ann))
        stage.delegate?.provider.reportCall(with: uuid, endedAt: nil, reason: .unanswered)
        await stage.phone.device.settled()
        #expect(stage.phone.calls.isEmpty)
        #expect(stage.phone.run.contains("unanswered"))
        #expect(stage.sentence(push).hasSuffix("the user did not answer"))
    }

    @Test("reportCall(with:updated:) changes what it sets, and leaves the rest")
    func updated() async throws {
        let stage = await CallStage()
        await stage.ring(CallStage.ann)
        let uuid = try #require(UUID(uuidString: CallStage.ann))
        let update = CXCallUpdate()
        update.localizedCallerName = "Ann Smith"
        stage.delegate?.provider.reportCall(with: uuid, updated: update)
        await stage.phone.device.settled()
        let call = try #require(stage.phone.ringingCall)
        #expect(call.name == "Ann Smith" && call.handle?.value == "Ann")
    }

    @Test("Muting, holding and the keypad each have their action")
    func controls() async throws {
        let stage = await CallStage()
        await stage.ring(CallStage.ann)
        try await stage.phone.answerCall()
        try await stage.phone.setCallMuted(true)
        #expect(stage.phone.calls.first?.isMuted == true)
        try await stage.phone.setCallMuted(false)
        try await stage.phone.playDTMF("4#")
        try await stage.phone.setCallHeld(true)
        #expect(stage.phone.calls.map(\.state) == [.held])
        try await stage.phone.setCallHeld(false)
        #expect(
            stage.log == [
                "answer", "audio on", "mute", "unmute", "digits 4", "digits #", "hold", "audio off", "resume",
                "audio on",
            ]
        )
    }

    @Test("A second call is answered with the first one on hold, or ended")
    func second() async throws {
        let stage = await CallStage()
        await stage.ring(CallStage.ann)
        try await stage.phone.answerCall()
        await stage.ring(CallStage.bob, from: "Bob")
        try await stage.phone.answerCall()
        #expect(stage.phone.calls.map(\.state) == [.held, .active])
        #expect(stage.log.filter { ["hold", "answer"].contains($0) } == ["answer", "hold", "answer"])
        try await stage.phone.mergeCalls()
        #expect(Set(stage.phone.calls.map(\.group)).count == 1 && stage.phone.calls[0].group != nil)
        try await stage.phone.endCall()
        try await stage.phone.endCall()
        await stage.ring(CallStage.ann)
        try await stage.phone.answerCall()
        await stage.ring(CallStage.bob, from: "Bob")
        try await stage.phone.answerCall(endingOthers: true)
        #expect(stage.phone.calls.map(\.name) == ["Bob"])
    }

    @Test("A call that does not support holding must be ended to answer another")
    func notHeld() async throws {
        let stage = await CallStage { $0.update = { $0.supportsHolding = false } }
        await stage.ring(CallStage.ann)
        try await stage.phone.answerCall()
        await stage.ring(CallStage.bob, from: "Bob")
        await #expect(throws: CallProblem.self) { try await stage.phone.answerCall() }
        try await stage.phone.answerCall(endingOthers: true)
        #expect(stage.phone.calls.map(\.name) == ["Bob"])
    }

    @Test("An action that the app does not complete before its timeoutDate times out, and the call ends")
    func timeout() async throws {
        let stage = await CallStage { $0.fulfills = nil }
        await stage.ring(CallStage.ann)
        try await stage.phone.answerCall()
        let action = try #require(stage.delegate?.actions.first)
        #expect(action.timeoutDate == stage.phone.clock.date.addingTimeInterval(10))
        #expect(stage.delegate?.provider.pendingTransactions.count == 1)
        await stage.phone.advance(by: .seconds(11))
        #expect(stage.log == ["answer", "timed out CXAnswerCallAction"])
        #expect(action.isComplete && stage.phone.calls.isEmpty)
        // Too late: nothing happens.
        action.fulfill()
        await stage.phone.device.settled()
        #expect(stage.phone.calls.isEmpty)
    }

    @Test("A call whose answer fails ends")
    func failed() async throws {
        let stage = await CallStage { $0.fulfills = false }
        await stage.ring(CallStage.ann)
        try await stage.phone.answerCall()
        #expect(stage.phone.calls.isEmpty)
    }

    @Test("The calls of a process end with it")
    func processEnds() async throws {
        let stage = await CallStage()
        await stage.ring(CallStage.ann)
        try await stage.phone.answerCall()
        await stage.phone.forceQuit(stage.app)
        #expect(stage.phone.calls.isEmpty)
    }

    @Test("Touches without a call say what is on the screen")
    func nothingThere() async throws {
        let stage = await CallStage()
        let error = await #expect(throws: CallProblem.self) { try await stage.phone.answerCall() }
        #expect(error?.description == "No call can be answered: no call is on the screen.")
        await stage.ring(CallStage.ann)
        let other = await #expect(throws: CallProblem.self) { try await stage.phone.endCall() }
        #expect(other?.description.contains("“Ann” of Caller (ringing") == true)
        await #expect(throws: CallProblem.self) { try await stage.phone.answerCall(UUID()) }
    }

    // MARK: Outgoing calls

    @Test("An outgoing call dials when it is requested, and is connected when the app says so")
    func outgoing() async throws {
        let stage = await CallStage()
        let uuid = UUID()
        let start = CXStartCallAction(call: uuid, handle: CXHandle(type: .phoneNumber, value: "555"))
        #expect(await stage.request([start]) == nil)
        #expect(stage.phone.calls.map(\.state) == [.dialing] && stage.phone.calls[0].isOutgoing)
        let provider = try #require(stage.delegate?.provider)
        provider.reportOutgoingCall(with: uuid, startedConnectingAt: nil)
        provider.reportOutgoingCall(with: uuid, connectedAt: nil)
        await stage.phone.device.settled()
        #expect(stage.phone.calls.map(\.state) == [.active])
        #expect(stage.log == ["start 555", "audio on"])
        #expect(await stage.request([CXEndCallAction(call: uuid)]) == nil)
        #expect(stage.phone.calls.isEmpty)
    }

    @Test("A connected call can be translated by the app's action")
    func translated() async throws {
        let stage = await CallStage(SystemProfile(version: "26.0"))
        await stage.ring(CallStage.ann)
        let id = try #require(stage.phone.ringingCall?.id)
        let action = CXSetTranslatingCallAction(
            call: id,
            isTranslating: true,
            localLanguage: "zh",
            remoteLanguage: "en"
        )
        #expect(await stage.request([action]) == .invalidAction)
        try await stage.phone.answerCall()
        #expect(await stage.request([action]) == nil)
        #expect(stage.log.last == "translate true zh en")
        #expect(stage.delegate?.provider.pendingTransactions.isEmpty == true)
    }

    @Test("The errors of a request")
    func refused() async throws {
        let stage = await CallStage { $0.maximumCallGroups = 1 }
        let uuid = UUID()
        let handle = CXHandle(type: .generic, value: "x")
        #expect(await stage.request([]) == .emptyTransaction)
        #expect(await stage.request([CXEndCallAction(call: uuid)]) == .unknownCallUUID)
        #expect(await stage.request([CXStartCallAction(call: uuid, handle: handle)]) == nil)
        #expect(await stage.request([CXStartCallAction(call: uuid, handle: handle)]) == .callUUIDAlreadyExists)
        #expect(await stage.request([CXStartCallAction(call: UUID(), handle: handle)]) == .maximumCallGroupsReached)
        #expect(await stage.request([CXAnswerCallAction(call: uuid)]) == .invalidAction)
    }

    @Test("Invalidating a provider ends its calls and resets it")
    func invalidate() async throws {
        let stage = await CallStage()
        await stage.ring(CallStage.ann)
        stage.delegate?.provider.invalidate()
        await stage.phone.device.settled()
        #expect(stage.phone.calls.isEmpty)
        #expect(stage.log == ["reset"])
    }

    @Test("An invalid provider reports nothing, and no provider changes the calls of another")
    func invalid() async throws {
        let stage = await CallStage()
        await stage.ring(CallStage.ann)
        let uuid = try #require(UUID(uuidString: CallStage.ann))
        let other = stage.phone.device.inside(stage.app.bundleID) {
            CXProvider(configuration: CXProviderConfiguration())
        }
        let foreign = try #require(other)
        foreign.reportCall(with: uuid, endedAt: nil, reason: .remoteEnded)
        foreign.reportOutgoingCall(with: uuid, connectedAt: nil)
        await stage.phone.device.settled()
        #expect(stage.phone.calls.map(\.state) == [.ringing])
        let provider = try #require(stage.delegate?.provider)
        provider.invalidate()
        // It stays invalid.
        provider.configuration = CXProviderConfiguration()
        await stage.phone.open(stage.app)
        await stage.ring(CallStage.bob)
        #expect((stage.delegate?.errors.first as? CXErrorCodeIncomingCallError)?.code == .unknown)
        await stage.phone.background(stage.app)
        let push = await stage.ring(CallStage.bob)
        #expect(stage.phone.calls.isEmpty && stage.sentence(push).contains("never posted an incoming call"))
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .notRunning)
    }

    @Test("A call of another app interrupts an app that uses audio, and ends with the notification")
    func interruption() async throws {
        let stage = await CallStage()
        stage.phone.install(.otherCaller) { CallApp(.init(types: nil)) }
        await stage.phone.open(.otherCaller)
        let heard = Heard()
        let tokens = stage.phone.device.inside(InstalledApp.otherCaller.bundleID) { () -> [any NSObjectProtocol] in
            let session = AVAudioSession.sharedInstance()
            #expect(throws: Never.self) { try session.setActive(true) }
            return [AVAudioSession.interruptionNotification, AVAudioSession.routeChangeNotification].map { name in
                NotificationCenter.default.addObserver(forName: name, object: session, queue: nil) { note in
                    let keys = [AVAudioSessionInterruptionTypeKey, AVAudioSessionRouteChangeReasonKey]
                    let values = keys.map { (note.userInfo?[$0] as? NSNumber)?.uintValue }
                    MainActor.assumeIsolated { heard.notes.append(values) }
                }
            }
        }
        await stage.phone.device.settled()
        await stage.ring(CallStage.ann)
        try await stage.phone.answerCall()
        #expect(heard.notes == [[AVAudioSession.InterruptionType.began.rawValue, nil]])
        try await stage.phone.endCall()
        #expect(heard.notes.last == [AVAudioSession.InterruptionType.ended.rawValue, nil])
        await stage.phone.device.inside(InstalledApp.otherCaller.bundleID) {
            let session = AVAudioSession.sharedInstance()
            #expect(session.recordPermission == .undetermined)
            session.requestRecordPermission { #expect($0) }
            #expect(session.recordPermission == .granted)
            #expect(session.currentRoute.outputs.map(\.portType) == [.builtInReceiver])
            for _ in 0..<2 { #expect(throws: Never.self) { try session.overrideOutputAudioPort(.speaker) } }
            #expect(session.currentRoute.outputs.map(\.portName) == ["Speaker"])
        }
        #expect(heard.notes.count == 3)
        #expect(heard.notes.last == [nil, AVAudioSession.RouteChangeReason.override.rawValue])
        for token in tokens ?? [] { NotificationCenter.default.removeObserver(token) }
    }

    @Test("The codes of CallKit have Apple's names and values")
    func codes() {
        #expect(CXError.unknownError.rawValue == 0)
        #expect(CXErrorCodeIncomingCallError.filteredBySensitiveParticipants.rawValue == 7)
        let configuration = CXProviderConfiguration()
        configuration.supportsAudioTranslation = true
        #expect((configuration.copy() as? CXProviderConfiguration)?.supportsAudioTranslation == true)
    }

    @Test("Pushes, credentials and calls can be made and overridden in an app's tests")
    func doubles() {
        final class Push: PKPushPayload {
            override var dictionaryPayload: [AnyHashable: Any] { ["k": "v"] }
        }
        final class Credentials: PKPushCredentials {
            override var token: Data { Data([1]) }
        }
        final class Metadata: PKVoIPPushMetadata {
            override var mustReport: Bool { true }
        }
        final class Call: CXCall {
            override var hasEnded: Bool { true }
        }
        final class Answer: CXAnswerCallAction {
            override var callUUID: UUID { uuid }
            override var timeoutDate: Date { .distantPast }
        }
        // Compiles; made on a device alone.
        final class Controller: CXCallController {
            override var callObserver: CXCallObserver { CXCallObserver() }
        }
        #expect(Push().dictionaryPayload["k"] as? String == "v" && PKPushPayload().dictionaryPayload.isEmpty)
        #expect(Credentials().token == Data([1]) && PKPushCredentials().token.isEmpty)
        #expect(Metadata().mustReport && !PKVoIPPushMetadata().mustReport)
        #expect(Call().hasEnded && !CXCall().hasEnded && CXCall() != CXCall())
        let answer = Answer(call: UUID())
        #expect(answer.callUUID == answer.uuid && answer.timeoutDate == .distantPast)
    }

    // MARK: Seen

    @Test("State and run file show the calls, and a state from before there were calls can be read")
    func state() async throws {
        let stage = await CallStage()
        await stage.ring(CallStage.ann)
        let state = stage.phone.device.phoneState
        let call = try #require(state.calls.first)
        #expect(call.id.uuidString == CallStage.ann && call.state == .ringing && call.name == "Ann")
        #expect(call.bundleID == stage.app.bundleID)
        let snapshot = stage.phone.snapshot()
        #expect(try PhoneSnapshot(parsing: snapshot.description) == snapshot)
        #expect(stage.phone.runFile.entries.contains { $0.event == "callRinging" && $0.detail == "Ann" })
        let old = try #require(try JSONValue(parsing: state.json).object)
        let members = old.members.filter { $0.key != "calls" }.map { ($0.key, $0.value) }
        let text = JSONValue.object(JSONObject(members)).text
        #expect(try PhoneSnapshot(parsing: text).state.calls == [])
        // One from before there was LiveCommunicationKit.
        let earlier = try state.json.replacing("\"framework\":\"CallKit\",", with: "")
        #expect(try PhoneSnapshot(parsing: earlier).state.calls.map(\.framework) == [nil])
    }
}

/// The audio notifications that an app received: the raw values of the interruption's type and of the route's reason.
@MainActor
private final class Heard { var notes: [[UInt?]] = [] }
