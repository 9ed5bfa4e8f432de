import CallKit
import PosthornTesting
import PushDevice
import PushKit
import PushModel
import UIKit

extension InstalledApp {
    static let caller = InstalledApp(
        bundleID: "com.example.caller",
        name: "Caller",
        backgroundModes: ["remote-notification", "voip"]
    )
    static let otherCaller = InstalledApp(bundleID: "com.example.other", name: "Other", backgroundModes: ["voip"])
}

/// A VoIP app. A push with `uuid` is a call of `caller`; one without reports no call.
@MainActor
class CallApp: UIResponder, UIApplicationDelegate, @preconcurrency PKPushRegistryDelegate,
    @preconcurrency CXProviderDelegate
{
    /// Set before an app is installed.
    struct Behaviour {
        var types: Set<PKPushType>? = [.voIP]
        var update: (CXCallUpdate) -> Void = { _ in }
        /// Whether actions are fulfilled; nil leaves them open.
        var fulfills: Bool? = true
        var completes = true
        /// Whether calls are reported in a task, after the method has returned.
        var reportsInTask = false
        var maximumCallGroups = 2
    }

    let behaviour: Behaviour
    let registry = PKPushRegistry(queue: .main)
    let provider: CXProvider
    let controller = CXCallController()
    var log: [String] = []
    var tokens: [Data] = []
    var payloads: [PKPushPayload] = []
    var errors: [any Error] = []
    var actions: [CXAction] = []

    init(_ behaviour: Behaviour = Behaviour()) {
        self.behaviour = behaviour
        let configuration = CXProviderConfiguration()
        configuration.maximumCallGroups = behaviour.maximumCallGroups
        configuration.ringtoneSound = "ring.caf"
        provider = CXProvider(configuration: configuration)
        super.init()
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        provider.setDelegate(self, queue: nil)
        registry.delegate = self
        if let types = behaviour.types { registry.desiredPushTypes = types }
        return true
    }

    // MARK: PKPushRegistryDelegate

    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {
        log.append("credentials \(type.rawValue)")
        tokens.append(pushCredentials.token)
    }

    func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {
        log.append("invalidated \(type.rawValue)")
    }

    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        payloads.append(payload)
        if let text = payload.dictionaryPayload["uuid"] as? String, let uuid = UUID(uuidString: text) {
            let update = CXCallUpdate()
            let caller = payload.dictionaryPayload["caller"] as? String ?? "unknown"
            update.remoteHandle = CXHandle(type: .generic, value: caller)
            behaviour.update(update)
            if behaviour.reportsInTask {
                Task { report(uuid, update) }
            } else {
                report(uuid, update)
            }
        }
        if behaviour.completes { completion() }
    }

    private func report(_ uuid: UUID, _ update: CXCallUpdate) {
        provider.reportNewIncomingCall(with: uuid, update: update) { error in
            MainActor.assumeIsolated { if let error { self.errors.append(error) } }
        }
    }

    // MARK: CXProviderDelegate

    func providerDidBegin(_ provider: CXProvider) { log.append("begin") }
    func providerDidReset(_ provider: CXProvider) { log.append("reset") }

    private func perform(_ action: CXCallAction, _ words: String) {
        log.append(words)
        actions.append(action)
        switch behaviour.fulfills {
        case true?: action.fulfill()
        case false?: action.fail()
        case nil: break
        }
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        perform(action, "start \(action.handle.value)")
    }
    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { perform(action, "answer") }
    func provider(_ provider: CXProvider, perform action: CXEndCallAction) { perform(action, "end") }
    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        perform(action, action.isOnHold ? "hold" : "resume")
    }
    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        perform(action, action.isMuted ? "mute" : "unmute")
    }
    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) { perform(action, "group") }
    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        perform(action, "digits \(action.digits)")
    }
    func provider(_ provider: CXProvider, perform action: CXSetTranslatingCallAction) {
        log.append("translate \(action.isTranslating) \(action.localLanguage) \(action.remoteLanguage)")
        action.fulfill(using: .custom)
    }
    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        log.append("timed out \(type(of: action))")
    }
    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) { log.append("audio on") }
    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) { log.append("audio off") }
}

/// A phone with a VoIP app.
@MainActor
struct CallStage {
    let phone: TestPhone
    let app: InstalledApp

    nonisolated static let ann = "11111111-1111-4111-8111-111111111111"
    nonisolated static let bob = "22222222-2222-4222-8222-222222222222"

    init(
        _ profile: SystemProfile = .iOS(17),
        app: InstalledApp = .caller,
        _ change: (inout CallApp.Behaviour) -> Void = { _ in }
    ) async {
        var behaviour = CallApp.Behaviour()
        change(&behaviour)
        phone = TestPhone(profile)
        self.app = app
        let made = Handover(behaviour)
        phone.install(app) { CallApp(made.value) }
        await phone.open(app)
        await phone.background(app)
    }

    /// `@unchecked Sendable`: the values are set before the app starts, and used on the main actor alone.
    private struct Handover: @unchecked Sendable {
        let value: CallApp.Behaviour
        init(_ value: CallApp.Behaviour) { self.value = value }
    }

    /// The app's delegate, while it runs.
    var delegate: CallApp? { phone.device.delegate(of: app.bundleID, as: CallApp.self) }

    /// The log of the app's delegate, without its beginning.
    var log: [String] { delegate?.log.filter { $0 != "begin" && !$0.hasPrefix("credentials") } ?? [] }

    @discardableResult
    func ring(_ uuid: String, from caller: String = "Ann") async -> String {
        await phone.push(voIP: ["uuid": .string(uuid), "caller": .string(caller)], to: app)
    }

    func kinds(_ push: String) -> [JourneyEvent.Kind] { phone.journeys.kinds(of: push) }

    func sentence(_ push: String) -> String { Verdict(phone.journeys.events(of: push)).sentence }

    /// Requests a transaction as the app does.
    func request(_ actions: [CXAction]) async -> CXErrorCodeRequestTransactionError.Code? {
        let error = await phone.device.inside(app.bundleID) { () async -> (any Error)? in
            guard let delegate = UIApplication.shared.delegate as? CallApp else { return nil }
            do { try await delegate.controller.requestTransaction(with: actions) } catch { return error }
            return nil
        }
        await phone.device.settled()
        return ((error ?? nil) as? CXErrorCodeRequestTransactionError)?.code
    }
}
