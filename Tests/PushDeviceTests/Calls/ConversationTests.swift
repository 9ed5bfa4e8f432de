import CallKit
import Foundation
import LiveCommunicationKit
import Observation
import PosthornTesting
import PushDevice
import PushModel
import Synchronization
import SystemPort
import TestSupport
import Testing
import UIKit

/// Sources: Apple, `ConversationManager`, `ConversationManagerDelegate`, `Conversation`; WWDC26, session 226.
@Suite("Conversations of LiveCommunicationKit")
@MainActor
struct ConversationTests {
    private nonisolated static let ann = CallStage.ann
    private nonisolated static let bob = CallStage.bob

    @Test("A conversation rings, is joined, paused, muted, and ended by the user")
    func answered() async throws {
        let stage = await ConversationStage()
        #expect(stage.delegate?.log == ["begin"])
        let push = await stage.ring(Self.ann)
        let call = try #require(stage.phone.ringingCall)
        #expect(call.framework == .liveCommunicationKit && call.name == "Ann" && call.hasVideo)
        #expect(stage.phone.journeys.kinds(of: push).contains(.presented(.conversation)))
        #expect(stage.sentence(push).contains("incoming conversation (LiveCommunicationKit)"))
        let conversation = try #require(stage.delegate?.manager.conversations.first)
        #expect(conversation.uuid.uuidString == Self.ann && conversation.state == .idle)
        #expect(conversation.localMember?.value == "+86 10" && conversation.debugDescription.contains("idle"))
        #expect(stage.takeLog() == ["idle"])
        stage.delegate?.reportsSteps = true
        try await stage.phone.answerCall()
        #expect(stage.takeLog() == ["join", "joining", "joined", "audio on"])
        #expect(stage.delegate?.actions.last?.state == .complete)
        try await stage.phone.setCallHeld(true)
        #expect(conversation.state == .paused)
        try await stage.phone.setCallHeld(false)
        try await stage.phone.setCallMuted(true)
        try await stage.phone.playDTMF("4")
        #expect(
            stage.takeLog() == [
                "pause", "paused", "audio off", "resume", "joined", "audio on", "mute", "joined", "tone 4",
            ]
        )
        try await stage.phone.endCall()
        #expect(stage.takeLog() == ["leaving", "end", "left", "audio off"])
        #expect(stage.delegate?.manager.conversations.isEmpty == true && stage.phone.calls.isEmpty)
        #expect(stage.sentence(push).hasSuffix("and the user answered"))
    }

    @Test("A conversation is declined, or ended by the other side")
    func declined() async throws {
        let stage = await ConversationStage()
        let push = await stage.ring(Self.ann)
        try await stage.phone.declineCall()
        #expect(stage.sentence(push).hasSuffix("and the user declined"))
        #expect(stage.takeLog() == ["idle", "leaving", "end", "left"])
        await stage.ring(Self.bob)
        let manager = try #require(stage.delegate?.manager)
        let conversation = try #require(manager.conversations.first)
        let name = Conversation.Update(members: [Handle(type: .generic, value: "Bob")])
        manager.reportConversationEvent(.conversationUpdated(name), for: conversation)
        await stage.phone.settle(within: usualLimit)
        #expect(stage.phone.ringingCall?.name == "Bob" && stage.phone.ringingCall?.hasVideo == true)
        manager.reportConversationEvent(.conversationEnded(.now, .remoteEnded), for: conversation)
        await stage.phone.settle(within: usualLimit)
        #expect(conversation.state == .left && stage.phone.calls.isEmpty)
        #expect(stage.phone.runFile.entries.contains { $0.detail == "Bob · the other side ended it" })
    }

    @Test("An outgoing conversation starts by the app's action, which the delegate gets back")
    func outgoing() async throws {
        let stage = await ConversationStage()
        let action = StartConversationAction(
            conversationUUID: UUID(),
            handles: [Handle(type: .phoneNumber, value: "1"), Handle(type: .generic, value: "2", displayName: "Bob")],
            isVideo: true
        )
        #expect(action.state == .idle && action.timeoutDate.timeIntervalSinceNow > 20)
        #expect(await stage.perform([action]) == nil)
        #expect(stage.delegate?.actions.first === action && action.state == .complete)
        let manager = try #require(stage.delegate?.manager)
        let conversation = try #require(manager.conversations.first)
        manager.reportConversationEvent(.conversationStartedConnecting(.now), for: conversation)
        await stage.phone.settle(within: usualLimit)
        #expect(conversation.state == .joining)
        manager.reportConversationEvent(.conversationConnected(.now), for: conversation)
        await stage.phone.settle(within: usualLimit)
        #expect(stage.phone.calls.first?.state == .active && stage.phone.calls.first?.name == "1, Bob")
        let translate = SetTranslatingAction(
            conversationID: conversation.uuid,
            isTranslating: true,
            localLanguage: Locale.Language(identifier: "zh"),
            remoteLanguage: Locale.Language(identifier: "en")
        )
        #expect(await stage.perform([translate]) == nil)
        #expect(await stage.perform([EndConversationAction(conversationUUID: conversation.uuid)]) == nil)
        #expect(stage.takeLog().filter { !$0.hasPrefix("audio") }.suffix(5).contains("translate en"))
        #expect(stage.phone.calls.isEmpty)
    }

    @Test("Two conversations are merged and separated")
    func merged() async throws {
        let stage = await ConversationStage()
        await stage.ring(Self.ann)
        try await stage.phone.answerCall()
        await stage.ring(Self.bob)
        try await stage.phone.answerCall()
        try await stage.phone.mergeCalls()
        #expect(Set(stage.phone.calls.map(\.group)).count == 1 && stage.phone.calls.allSatisfy { $0.state == .active })
        let first = try #require(UUID(uuidString: Self.ann))
        #expect(await stage.perform([UnmergeConversationAction(conversationUUID: first)]) == nil)
        #expect(stage.phone.calls.contains { $0.id == first && $0.group == nil })
        #expect(stage.takeLog().contains("merge"))
    }

    @Test("An action times out, and one that the app fails ends a conversation that it was to join")
    func timeout() async throws {
        let stage = await ConversationStage()
        stage.delegate?.fulfills = nil
        await stage.ring(Self.ann)
        try await stage.phone.answerCall()
        let manager = try #require(stage.delegate?.manager)
        let conversation = try #require(manager.conversations.first)
        #expect(manager.pendingActions.count == 1)
        #expect(manager.pendingConversationActions(of: JoinConversationAction.self, for: conversation).count == 1)
        #expect(manager.pendingConversationActions(of: EndConversationAction.self, for: conversation).isEmpty)
        #expect(stage.delegate?.actions.last?.state == .running)
        await stage.phone.advance(by: .seconds(11))
        #expect(stage.takeLog().suffix(2) == ["timed out", "left"] && manager.pendingActions.isEmpty)
        if case .failed = stage.delegate?.actions.last?.state {} else { Issue.record("The action has not failed.") }
        stage.delegate?.fulfills = false
        await stage.ring(Self.bob)
        try await stage.phone.answerCall()
        #expect(stage.phone.calls.isEmpty)
    }

    @Test("An action that the app asks for has 30 seconds")
    func ownTimeout() async throws {
        let stage = await ConversationStage()
        stage.delegate?.fulfills = nil
        let start = StartConversationAction(conversationUUID: UUID(), handles: [], isVideo: false)
        #expect(await stage.perform([start]) == nil)
        #expect(start.timeoutDate == stage.phone.clock.date.addingTimeInterval(30))
        await stage.phone.advance(by: .seconds(29))
        #expect(start.state == .running && stage.phone.calls.count == 1)
        await stage.phone.advance(by: .seconds(2))
        #expect(stage.takeLog().contains("timed out") && stage.phone.calls.isEmpty)
    }

    @Test("A manager's lists and the values of a conversation can be observed")
    func observed() async throws {
        let stage = await ConversationStage()
        stage.delegate?.fulfills = nil
        let manager = try #require(stage.delegate?.manager)
        let seen = Seen()
        withObservationTracking({ _ = manager.conversations }, onChange: { seen.add("conversations") })
        withObservationTracking({ _ = manager.pendingActions }, onChange: { seen.add("begun") })
        await stage.ring(Self.ann)
        #expect(seen.words == ["conversations"])
        let conversation = try #require(manager.conversations.first)
        withObservationTracking({ _ = conversation.state }, onChange: { seen.add("state") })
        try await stage.phone.answerCall()
        withObservationTracking({ _ = manager.pendingActions }, onChange: { seen.add("complete") })
        stage.delegate?.actions.last?.fulfill()
        await stage.phone.settle(within: usualLimit)
        #expect(conversation.state == .joined && manager.pendingActions.isEmpty)
        #expect(seen.words.sorted() == ["begun", "complete", "conversations", "state"])
    }

    /// The changes that observers were told, in their order.
    private final class Seen: Sendable {
        private let kept = Mutex<[String]>([])
        var words: [String] { kept.withLock { $0 } }
        func add(_ word: String) { kept.withLock { $0.append(word) } }
    }

    @Test("The system refuses a conversation with CallKit's errors")
    func refused() async throws {
        let stage = await ConversationStage()
        await stage.phone.perform { $0.setFocus(.doNotDisturb) }
        let push = await stage.ring(Self.ann)
        #expect(stage.sentence(push).contains("filteredByDoNotDisturb"))
        await stage.phone.perform { $0.setFocus(nil) }
        await stage.ring(Self.ann)
        await stage.ring(Self.ann)
        #expect(stage.delegate?.errors.map(\.code) == [3, 2])
        #expect(stage.delegate?.errors.first?.domain == CXErrorDomainIncomingCall)
        #expect(await stage.perform([]) == 3)
        #expect(await stage.perform([EndConversationAction(conversationUUID: UUID())]) == 4)
        // Without capabilities there are none.
        stage.delegate?.capabilities = nil
        try await stage.phone.answerCall()
        await stage.ring(Self.bob)
        let second = try #require(UUID(uuidString: Self.bob))
        #expect(await stage.perform([JoinConversationAction(conversationUUID: second)]) == nil)
        #expect(await stage.perform([PauseConversationAction(conversationUUID: second, isPaused: true)]) == 6)
    }

    @Test("A call that is reported to both frameworks is told apart", arguments: [true, false])
    func both(_ isSameCall: Bool) async throws {
        let stage = await ConversationStage()
        let push = await stage.ring(Self.ann, both: isSameCall ? Self.ann : Self.bob)
        #expect(stage.phone.calls.count == (isSameCall ? 1 : 2))
        #expect(stage.delegate?.errors.map(\.code) == (isSameCall ? [2] : []))
        #expect(stage.phone.journeys.kinds(of: push).contains(.suppressed(.reportedTwice)))
        #expect(stage.sentence(push).contains("to CallKit and to LiveCommunicationKit"))
        // CallKit's controller has no part in conversations.
        let error = await stage.phone.device.inside(stage.app.bundleID) { () async -> (any Error)? in
            guard let id = UUID(uuidString: Self.ann) else { return nil }
            do { try await CXCallController().requestTransaction(with: CXEndCallAction(call: id)) } catch {
                return error
            }
            return nil
        }
        #expect(((error ?? nil) as? CXErrorCodeRequestTransactionError)?.code == .unknownCallUUID)
    }

    @Test("A conversation that is not reported before the method returns ends the app")
    func unreported() async {
        let stage = await ConversationStage()
        let push = await stage.phone.push(voIP: [:], to: stage.app)
        await stage.phone.settle(within: usualLimit)
        #expect(stage.sentence(push).contains("never posted an incoming call"))
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .notRunning)
    }

    @Test("Without the background mode voip a report is unentitled")
    func unentitled() async throws {
        var app = InstalledApp.caller
        app.info["UIBackgroundModes"] = ["remote-notification"]
        let stage = await ConversationStage(app: app)
        let start = StartConversationAction(conversationUUID: UUID(), handles: [], isVideo: false)
        #expect(await stage.perform([start]) == 1)
        #expect(start.state == .idle)
    }

    @Test("invalidate() ends the conversations, and resets the delegate")
    func invalidate() async throws {
        let stage = await ConversationStage()
        await stage.ring(Self.ann)
        stage.delegate?.manager.invalidate()
        await stage.phone.settle(within: usualLimit)
        #expect(stage.phone.calls.isEmpty && stage.takeLog().last == "reset")
        #expect(stage.delegate?.manager.conversations.isEmpty == true)
    }

    @Test("An invalid manager reports nothing, and no manager changes the conversations of another")
    func invalid() async throws {
        let stage = await ConversationStage()
        await stage.ring(Self.ann)
        let manager = try #require(stage.delegate?.manager)
        let conversation = try #require(manager.conversations.first)
        let other = stage.phone.device.inside(stage.app.bundleID) {
            ConversationManager(configuration: manager.configuration)
        }
        try #require(other).reportConversationEvent(.conversationEnded(.now, .remoteEnded), for: conversation)
        await stage.phone.settle(within: usualLimit)
        #expect(stage.phone.ringingCall != nil && conversation.state == .idle)
        manager.invalidate()
        #expect(await stage.perform([EndConversationAction(conversationUUID: conversation.uuid)]) == 2)
        await stage.phone.open(stage.app)
        await stage.ring(Self.bob)
        #expect(stage.delegate?.errors.map(\.code) == [0])
        #expect(stage.delegate?.errors.first?.domain == CXErrorDomainIncomingCall)
        await stage.phone.background(stage.app)
        let push = await stage.ring(Self.bob)
        #expect(stage.phone.calls.isEmpty && stage.sentence(push).contains("never posted an incoming call"))
        #expect(stage.phone.device.condition(of: stage.app.bundleID) == .notRunning)
    }

    @Test("A service extension passes a payload on, and is refused without the entitlement", arguments: [true, false])
    func fromExtension(_ isEntitled: Bool) async throws {
        final class Decryption: UNNotificationServiceExtension {
            override func didReceive(
                _ request: UNNotificationRequest,
                withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
            ) {
                let deliver = ContentHandler(contentHandler)
                Task {
                    let content = UNMutableNotificationContent()
                    do {
                        try await ConversationManager.reportNewIncomingVoIPPushPayload(["uuid": CallStage.ann])
                    } catch { content.title = "\((error as NSError).code)" }
                    deliver(content)
                }
            }
        }
        let phone = TestPhone(SystemProfile(version: "26.4"))
        var app = InstalledApp.caller
        app.entitlements = isEntitled ? [.filtering] : []
        phone.install(app, serviceExtension: { Decryption() }) { ConversationApp() }
        await phone.open(app)
        await phone.device.inside(app.bundleID) {
            _ = try? await UNUserNotificationCenter.current().requestAuthorization(options: [.alert])
        }
        await phone.background(app)
        await phone.push(["aps": ["alert": "A call", "mutable-content": 1]], to: app)
        await phone.settle(within: usualLimit)
        #expect((phone.ringingCall != nil) == isEntitled, "\(phone.story)")
        #expect(phone.device.screen.list.map(\.title) == (isEntitled ? [] : ["2"]))
    }

    /// `@unchecked Sendable`: called once, by the task of the extension.
    private struct ContentHandler: @unchecked Sendable {
        let handler: (UNNotificationContent) -> Void
        init(_ handler: @escaping (UNNotificationContent) -> Void) { self.handler = handler }
        func callAsFunction(_ content: UNNotificationContent) { handler(content) }
    }

    @Test("Before iOS 17.4 there is no LiveCommunicationKit", arguments: ["17.3", "17.4", "26.0"])
    func versions(_ version: String) async {
        let phone = TestPhone(SystemProfile(version: version))
        phone.install(.caller) { RecordingApp() }
        await phone.open(.caller)
        let exists = await phone.device.inside(InstalledApp.caller.bundleID) { SystemSymbol.conversationManager.exists }
        #expect(exists == (version != "17.3"))
    }

    @Test("Handles, updates and events can be encoded; raw values and the default of the name are ours")
    func values() throws {
        let handle = Handle(type: .emailAddress, value: "a@example.com")
        #expect(handle.displayName == "a@example.com" && handle.type.rawValue == 2)
        let update = Conversation.Update(
            localMember: handle,
            members: [handle],
            activeRemoteMembers: [handle],
            capabilities: [.pausing, .video]
        )
        let events: [Conversation.Event] = [
            .conversationUpdated(update), .conversationEnded(.distantPast, .joinedElsewhere),
        ]
        let copy = try JSONDecoder().decode([Conversation.Event].self, from: try JSONEncoder().encode(events))
        #expect(copy == events)
        let states: [Conversation.State] = [.idle, .joining, .joined, .paused, .leaving, .left]
        #expect(states.map(\.rawValue) == Array(0...5))
        let configuration = ConversationManager.Configuration(
            ringtoneName: nil,
            iconTemplateImageData: nil,
            maximumConversationGroups: 1,
            maximumConversationsPerConversationGroup: 1,
            includesConversationInRecents: false,
            supportsVideo: false,
            supportedHandleTypes: [],
            supportsAudioTranslation: true
        )
        #expect(configuration.supportsAudioTranslation)
    }
}
