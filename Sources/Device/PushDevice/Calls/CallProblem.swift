public import Foundation

/// The reason why the user cannot do something with a call: it is not on the screen, or not in that state.
public enum CallProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// An action of the user on a call.
    public enum Touch: String, Hashable, Sendable {
        case answer = "answered"
        case decline = "declined"
        case end = "ended"
        case mute = "muted"
        case hold = "put on hold"
        case resume = "resumed"
        case keypad = "sent digits"
        case merge = "merged"
    }

    /// No call can be touched in this way; with the calls that are on the screen.
    case noCall(Touch, [ShownCall])
    /// No call has this id; with the calls that are on the screen.
    case noSuchCall(UUID, [ShownCall])
    /// The call cannot be touched in this way in its state.
    case wrongState(Touch, ShownCall)
    /// The app does not let the call be put on hold (`supportsHolding`): end it to answer another.
    case cannotBeHeld(ShownCall)
    /// The app does not let digits be sent (`supportsDTMF`).
    case noKeypad(ShownCall)
    /// The calls belong to different apps, or do not support grouping.
    case cannotBeMerged(ShownCall)

    /// The reason, with what is on the screen instead.
    public var description: String {
        switch self {
        case .noCall(let touch, let calls): "No call can be \(touch.rawValue): \(Self.list(calls))"
        case .noSuchCall(let id, let calls): "No call has the id \(id): \(Self.list(calls))"
        case .wrongState(let touch, let call):
            "The call “\(call.name)” cannot be \(touch.rawValue): it is \(call.state.rawValue)."
        case .cannotBeHeld(let call):
            "The call “\(call.name)” cannot be put on hold: its app says supportsHolding = false. End it instead."
        case .noKeypad(let call): "The call “\(call.name)” has no keypad: its app says supportsDTMF = false."
        case .cannotBeMerged(let call):
            "The call “\(call.name)” cannot be merged: the other call is another app's, or one does not support grouping."
        }
    }

    private static func list(_ calls: [ShownCall]) -> String {
        guard !calls.isEmpty else { return "no call is on the screen." }
        return "on the screen is "
            + calls.map { "“\($0.name)” of \($0.appName) (\($0.state.rawValue), \($0.id))" }.joined(separator: ", ")
            + "."
    }
}
