import CallAudio
public import Dispatch
public import Foundation
import PushModel
import SystemPort

/// Reports calls to the system, and performs through its delegate what the user wants of them.
///
/// The app's `UIBackgroundModes` must contain `voip`: otherwise reports fail with `CXErrorCodeIncomingCallError.unentitled`.
open class CXProvider: NSObject {
    let port: any SystemPort
    let number: Int
    private let slot: CallKitSlot

    /// Creates a provider, which stays known to the system until ``invalidate()``.
    public init(configuration: CXProviderConfiguration) {
        SystemSymbol.callProvider.require()
        let port = CurrentPort.find()
        self.port = port
        let slot = CallKitSlot.of(port)
        self.slot = slot
        number = CallTargets.of(port).add(to: .callKit)
        super.init()
        let copy = configuration.duplicate
        slot.with(number) { $0 = .init(provider: self, configuration: copy) }
        CallKitCalls.handleEvents(of: port)
        port.call(.provide(number, configuration.record))
    }

    /// The provider's configuration, a copy.
    open var configuration: CXProviderConfiguration {
        get { (slot.with(number) { $0?.configuration } ?? CXProviderConfiguration()).duplicate }
        set {
            let copy = newValue.duplicate
            slot.with(number) { $0?.configuration = copy }
            port.call(.provide(number, newValue.record))
        }
    }

    /// Sets the delegate, which is held weakly, performs the actions, and is called on the queue; on the main queue for nil.
    open func setDelegate(_ delegate: (any CXProviderDelegate)?, queue: DispatchQueue?) {
        slot.with(number) { kept in
            kept?.delegate = delegate
            kept?.queue = DelegateQueue(queue)
        }
        if let delegate { DelegateCheck.review(delegate, on: port) }
    }

    // MARK: Reports

    /// Reports an incoming call: the device rings.
    ///
    /// - Parameters:
    ///   - UUID: identifies the call.
    ///   - update: the values for the call screen.
    ///   - completion: called on the delegate's queue, with a ``CXErrorCodeIncomingCallError`` if the system does not show the call.
    @preconcurrency
    open func reportNewIncomingCall(
        with UUID: UUID,
        update: CXCallUpdate,
        completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        let queue = slot.with(number) { $0?.queue } ?? DelegateQueue(nil)
        let context = CurrentPort.Context()
        port.call(.reportIncoming(UUID, update.record, provider: number)) { reply in
            queue.complete(in: context) { completion(CallKitFailure.error(in: reply)) }
        }
    }

    /// Shows an incoming call, and returns when the device rings.
    ///
    /// - Throws: ``CXErrorCodeIncomingCallError`` with the reason why the call is not shown.
    nonisolated(nonsending) open func reportNewIncomingCall(with UUID: UUID, update: CXCallUpdate) async throws {
        let report = CallKitCall.reportIncoming(UUID, update.record, provider: number)
        try await CallKitFailure.perform(.callKit(report), on: port)
    }

    /// Changes values of a call.
    open func reportCall(with UUID: UUID, updated update: CXCallUpdate) {
        port.call(.update(UUID, update.record, provider: number))
    }

    /// Reports the end of a call that the user did not end. The date is that of the device.
    open func reportCall(with UUID: UUID, endedAt dateEnded: Date?, reason endedReason: CXCallEndedReason) {
        port.call(.ended(UUID, reason: endedReason.rawValue, provider: number))
    }

    /// Reports that an outgoing call is being connected. The date is that of the device.
    open func reportOutgoingCall(with UUID: UUID, startedConnectingAt dateStartedConnecting: Date?) {
        port.call(.startedConnecting(UUID, provider: number))
    }

    /// Reports that an outgoing call is connected. The date is that of the device.
    open func reportOutgoingCall(with UUID: UUID, connectedAt dateConnected: Date?) {
        port.call(.connected(UUID, provider: number))
    }

    /// Has the system deliver a payload to the app's `PKPushRegistry` as a VoIP push, from a notification service extension with
    /// the entitlement `com.apple.developer.usernotifications.filtering`.
    ///
    /// - Parameters:
    ///   - dictionaryPayload: the payload; values that JSON cannot hold are left out.
    ///   - completion: called with a ``CXErrorCodeNotificationServiceExtensionError`` if the system does not deliver it.
    @available(iOS 14.5, *)
    @preconcurrency
    open class func reportNewIncomingVoIPPushPayload(
        _ dictionaryPayload: [AnyHashable: Any],
        completion: (@Sendable ((any Error)?) -> Void)? = nil
    ) {
        let payload = JSONObject(plain: dictionaryPayload)
        CurrentPort.find().call(.pushKit(.deliver(payload))) { completion?(CallKitFailure.error(in: $0)) }
    }

    /// Passes a payload from a service extension to the app as a VoIP push.
    ///
    /// - Throws: ``CXErrorCodeNotificationServiceExtensionError`` if the caller may not.
    @available(iOS 14.5, *)
    nonisolated(nonsending) open class func reportNewIncomingVoIPPushPayload(
        _ dictionaryPayload: [AnyHashable: Any]
    ) async throws {
        let payload = JSONObject(plain: dictionaryPayload)
        try await CallKitFailure.perform(.pushKit(.deliver(payload)), on: CurrentPort.find())
    }

    // MARK: Actions

    /// Ends the provider's calls as failed, and its reports. The delegate's `providerDidReset(_:)` follows.
    open func invalidate() { port.call(.invalidate(number)) }

    /// The transactions with actions that are not complete.
    open var pendingTransactions: [CXTransaction] { slot.pending(of: self) }

    /// Returns the actions of a class on a call that are not complete.
    open func pendingCallActions(of callActionClass: AnyClass, withCall callUUID: UUID) -> [CXCallAction] {
        pendingTransactions.flatMap(\.actions).compactMap { $0 as? CXCallAction }.filter {
            !$0.isComplete && $0.callUUID == callUUID && type(of: $0) == callActionClass
        }
    }
}

/// The reason why a call ended that the user did not end.
public enum CXCallEndedReason: Int, Sendable {
    /// The call could not be connected, or broke off.
    case failed = 1
    /// The other party hung up.
    case remoteEnded = 2
    /// The other party did not answer, or the user did not, in time.
    case unanswered = 3
    /// The user answered on another device.
    case answeredElsewhere = 4
    /// The user declined on another device.
    case declinedElsewhere = 5
}
