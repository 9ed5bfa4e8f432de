public import Foundation
package import SystemPort

/// The app's audio session: keeps what the app sets, and plays and records nothing.
///
/// On Apple's systems it is a class of AVFAudio; Linux has no such framework, so that it comes with CallKit and LiveCommunicationKit,
/// whose delegates receive it. Put `import AVFoundation` into `#if canImport(AVFoundation)`.
///
/// `@unchecked Sendable`: all values are read and written under the lock.
open class AVAudioSession: NSObject, @unchecked Sendable {
    /// The use that an app makes of audio.
    public struct Category: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Plays along with others and obeys the mute switch; without effect, because the device plays no audio.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// Silences others and obeys the mute switch, the category at first; without effect here.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Plays despite the mute switch; without effect here.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        /// Records only; without effect here.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        /// Plays and records at once, as calls do; without effect here.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
    }

    /// A refinement of the category.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// No special mode.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// For conversations; without effect here.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// For video calls; without effect here.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
    }

    /// Options of a category.
    public struct CategoryOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Others keep playing.
        public static let mixWithOthers = CategoryOptions(rawValue: 1)
        /// Others play more quietly.
        public static let duckOthers = CategoryOptions(rawValue: 2)
        /// Headsets with a microphone, by the name before iOS 26.
        public static let allowBluetooth = CategoryOptions(rawValue: 4)
        /// Headsets with a microphone, as iOS 26 calls them.
        public static let allowBluetoothHFP = CategoryOptions(rawValue: 4)
        /// The loudspeaker instead of the earpiece.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
        /// Bluetooth speakers in stereo.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 32)
        /// AirPlay receivers.
        public static let allowAirPlay = CategoryOptions(rawValue: 64)
    }

    /// Options of ``setActive(_:options:)``.
    public struct SetActiveOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Apps that were interrupted learn that they may go on.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// An output that an app chooses for a call.
    public enum PortOverride: UInt, Sendable {
        /// The category decides on the speaker.
        case none = 0
        /// The loudspeaker, whatever the category says. The raw value is the four-character code `spkr`.
        case speaker = 1_936_747_378
    }

    /// Whether the app may record.
    public enum RecordPermission: UInt, Sendable {
        /// The user was not asked. The raw value is the four-character code `undt`.
        case undetermined = 1_970_168_948
        /// The user does not allow it, which never occurs here. The raw value is the four-character code `deny`.
        case denied = 1_684_369_017
        /// The user allows it. The raw value is the four-character code `grnt`.
        case granted = 1_735_552_628
    }

    private struct Values {
        var permission = RecordPermission.undetermined
        var output = PortOverride.none
        var category = Category.soloAmbient
        var mode = Mode.default
        var options: CategoryOptions = []
        var sampleRate = 0.0
        var bufferDuration = 0.0
    }

    private let lock = NSLock()
    private var values = Values()

    package static func of(_ port: any SystemPort) -> AVAudioSession { port.slots.slot { AVAudioSession(new: ()) } }

    private init(new: ()) { super.init() }

    /// Returns the session of the app.
    open class func sharedInstance() -> AVAudioSession { of(CurrentPort.find()) }

    /// The category that was set last.
    open var category: Category { lock.withLock { values.category } }
    /// The mode that was set last.
    open var mode: Mode { lock.withLock { values.mode } }
    /// The options that were set last.
    open var categoryOptions: CategoryOptions { lock.withLock { values.options } }
    /// The rate that the app prefers, in hertz; 0 until it sets one.
    open var preferredSampleRate: Double { lock.withLock { values.sampleRate } }
    /// The duration that the app prefers, in seconds; 0 until it sets one.
    open var preferredIOBufferDuration: TimeInterval { lock.withLock { values.bufferDuration } }

    /// Stores a category, with the default mode and no options; never throws here.
    open func setCategory(_ category: Category) throws { try setCategory(category, mode: .default) }

    /// Stores a category with options, and the default mode; never throws here.
    open func setCategory(_ category: Category, options: CategoryOptions = []) throws {
        try setCategory(category, mode: .default, options: options)
    }

    /// Stores a category with its mode and options; never throws here.
    open func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        lock.withLock {
            values.category = category
            values.mode = mode
            values.options = options
        }
    }

    /// Stores the mode; never throws here.
    open func setMode(_ mode: Mode) throws { lock.withLock { values.mode = mode } }

    /// Says whether the app uses audio. A call of another app interrupts one that does (``interruptionNotification``); otherwise it has no
    /// effect: a call's session is activated by the system (`provider(_:didActivate:)`), and there is no other audio.
    open func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
        let port = CurrentPort.find()
        _ = CallTargets.of(port)
        port.call(.useAudio(active))
    }

    /// Whether the user lets the app record.
    open var recordPermission: RecordPermission { lock.withLock { values.permission } }

    /// Asks the user, who always allows it here. The response comes at once.
    open func requestRecordPermission(_ response: @escaping (Bool) -> Void) {
        lock.withLock { values.permission = .granted }
        response(true)
    }

    /// The ports in use: the built-in microphone, and the loudspeaker if it was chosen, else the earpiece.
    open var currentRoute: AVAudioSessionRouteDescription {
        AVAudioSessionRouteDescription(
            output: lock.withLock { values.output == .speaker } ? .builtInSpeaker : .builtInReceiver
        )
    }

    /// Stores a rate in hertz; never throws here.
    open func setPreferredSampleRate(_ sampleRate: Double) throws { lock.withLock { values.sampleRate = sampleRate } }

    /// Stores a duration in seconds; never throws here.
    open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        lock.withLock { values.bufferDuration = duration }
    }

    /// Chooses the output, and posts ``routeChangeNotification`` if another one was in use.
    open func overrideOutputAudioPort(_ portOverride: PortOverride) throws {
        let isNew = lock.withLock {
            defer { values.output = portOverride }
            return values.output != portOverride
        }
        guard isNew else { return }
        let reason = RouteChangeReason.override.rawValue
        NotificationCenter.default.post(
            name: Self.routeChangeNotification,
            object: self,
            userInfo: [AVAudioSessionRouteChangeReasonKey: NSNumber(value: reason)]
        )
    }
}
