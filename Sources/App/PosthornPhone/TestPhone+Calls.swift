public import Foundation
public import PushDevice
public import PushModel

// Calls. What is not on the screen cannot be touched: those methods throw a `CallProblem` that says what is there. Without an id, the
// newest call that can be touched in this way is meant.

extension TestPhone {
    /// The calls on the screen, the oldest first.
    public var calls: [ShownCall] { device.screen.calls }

    /// The call that rings; nil for none.
    public var ringingCall: ShownCall? { calls.last { $0.state == .ringing } }

    /// Sends a VoIP push to an app, for its `PKPushRegistry`.
    ///
    /// - Parameters:
    ///   - payload: the payload, such as `["uuid": "…", "caller": "Ann"]`.
    ///   - app: the app that receives the push; its background modes must contain `voip`.
    /// - Returns: the apns-id, which identifies the journey.
    @discardableResult
    public func push(voIP payload: JSONValue, to app: InstalledApp) async -> String {
        await push(payload, to: app, type: .voip)
    }

    /// Answers a ringing call. Returns when the app has handled its action.
    ///
    /// - Parameters:
    ///   - id: the call; nil for the newest that rings.
    ///   - endingOthers: whether the call that people talk on is ended; otherwise it is put on hold.
    /// - Throws: a ``PushDevice/CallProblem``.
    public func answerCall(_ id: UUID? = nil, endingOthers: Bool = false) async throws {
        try await perform { try $0.answerCall(id, endingOthers: endingOthers) }
    }

    /// Declines a ringing call.
    ///
    /// - Throws: a ``PushDevice/CallProblem``.
    public func declineCall(_ id: UUID? = nil) async throws { try await perform { try $0.declineCall(id) } }

    /// Ends a call that is not ringing.
    ///
    /// - Throws: a ``PushDevice/CallProblem``.
    public func endCall(_ id: UUID? = nil) async throws { try await perform { try $0.endCall(id) } }

    /// Turns the microphone of a call off or on.
    ///
    /// - Throws: a ``PushDevice/CallProblem``.
    public func setCallMuted(_ isMuted: Bool, _ id: UUID? = nil) async throws {
        try await perform { try $0.setCallMuted(isMuted, id) }
    }

    /// Puts a call on hold, or resumes it; the call that people talk on is then put on hold.
    ///
    /// - Throws: a ``PushDevice/CallProblem``.
    public func setCallHeld(_ isHeld: Bool, _ id: UUID? = nil) async throws {
        try await perform { try $0.setCallHeld(isHeld, id) }
    }

    /// Presses keys of the keypad during a call.
    ///
    /// - Throws: a ``PushDevice/CallProblem``.
    public func playDTMF(_ digits: String, _ id: UUID? = nil) async throws {
        try await perform { try $0.playDTMF(digits, id) }
    }

    /// Merges the held call into the one that people talk on.
    ///
    /// - Throws: a ``PushDevice/CallProblem``.
    public func mergeCalls() async throws { try await perform { try $0.mergeCalls() } }
}
