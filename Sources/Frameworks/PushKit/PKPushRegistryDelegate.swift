import SystemPort

/// Receives credentials and pushes. All methods but `pushRegistry(_:didUpdate:for:)` are optional.
///
/// All are called on the registry's queue. On Linux a method that a subclass adds to the conforming class is not called: the class
/// that declares the conformance has to implement it.
@preconcurrency public protocol PKPushRegistryDelegate: NSObjectProtocol {
    /// The credentials of a type are new: after each launch in which the app desires the type, and when they change.
    func pushRegistry(_ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials, for type: PKPushType)

    /// A VoIP push arrived, since iOS 26.4: called instead of the methods for all types, which other pushes still call. If
    /// ``PKVoIPPushMetadata/mustReport`` is true, the app must report a call or a conversation before this method returns: otherwise
    /// the system ends it, and stops launching it after repeated failures.
    @available(iOS 26.4, *)
    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata,
        withCompletionHandler completion: @escaping @Sendable () -> Void
    )

    /// A VoIP push arrived: the `async` form of the method with metadata and a completion handler, for a delegate without that.
    @available(iOS 26.4, *)
    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata
    ) async

    /// A push arrived. For a VoIP push an app in the background must report a call or a conversation before this method returns: since
    /// iOS 13 the system ends an app that does not, and stops launching it after repeated failures.
    @available(iOS 11.0, *)
    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    )

    /// A push arrived: the form before iOS 11 without `async`, and since then the `async` form of the method with a completion
    /// handler, for a delegate without that.
    func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType
    ) async

    /// The token of a type is not valid any more: the type has left `desiredPushTypes`.
    func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType)
}

// Each default tells the probe that the app has no such method.
extension PKPushRegistryDelegate {
    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata,
        withCompletionHandler completion: @escaping @Sendable () -> Void
    ) { MethodProbe.miss() }

    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata
    ) async { MethodProbe.miss() }

    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType,
        completion: @escaping @Sendable () -> Void
    ) { MethodProbe.miss() }

    public func pushRegistry(
        _ registry: PKPushRegistry,
        didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType
    ) async { MethodProbe.miss() }

    public func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType) {
        MethodProbe.miss()
    }
}
