import CallKit
import LiveCommunicationKit
import PushKit
import UIKit

/// An app whose registry has the methods of a row, and that reports calls as the row says.
@MainActor
final class CallMatrixApp: UIResponder, UIApplicationDelegate {
    private let registry = PKPushRegistry(queue: .main)
    let receiver: CallMatrixReceiver

    init(_ row: CallMatrixCase) {
        receiver =
            switch row.method {
            case .old: OldReceiver(row)
            case .new: NewReceiver(row)
            case .newAsync: AsyncReceiver(row)
            }
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        registry.delegate = receiver as? any PKPushRegistryDelegate
        registry.desiredPushTypes = [.voIP]
        return true
    }
}

/// Reports the call of a push.
@MainActor
class CallMatrixReceiver: NSObject {
    /// The identifier of each call.
    static let call = UUID(uuid: (0, 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 0, 1))

    private let row: CallMatrixCase
    private let provider = CXProvider(configuration: CXProviderConfiguration())
    private lazy var manager = ConversationManager(
        configuration: .init(
            ringtoneName: nil,
            iconTemplateImageData: nil,
            maximumConversationGroups: 1,
            maximumConversationsPerConversationGroup: 1,
            includesConversationInRecents: false,
            supportsVideo: false,
            supportedHandleTypes: []
        )
    )

    init(_ row: CallMatrixCase) { self.row = row }

    /// Reports another call, so that the app is on one.
    func beginCall() { provider.reportNewIncomingCall(with: UUID(), update: CXCallUpdate()) { _ in } }

    /// Handles a push in a method without `async`.
    func receive() {
        switch row.report {
        case .method: reportToCallKit()
        case .task: Task { await report() }
        case .none, .late: break
        }
    }

    /// Handles a push in an async method.
    func receive() async {
        switch row.report {
        case .method: await report()
        case .task: await Task { await report() }.value
        // Until the system ends the app.
        case .late: for await _ in AsyncStream<Never>.makeStream().stream {}
        case .none: break
        }
    }

    private func reportToCallKit() {
        provider.reportNewIncomingCall(with: Self.call, update: CXCallUpdate()) { _ in }
    }

    private func report() async {
        if row.framework != "CallKit" {
            try? await manager.reportNewIncomingConversation(uuid: Self.call, update: Conversation.Update())
        }
        if row.framework != "LiveCommunicationKit" { reportToCallKit() }
    }

    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType) {}
}

private final class OldReceiver: CallMatrixReceiver, @preconcurrency PKPushRegistryDelegate {
    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) {
        receive()
        completion()
    }
}

private final class NewReceiver: CallMatrixReceiver, @preconcurrency PKPushRegistryDelegate {
    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata,
        withCompletionHandler completion: @escaping @Sendable () -> Void
    ) {
        receive()
        completion()
    }
}

private final class AsyncReceiver: CallMatrixReceiver, @preconcurrency PKPushRegistryDelegate {
    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata
    ) async { await receive() }
}
