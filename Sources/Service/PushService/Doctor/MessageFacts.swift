import PushModel

/// The facts about a push that `posthorn doctor` judges.
struct MessageFacts {
    var message: MessageID
    /// Nil if the app has no such push.
    var counts: MessageCounts?
    /// The reason why there is none.
    var absence: Remark?
    /// The journey to the device that is examined too; nil if there is none.
    var journey: Journey?
    /// Whether a device is examined too.
    var hasDevice: Bool
    /// The push as it was accepted; nil if it is not stored, or cannot be read.
    var payload: PayloadFacts?

    func findings() -> [Finding] {
        guard let counts else {
            return [
                Finding(of: "message", .wrong, [absence ?? Remark(.messageUnknown, ["message": message])])
            ]
        }
        return [sent(counts)] + [payload?.finding].compactMap(\.self) + (hasDevice ? [delivery] : [])
    }

    private func sent(_ counts: MessageCounts) -> Finding {
        let custom = counts.custom.target + counts.inApp.target
        guard counts.target > 0 || custom > 0 else { return Finding(of: "message", .wrong, .messageForNobody) }
        var remarks = [Remark(.messageSent, ["sent": counts.sent, "target": counts.target])]
        if custom > 0 {
            let received = counts.custom.received + counts.inApp.received
            remarks.append(Remark(.customArrived, ["received": received, "target": custom]))
        }
        guard counts.sent < counts.target else { return Finding(of: "message", .ok, remarks) }
        return Finding(of: "message", .warning, remarks + [Remark(.messagePartly)])
    }

    private var delivery: Finding {
        guard let journey else { return Finding(of: "journey", .wrong, .journeyOfAnother) }
        let verdict = journey.verdict
        let state: Finding.State =
            switch verdict.state {
            case .delivered, .handled, .shown, .dismissed, .opened, .sent: .ok
            case .waiting, .paused, .stored, .unknown: .warning
            case .suppressed, .withdrawn, .refused, .coalesced, .expired, .crashed: .wrong
            }
        let decisive = journey.events.last { $0.kind.name == verdict.state.rawValue }
        let values: [String: any CustomStringConvertible] = [
            "sentence": "\(verdict.sentence.prefix(1).uppercased())\(verdict.sentence.dropFirst())",
            "state": verdict.state.rawValue, "reason": decisive?.kind.reason ?? "",
            "message": message, "id": journey.registrationID,
        ]
        return Finding(of: "journey", state, state == .ok ? .journeyRight : .journeyOther, with: values)
    }
}
