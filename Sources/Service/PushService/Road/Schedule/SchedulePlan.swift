import Foundation
import PushModel

/// The handling of one due schedule.
struct SchedulePlan: Sendable {
    /// The outcome; the id of its push is missing until that is on disk.
    var step: ScheduleStep
    var push: PreparedPush?

    /// Creates the plan of a schedule that goes on with `next`, after a firing, if any.
    init(_ record: ScheduleRecord, _ firing: ScheduleFiring? = nil, next: Date?) {
        step = ScheduleStep(record: record, firing: firing, next: next)
    }
}

/// Plans that are carried out together.
struct ScheduleBatch: Sendable {
    private(set) var plans: [SchedulePlan] = []
    /// The number of devices that their pushes go to.
    private(set) var devices = 0
    /// The apps with a paced push.
    private var paced: Set<App.ID> = []

    /// Returns whether a schedule can be carried out with those before it. A paced push cannot if the app already has one here, as
    /// the number that an app has under way is counted on disk; its schedule stays due.
    mutating func admits(_ record: ScheduleRecord) -> Bool {
        let body = record.schedule.push.bytes
        // Most pushes do not mention pacing, and need not be parsed twice.
        guard Self.mentionsPacing(body.span),
            let push = try? PushRequest(parsing: body, file: .allowed), push.options.pacedMinutes > 0
        else { return true }
        return paced.insert(record.app).inserted
    }

    /// Returns whether a body mentions pacing. Its own loop: the library's search takes longer than parsing the push would.
    private static func mentionsPacing(_ body: Span<UInt8>) -> Bool {
        let word: StaticString = "big_push_duration"
        let count = word.utf8CodeUnitCount
        return word.withUTF8Buffer { word in
            var place = 0
            while place + count <= body.count {
                var length = 0
                while length < count, unsafe body[place + length] == word[length] { length += 1 }
                if length == count { return true }
                place += 1
            }
            return false
        }
    }

    /// Removes and returns the plans so far; the state of ``admits(_:)`` stays.
    mutating func take() -> [SchedulePlan] {
        defer {
            plans = []
            devices = 0
        }
        return plans
    }

    mutating func add(_ plan: SchedulePlan) {
        plans.append(plan)
        devices += plan.push?.chunks.reduce(0) { $0 + $1.ordinals.ordinals.count } ?? 0
    }
}
