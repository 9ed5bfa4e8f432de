import DeviceLink
import Foundation
import PushClock
import PushModel
import SystemPort

extension SystemPortConformance {
    private final class Slot: Sendable {}
    private final class OtherSlot: Sendable {}

    static let identity = [
        Clause("The facts are the same, however they are read") { stage in
            let facts = try stage.port.facts
            try stage.expect(try stage.read(.facts), .facts(facts), as: "the facts read")
            try stage.expect(try await stage.call(.facts), .facts(facts), as: "the facts called")
            for (name, text) in [
                ("bundleID", facts.bundleID), ("deviceName", facts.deviceName), ("systemVersion", facts.systemVersion),
            ] where text.isEmpty {
                throw ConformanceFailure("'\(name)' in the facts is empty; expected a text.")
            }
            guard UUID(uuidString: facts.vendorID) != nil else {
                throw ConformanceFailure("'vendorID' in the facts is '\(facts.vendorID)'; expected a UUID.")
            }
            guard TimeZone(identifier: facts.timeZone) != nil else {
                throw ConformanceFailure("'timeZone' in the facts is '\(facts.timeZone)'; expected an IANA identifier.")
            }
        },
        Clause("A slot has one object of a type") { stage in
            let slots = try stage.port.slots
            let first = slots.slot { Slot() }
            try stage.expect(slots.slot { Slot() } === first, true, as: "whether the slot's object stays")
            _ = slots.slot { OtherSlot() }
            let isKept = slots.slot { Slot() } === first
            try stage.expect(isKept, true, as: "whether the slot's object stays beside another's")
            try stage.expect(try stage.port.slots === slots, true, as: "whether the port keeps its slots")
        },
        Clause("Random numbers differ") { stage in
            let port = try stage.port
            let numbers = Set((0..<32).map { _ in port.randomNumber() })
            try stage.expect(numbers.count, 32, as: "the number of different ones among 32 of 64 bits")
        },
        Clause("The clock does not run backwards") { stage in
            let clock = try stage.port.clock
            let dates = (0..<10).map { _ in clock.date }
            try stage.expect(dates, dates.sorted(), as: "the dates of the clock")
        },
        Clause("The clock advances with the device, and wakes who sleeps", needs: [.time]) { stage in
            let clock = try stage.port.clock
            let before = clock.date
            let awake = Announcement<Void>()
            // Ended by the clause itself: it awaits `awake`, or has failed.
            let sleeper = Task {
                try await clock.sleep(until: before.addingTimeInterval(30))
                awake.make(.success(()))
            }
            defer { sleeper.cancel() }
            try await stage.host.advance(by: .seconds(60))
            try await stage.soon("the end of a sleep of 30 s, 60 s later") { try await awake.value }
            let elapsed = clock.date.timeIntervalSince(before)
            guard (60...70).contains(elapsed) else {
                throw ConformanceFailure("The date advanced by \(elapsed) s; expected 60 s, as the host was asked to.")
            }
        },
    ]

    static let process = [
        Clause("The launch is the first event") { stage in
            let endpoint = try stage.endpoint
            _ = try await stage.soon("the first event") { try await endpoint.event { _ in true } }
            guard case .launch? = endpoint.events.first?.kind else {
                throw ConformanceFailure("The first event was \(endpoint.events.first as Any); expected 'launch'.")
            }
        },
        Clause("A port is dead with its process, and the next process has another", needs: [.relaunch]) { stage in
            let old = try stage.port
            try await stage.host.terminate()
            try stage.expect(old.read(.notificationSettings), .terminated, as: "the settings read at a dead port")
            let answer = Announcement<SystemReply>()
            old.call(.writeStorage(key: "late", value: "x")) { answer.make(.success($0)) }
            let reply = try await stage.soon("a dead port's reply") { try await answer.value }
            try stage.expect(reply, .terminated, as: "the reply of a dead port")
            try await stage.launch()
            try stage.expect(try stage.port === old, false, as: "whether the new process has the old port")
            try stage.expect(try stage.read(.readStorage(key: "late")), .value(nil), as: "what a dead port has stored")
        },
        Clause("A link that cannot be opened ends once, with a reason") { stage in
            let ends = Counts(1)
            let link = try stage.port.openLink("ws://127.0.0.1:9/nobody") { event in
                if case .closed(let reason) = event, !reason.isEmpty { ends.add(0) }
            }
            try await stage.soon("the end of a link to a closed port") { try await ends.first(0) }
            link.close()
            try await stage.call(.facts)
            try stage.expect(ends[0], 1, as: "the number of ends of a link")
        },
    ]
}
