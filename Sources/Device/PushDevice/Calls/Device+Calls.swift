public import Foundation

// What the user does with calls. Without an id, the newest call that can be touched in this way is meant.

extension Device {
    /// Answers a ringing call, the newest without an id. The call that people talk on is put on hold, or ended with `endingOthers`.
    ///
    /// - Throws: the reason if no such call rings, or the other call cannot be put on hold.
    public func answerCall(_ id: UUID? = nil, endingOthers: Bool = false) throws(CallProblem) {
        try attempt { state throws(CallProblem) in try state.answerCall(id, endingOthers: endingOthers) }
    }

    /// Declines a ringing call.
    ///
    /// - Throws: the reason if no such call rings.
    public func declineCall(_ id: UUID? = nil) throws(CallProblem) {
        try attempt { state throws(CallProblem) in try state.declineCall(id) }
    }

    /// Ends a call that is not ringing.
    ///
    /// - Throws: the reason if there is no such call.
    public func endCall(_ id: UUID? = nil) throws(CallProblem) {
        try attempt { state throws(CallProblem) in try state.endCall(id) }
    }

    /// Turns the microphone of a call off (true) or on; of the newest call without an id.
    ///
    /// - Throws: the reason if there is no such call.
    public func setCallMuted(_ isMuted: Bool, _ id: UUID? = nil) throws(CallProblem) {
        try attempt { state throws(CallProblem) in try state.muteCall(id, isMuted) }
    }

    /// Puts a call on hold (true), or resumes it, the newest without an id; the call that people talk on is then put on hold.
    ///
    /// - Throws: the reason if there is no such call, or it cannot be held.
    public func setCallHeld(_ isHeld: Bool, _ id: UUID? = nil) throws(CallProblem) {
        try attempt { state throws(CallProblem) in try state.holdCall(id, isHeld) }
    }

    /// Presses keys of the keypad during a call, the newest without an id: `0` to `9`, `*` and `#`.
    ///
    /// - Throws: the reason if there is no such call, or it has no keypad.
    public func playDTMF(_ digits: String, _ id: UUID? = nil) throws(CallProblem) {
        try attempt { state throws(CallProblem) in try state.playDTMF(digits, id) }
    }

    /// Merges the held call into the one that people talk on.
    ///
    /// - Throws: the reason if there are no two such calls of one app.
    public func mergeCalls() throws(CallProblem) { try attempt { state throws(CallProblem) in try state.mergeCalls() } }
}
