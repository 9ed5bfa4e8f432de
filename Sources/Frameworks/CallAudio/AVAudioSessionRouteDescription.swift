public import Foundation

/// The ports that audio comes from and goes to.
open class AVAudioSessionRouteDescription: NSObject {
    /// The built-in microphone.
    open var inputs: [AVAudioSessionPortDescription] { [AVAudioSessionPortDescription(.builtInMic)] }
    /// The earpiece or the loudspeaker.
    open var outputs: [AVAudioSessionPortDescription] { [AVAudioSessionPortDescription(output)] }

    private let output: AVAudioSession.Port

    init(output: AVAudioSession.Port) { self.output = output }
}

/// A microphone or a speaker.
open class AVAudioSessionPortDescription: NSObject {
    /// The kind of the port.
    open var portType: AVAudioSession.Port { port }
    /// The name of the port, here that of its kind.
    open var portName: String { port.rawValue }

    private let port: AVAudioSession.Port

    init(_ port: AVAudioSession.Port) { self.port = port }
}
