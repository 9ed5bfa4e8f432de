public import CallAudio
import SystemPort

/// Performs what the user and the app want of calls. All methods but the first are optional.
///
/// All are called on the provider's queue. On Linux a method that a subclass adds to the conforming class is not called: the class
/// that declares the conformance has to implement it.
@preconcurrency public protocol CXProviderDelegate: NSObjectProtocol {
    /// The provider's calls have all ended: it was invalidated.
    func providerDidReset(_ provider: CXProvider)

    /// The provider can be used.
    func providerDidBegin(_ provider: CXProvider)

    /// Performs a whole transaction.
    ///
    /// - Returns: false to have its actions performed one by one.
    func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool

    /// An outgoing call is to begin. Fulfil or fail the action.
    func provider(_ provider: CXProvider, perform action: CXStartCallAction)
    /// The user answered. Fulfil the action when the call is connected.
    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction)
    /// The user hung up or declined. Fulfil the action.
    func provider(_ provider: CXProvider, perform action: CXEndCallAction)
    /// The user held the call, or went on with it.
    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction)
    /// The user muted the microphone, or opened it.
    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction)
    /// The user joined two calls, or parted them.
    func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction)
    /// The user pressed keys during the call.
    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction)

    /// The user turned the translation of the call on or off.
    @available(iOS 26.0, *)
    func provider(_ provider: CXProvider, perform action: CXSetTranslatingCallAction)

    /// The app did not complete the action in time.
    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction)

    /// The user can talk: a call is answered, resumed, or connected.
    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession)

    /// The provider's last call that people talked on has ended, or is on hold.
    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession)
}

// Each default tells the probe that the app has no such method.
extension CXProviderDelegate {
    public func providerDidBegin(_ provider: CXProvider) { MethodProbe.miss() }
    public func provider(_ provider: CXProvider, execute transaction: CXTransaction) -> Bool {
        MethodProbe.missed(false)
    }
    public func provider(_ provider: CXProvider, perform action: CXStartCallAction) { MethodProbe.miss() }
    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) { MethodProbe.miss() }
    public func provider(_ provider: CXProvider, perform action: CXEndCallAction) { MethodProbe.miss() }
    public func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) { MethodProbe.miss() }
    public func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) { MethodProbe.miss() }
    public func provider(_ provider: CXProvider, perform action: CXSetGroupCallAction) { MethodProbe.miss() }
    public func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) { MethodProbe.miss() }
    public func provider(_ provider: CXProvider, perform action: CXSetTranslatingCallAction) { MethodProbe.miss() }
    public func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) { MethodProbe.miss() }
    public func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) { MethodProbe.miss() }
    public func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) { MethodProbe.miss() }
}
