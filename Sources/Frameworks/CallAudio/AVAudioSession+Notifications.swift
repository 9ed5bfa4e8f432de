public import Foundation

/// The key of the kind of an interruption, an `NSNumber` with a raw value of `AVAudioSession.InterruptionType`.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// The key of the options at an interruption's end, an `NSNumber` with a raw value of `AVAudioSession.InterruptionOptions`.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// The key of the reason for another route, an `NSNumber` with a raw value of `AVAudioSession.RouteChangeReason`.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"

// Source: Apple, `AVAudioSession.interruptionNotification`, `AVAudioSession.routeChangeNotification`, "Handling audio interruptions".
extension AVAudioSession {
    /// Posted when a call of another app takes the audio of an app that uses it, and when that call ends.
    public class var interruptionNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionInterruptionNotification")
    }

    /// Posted when the app has chosen another output.
    public class var routeChangeNotification: NSNotification.Name {
        NSNotification.Name("AVAudioSessionRouteChangeNotification")
    }

    /// The two ends of an interruption. Raw values: Apple, `AVAudioSessionInterruptionType`.
    public enum InterruptionType: UInt, Sendable {
        /// The system has silenced the app.
        case began = 1
        /// The app may use audio again.
        case ended = 0
    }

    /// The advice at the end of an interruption.
    public struct InterruptionOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The app should go on, as always after a call.
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }

    /// The cause of another route; here the app's choice alone. Raw values: Apple, `AVAudioSessionRouteChangeReason`.
    public enum RouteChangeReason: UInt, Sendable {
        /// Not known; a headset was connected; a headset was removed; the category has changed.
        case unknown, newDeviceAvailable, oldDeviceUnavailable, categoryChange
        /// The app has chosen an output.
        case override
        /// The device woke up; nothing fits the category; the ports are the same, with other settings.
        case wakeFromSleep = 6
        case noSuitableRouteForCategory, routeConfigurationChange
    }

    /// The kind of a port.
    public struct Port: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The microphone of the device.
        public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
        /// The earpiece.
        public static let builtInReceiver = Port(rawValue: "Receiver")
        /// The loudspeaker.
        public static let builtInSpeaker = Port(rawValue: "Speaker")
        /// Headphones with a plug, which nobody connects here.
        public static let headphones = Port(rawValue: "Headphones")
        /// A headset for calls, which nobody connects here.
        public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
        /// A Bluetooth speaker, which nobody connects here.
        public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
    }

    /// Posts the begin or the end of an interruption.
    func interrupt(_ begins: Bool) {
        let type = begins ? InterruptionType.began : .ended
        var info = [AVAudioSessionInterruptionTypeKey: NSNumber(value: type.rawValue)]
        if !begins {
            info[AVAudioSessionInterruptionOptionKey] = NSNumber(value: InterruptionOptions.shouldResume.rawValue)
        }
        NotificationCenter.default.post(name: Self.interruptionNotification, object: self, userInfo: info)
    }
}
