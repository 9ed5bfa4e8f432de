import Foundation
import PushModel

/// The facts about a push that `posthorn doctor` judges.
struct MessageFacts {
    var message: MessageID
    /// Nil if the app has no such push.
    var counts: MessageCounts?
    /// The reason why there is none.
    var absence: String?
    /// The journey to the device that is examined too; nil if there is none.
    var journey: Journey?
    /// Whether a device is examined too.
    var hasDevice: Bool
    /// The push as it was accepted; nil if it is not stored, or cannot be read.
    var payload: PayloadFacts?

    func findings() -> [Finding] {
        guard let counts else {
            return [
                Finding(
                    of: "message",
                    .wrong,
                    absence ?? "The app has no push \(message).",
                    remedy:
                        "Compare the msg_id with the answer of POST /v3/push, and the app with the one whose key sent it."
                )
            ]
        }
        return [sent(counts)] + [payload?.finding].compactMap(\.self) + (hasDevice ? [delivery] : [])
    }

    private func sent(_ counts: MessageCounts) -> Finding {
        let custom = counts.custom.target + counts.inApp.target
        let messages =
            custom > 0 ? " \(counts.custom.received + counts.inApp.received) of \(custom) messages arrived." : ""
        let found = "APNs has accepted it for \(counts.sent) of \(counts.target) devices.\(messages)"
        guard counts.target > 0 || custom > 0 else {
            return Finding(
                of: "message",
                .wrong,
                "The push has no device with a token in its environment.",
                remedy: "Compare 'apns_production' with the builds of the devices: --device says more."
            )
        }
        guard counts.sent < counts.target else { return Finding(of: "message", .ok, found) }
        return Finding(
            of: "message",
            .warning,
            found,
            remedy:
                "The others wait, were refused, or were not sent: 'posthorn doctor --device' or 'posthorn why' says why."
        )
    }

    private var delivery: Finding {
        guard let journey else {
            return Finding(
                of: "journey",
                .wrong,
                "The push was not for this device.",
                remedy: "Compare its audience with the device's tags and alias: the check 'names' has them."
            )
        }
        let verdict = journey.verdict
        let state: Finding.State =
            switch verdict.state {
            case .delivered, .handled, .shown, .dismissed, .opened, .sent: .ok
            case .waiting, .paused, .stored, .unknown: .warning
            case .suppressed, .withdrawn, .refused, .coalesced, .expired, .crashed: .wrong
            }
        return Finding(
            of: "journey",
            state,
            "\(verdict.sentence.prefix(1).uppercased())\(verdict.sentence.dropFirst()).",
            remedy: state == .ok
                ? nil : "'posthorn why \(message) \(journey.registrationID)' tells the way step by step."
        )
    }
}
