package import Foundation
import PushDevice

/// An order to a running device: an action of the user on a call. Without an id, the newest call that can be touched in this way is
/// meant.
package enum CallOrder: Hashable, Sendable, Codable {
    /// Answers the call; another one is put on hold, or ended.
    case answer(id: UUID?, endsOthers: Bool)
    case decline(id: UUID?)
    case hangUp(id: UUID?)
    case mute(Bool, id: UUID?)
    case hold(Bool, id: UUID?)
    case keypad(digits: String, id: UUID?)
    case merge

    func perform(on device: PushDevice.Device) throws {
        do throws(CallProblem) {
            switch self {
            case .answer(let id, let endsOthers): try device.answerCall(id, endingOthers: endsOthers)
            case .decline(let id): try device.declineCall(id)
            case .hangUp(let id): try device.endCall(id)
            case .mute(let isMuted, let id): try device.setCallMuted(isMuted, id)
            case .hold(let isHeld, let id): try device.setCallHeld(isHeld, id)
            case .keypad(let digits, let id): try device.playDTMF(digits, id)
            case .merge: try device.mergeCalls()
            }
        } catch {
            throw DeviceOrderProblem(error.description)
        }
    }
}
