package import Foundation
import PushModel

// Pushes that wait although the device is connected. They wait in their mailbox like those for a disconnected device, with the
// same rules for expiration and collapse ids.

extension Mailbox {
    /// Whether pushes may be held back from a connected device.
    var isRestrained: Bool { rules.silentBudget != nil || restraint.isAsleep }

    /// Whether the device is connected and says that it sleeps.
    package var isAsleep: Bool { restraint.isAsleep }

    /// Records that the device has woken up or fallen asleep, and delivers the pushes that waited for it to wake.
    package mutating func setAwake(_ isAwake: Bool, at now: Date) -> [Effect] {
        guard restraint.isAsleep == isAwake else { return [] }
        restraint.isAsleep = !isAwake
        if isAwake { restraint.groupEnds = nil }
        return expire(at: now) + forward(at: now)
    }

    /// Delivers pushes of priority 5: another push has woken the device.
    package mutating func wake(at now: Date) -> [Effect] { expire(at: now) + forward(at: now, wakes: true) }

    /// Does all work that is due: drops expired pushes, and delivers pushes that were held back long enough.
    package mutating func catchUp(at now: Date) -> [Effect] {
        let over = expire(at: now)
        return isConnected && isRestrained ? over + forward(at: now) : over
    }

    /// Returns the date when ``catchUp(at:)`` next has something to do; nil if nothing is timed.
    ///
    /// Called after each push, and inlined so that the mailbox is not copied for it.
    @inline(__always)
    var nextMoment: Date? { isConnected ? nextMomentWhileConnected : nextExpiration }

    private var nextMomentWhileConnected: Date? {
        guard let end = nextExpiration else { return nil }
        guard isRestrained, onTheWay.count < Self.window else { return end }
        let silent = waiting.contains { reason(against: $0, wakes: false, at: nil) == .budget }
        return [end, restraint.groupEnds, silent ? restraint.nextSilent(rules) : nil].compactMap(\.self).min()
    }

    /// Takes in a push for a connected device under restraint.
    mutating func receiveRestrained(_ item: Item, at now: Date) -> Effects {
        var item = item
        var effects = Effects()
        let reason = reason(against: item, wakes: false, at: now)
        // One attempt: a push of priority 5 that cannot wait is sent even to a sleeping device.
        let isUrgent = reason == .sleep && item.expiration == .atOnce && item.push.head.priority == 5
        if reason == nil || isUrgent {
            effects = replaceHeld(by: item)
            if item.push.head.priority == 10, restraint.isAsleep {
                effects.append(contentsOf: forward(at: now, wakes: true))
            }
            if onTheWay.count < Self.window {
                effects.append(hand(over: item, at: now))
                return effects
            }
        }
        guard item.expiration != .atOnce else {
            effects.append(.expired(item.push.id))
            return effects
        }
        item.isHeld = true
        effects.append(contentsOf: replaceHeld(by: item))
        let beginsGroup = !waiting.contains { $0.push.head.priority == 5 }
        effects.append(contentsOf: store(item))
        if reason == .budget { effects.append(.overBudget(item.push.id)) }
        if reason == .sleep, item.push.head.priority == 5, beginsGroup {
            restraint.groupEnds = now.addingTimeInterval(rules.longestGrouping)
        }
        return effects
    }

    /// Delivers the waiting pushes that may go.
    ///
    /// `wakes` is the device is woken anyway; otherwise a push of priority 10 among them wakes it, or the end of the
    /// group.
    mutating func forwardRestrained(at now: Date, wakes: Bool) -> [Effect] {
        let wakes = wakes || restraint.endsGroup(at: now) || waiting.contains { $0.push.head.priority == 10 }
        var effects: [Effect] = []
        var held: [Item] = []
        for item in waiting {
            if onTheWay.count < Self.window, reason(against: item, wakes: wakes, at: now) == nil {
                effects.append(hand(over: item, at: now))
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

    private func reason(against item: Item, wakes: Bool, at now: Date?) -> Restraint.Reason? {
        let reason = restraint.reason(against: item.push.head, wakes: wakes, rules, at: now)
        // It was counted when it was sent for the first time.
        return reason == .budget && item.isReturned ? nil : reason
    }

    private mutating func hand(over item: Item, at now: Date) -> Effect {
        if !item.isReturned, rules.silentBudget != nil { restraint.note(item.push.head, rules, at: now) }
        onTheWay.append(item)
        return .deliver(item.push)
    }

    /// Replaces a waiting push with the same collapse id, even if the new push does not wait itself; of background pushes that
    /// are held, only the newest stays.
    private mutating func replaceHeld(by item: Item) -> Effects {
        var effects = Effects()
        guard first != nil else { return effects }
        let head = item.push.head
        waiting.removeAll { other in
            let isSame = head.collapseID != nil && other.push.head.collapseID.isSame(as: head.collapseID)
            let isSilent = head.pushType == .background && other.push.head.pushType == .background
            guard isSame || isSilent && item.isHeld && other.isHeld else { return false }
            effects.append(.coalesced(other.push.id))
            return true
        }
        return effects
    }
}
