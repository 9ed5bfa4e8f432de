import CallKit
import PushKit
import UIKit

/// An app in a process of its own that takes VoIP pushes: it reports a call for one with `uuid`, and none for another. Its registry
/// and its provider have queues of their own.
@main
final class CallsApp: UIResponder, UIApplicationDelegate {
    private let calls = Calls()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print("launched \(getpid()) in \(application.applicationState == .background ? "background" : "foreground")")
        calls.start()
        return true
    }
}

/// `@unchecked Sendable`: its values do not change.
private final class Calls: NSObject, PKPushRegistryDelegate, CXProviderDelegate, @unchecked Sendable {
    private let registry = PKPushRegistry(queue: DispatchQueue(label: "pushes"))
    private let provider = CXProvider(configuration: CXProviderConfiguration())

    func start() {
        provider.setDelegate(self, queue: DispatchQueue(label: "calls"))
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {
        print("token of \(pushCredentials.token.count) bytes")
    }

    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        guard let text = payload.dictionaryPayload["uuid"] as? String, let uuid = UUID(uuidString: text) else {
            print("no call")
            return completion()
        }
        let update = CXCallUpdate()
        update.localizedCallerName = "Ann"
        provider.reportNewIncomingCall(with: uuid, update: update) { error in
            print("reported \(error.map { "\(($0 as NSError).code)" } ?? "a call")")
            completion()
        }
    }

    func providerDidReset(_ provider: CXProvider) {}

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        print("answers")
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        print("ends")
        action.fulfill()
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) { print("talks") }
}
