package import Foundation
import PushModel

// Pushes that wait although the device is there: in their mailbox, as those for a device that is away, with the same end by
// expiration and collapse id.

extension Mailbox {
    /// Whether pushes may be held back from a device that is there.
    var isRestrained: Bool { rules.silentBudget != nil || restraint.isAsleep }

    /// Whether the device is there and says that it sleeps.
    package var isAsleep: Bool { restraint.isAsleep }

    /// The device has woken up, or sleeps: what waited for that goes.
    package mutating func setAwake(_ isAwake: Bool, at now: Date) -> [Effect] {
        guard restraint.isAsleep == isAwake else { return [] }
        restraint.isAsleep = !isAwake
        if isAwake { restraint.groupEnds = nil }
        return expire(at: now) + forward(at: now)
    }

    /// Another push has woken the device: those of priority 5 go along.
    package mutating func wake(at now: Date) -> [Effect] { expire(at: now) + forward(at: now, wakes: true) }

    /// Does what is due: drops what is over, and hands over what was held back long enough.
    package mutating func catchUp(at now: Date) -> [Effect] {
        let over = expire(at: now)
        return isConnected && isRestrained ? over + forward(at: now) : over
    }

    /// When ``catchUp(at:)`` has something to do next; nil if nothing waits for a moment.
    ///
    /// Asked after each push, and inlined so that the mailbox is not copied for it.
    @inline(__always)
    var nextMoment: Date? { isConnected ? nextMomentWhileConnected : nextExpiration }

    private var nextMomentWhileConnected: Date? {
        guard let end = nextExpiration else { return nil }
        guard isRestrained, onTheWay.count < Self.window else { return end }
        let silent = waiting.contains { reason(against: $0, wakes: false, at: .distantPast) == .budget }
        return [end, restraint.groupEnds, silent ? restraint.nextSilent(rules) : nil].compactMap(\.self).min()
    }

    /// Takes in a push for a device that is there and may have to be spared.
    mutating func receiveRestrained(_ item: Item, at now: Date, _ effects: inout [Effect]) {
        var item = item
        let reason = reason(against: item, wakes: false, at: now)
        // One attempt: a sleeping device is not spared a push of priority 5 that cannot wait.
        let isUrgent = reason == .sleep && item.expiration == .atOnce && item.push.head.priority == 5
        if reason == nil || isUrgent {
            replaceHeld(by: item, &effects)
            if item.push.head.priority == 10, restraint.isAsleep { effects += forward(at: now, wakes: true) }
            if onTheWay.count < Self.window { return hand(over: item, at: now, &effects) }
        }
        guard item.expiration != .atOnce else { return effects.append(.expired(item.push.id)) }
        item.isHeld = true
        replaceHeld(by: item, &effects)
        let beginsGroup = !waiting.contains { $0.push.head.priority == 5 }
        store(item, &effects)
        effects.append(.stored(item.push.id))
        if reason == .budget { effects.append(.overBudget(item.push.id)) }
        if reason == .sleep, item.push.head.priority == 5, beginsGroup {
            restraint.groupEnds = now.addingTimeInterval(rules.longestGrouping)
        }
    }

    /// Hands over what may go of all that waits.
    ///
    /// * `wakes`: the device is woken anyway; else a push of priority 10 among them wakes it, or the end of the group.
    mutating func forwardRestrained(at now: Date, wakes: Bool) -> [Effect] {
        let wakes = wakes || restraint.endsGroup(at: now) || waiting.contains { $0.push.head.priority == 10 }
        var effects: [Effect] = []
        var held: [Item] = []
        for item in waiting {
            if onTheWay.count < Self.window, reason(against: item, wakes: wakes, at: now) == nil {
                hand(over: item, at: now, &effects)
            } else {
                held.append(item)
            }
        }
        waiting = held
        let isGroup = restraint.isAsleep && held.contains { $0.push.head.priority == 5 }
        if !isGroup {
            restraint.groupEnds = nil
        } else if wakes || restraint.groupEnds == nil {
            restraint.groupEnds = now.addingTimeInterval(rules.longestGrouping)
        }
        return effects
    }

    private func reason(against item: Item, wakes: Bool, at now: Date) -> Restraint.Reason? {
        let reason = restraint.reason(against: item.push.head, wakes: wakes, rules, at: now)
        // It has been counted when it went for the first time.
        return reason == .budget && item.isReturned ? nil : reason
    }

    private mutating func hand(over item: Item, at now: Date, _ effects: inout [Effect]) {
        if !item.isReturned, rules.silentBudget != nil { restraint.note(item.push.head, rules, at: now) }
        onTheWay.append(item)
        effects.append(.deliver(item.push))
    }

    /// A push with the collapse id of one that waits takes its place, whether it waits itself or not; of background pushes that
    /// are held the newest alone stays.
    private mutating func replaceHeld(by item: Item, _ effects: inout [Effect]) {
        guard first != nil else { return }
        let head = item.push.head
        waiting.removeAll { other in
            let isSame = head.collapseID != nil && other.push.head.collapseID == head.collapseID
            let isSilent = head.pushType == .background && other.push.head.pushType == .background
            guard isSame || isSilent && item.isHeld && other.isHeld else { return false }
            effects.append(.coalesced(other.push.id))
            return true
        }
    }
}
