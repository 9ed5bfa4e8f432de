public import Foundation
public import PushModel
public import SystemPort

/// A call that the user sees and can act on.
public struct ShownCall: Hashable, Sendable, Codable {
    /// The state of a call on the screen.
    public enum State: String, Hashable, Sendable, Codable {
        /// An incoming call that nobody has answered.
        case ringing
        /// An outgoing call that is not connected yet.
        case dialing
        /// The call that people talk on.
        case active
        /// A call on hold.
        case held
    }

    /// The form in which an incoming call rings.
    public enum Presentation: String, Hashable, Sendable, Codable { case fullScreen, banner }

    private enum CodingKeys: String, CodingKey {
        case id, appName, framework, name, hasVideo, isOutgoing, state, presentation, isMuted, connected, group
        case bundleID = "app"
    }

    /// The UUID that the app chose for the call, by which an order names it.
    public var id: UUID
    /// The bundle id of the app.
    public var bundleID: String
    /// The name of the app.
    public var appName: String
    /// The framework by which the app reported or started the call; nil in a state that an earlier version has written.
    public var framework: CallFramework?
    /// The name of the other side: its `localizedCallerName`, or the value of its handle; empty if the app gave neither.
    public var name: String
    /// The address of the other side; nil if the app gave none, and in a ``PhoneState``.
    public var handle: CallHandleRecord?
    /// Whether it is a video call.
    public var hasVideo: Bool
    /// Whether this device called.
    public var isOutgoing: Bool
    /// The state of the call.
    public var state: State
    /// How it began to ring; nil for a call that does not ring.
    public var presentation: Presentation?
    /// Whether the microphone is off.
    public var isMuted: Bool
    /// The time at which the call was connected; nil before.
    @OrNull public var connected: Date?
    /// The group that it was merged into; nil for a call of its own.
    @OrNull public var group: UUID?
}

/// A step in the life of a call.
public enum CallStep: String, Hashable, Sendable {
    /// An incoming call begins to ring.
    case ringing
    /// An outgoing call begins.
    case dialing
    /// The user accepts a ringing call.
    case answered
    /// The user declines a ringing call.
    case declined
    /// The user ends a call.
    case hungUp
    /// The two sides can talk.
    case connected
    case held
    case resumed
    case muted
    case unmuted
    /// Another value changed, such as the name of the other side.
    case changed
    case ended
}
