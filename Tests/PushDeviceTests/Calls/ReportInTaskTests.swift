import CallKit
import Foundation
import LiveCommunicationKit
import PosthornTesting
import PushDevice
import PushKit
import Testing
import UIKit

/// A receiver whose class belongs to no actor, as in most public code: its tasks run beside its methods.
@Suite("Reports of a receiver without an actor")
@MainActor
struct ReportInTaskTests {
    enum Framework: CaseIterable { case callKit, liveCommunicationKit }

    @Test("A report in a task is too late, whatever the threads do", arguments: Framework.allCases, [true, false])
    func tooLate(_ framework: Framework, _ hasOwnQueue: Bool) async {
        for _ in 0..<25 {
            #expect(await !rings(framework, waits: false, on: hasOwnQueue ? DispatchQueue(label: "calls") : nil))
        }
    }

    @Test("A method that waits on its own queue for the report is in time", arguments: Framework.allCases)
    func waits(_ framework: Framework) async {
        for _ in 0..<3 { #expect(await rings(framework, waits: true, on: DispatchQueue(label: "calls"))) }
    }

    /// Returns whether a phone rings for a push, whose app is ended else.
    private func rings(_ framework: Framework, waits: Bool, on queue: DispatchQueue?) async -> Bool {
        let app = InstalledApp(bundleID: "com.example.caller", name: "Caller", backgroundModes: ["voip"])
        let phone = TestPhone(.iOS(18))
        phone.install(app) { CallerApp(framework, waits: waits, on: queue) }
        await phone.open(app)
        await phone.background(app)
        await phone.push(voIP: [:], to: app)
        let rings = phone.ringingCall != nil
        #expect(phone.device.condition(of: app.bundleID) == (rings ? .background : .notRunning))
        return rings
    }
}

@MainActor
private final class CallerApp: UIResponder, UIApplicationDelegate {
    private let receiver: @MainActor () -> Receiver
    private var kept: Receiver?

    init(_ framework: ReportInTaskTests.Framework, waits: Bool, on queue: DispatchQueue?) {
        receiver = { Receiver(framework, waits: waits, on: queue) }
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        kept = receiver()
        return true
    }
}

/// `@unchecked Sendable`: nothing of it changes after its creation.
private final class Receiver: NSObject, PKPushRegistryDelegate, @unchecked Sendable {
    private let framework: ReportInTaskTests.Framework
    private let waits: Bool
    private let registry: PKPushRegistry
    private let provider: CXProvider
    private let manager: ConversationManager

    init(_ framework: ReportInTaskTests.Framework, waits: Bool, on queue: DispatchQueue?) {
        self.framework = framework
        self.waits = waits
        registry = PKPushRegistry(queue: queue)
        provider = CXProvider(configuration: CXProviderConfiguration())
        manager = ConversationManager(
            configuration: .init(
                ringtoneName: nil,
                iconTemplateImageData: nil,
                maximumConversationGroups: 1,
                maximumConversationsPerConversationGroup: 1,
                includesConversationInRecents: false,
                supportsVideo: false,
                supportedHandleTypes: [.generic]
            )
        )
        super.init()
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    func pushRegistry(
        _ registry: PKPushRegistry,
        didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {}

    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping () -> Void
    ) {
        let reported = DispatchSemaphore(value: 0)
        Task {
            await self.report()
            reported.signal()
        }
        if waits { #expect(reported.wait(timeout: .now() + 60) == .success) }
        completion()
    }

    /// Its result does not matter: a process that has ended gets an error.
    private func report() async {
        switch framework {
        case .callKit: try? await provider.reportNewIncomingCall(with: UUID(), update: CXCallUpdate())
        case .liveCommunicationKit:
            let update = Conversation.Update(members: [Handle(type: .generic, value: "Ann")])
            try? await manager.reportNewIncomingConversation(uuid: UUID(), update: update)
        }
    }
}
