import PushModel

/// The handling of one due schedule.
struct SchedulePlan: Sendable {
    /// The id of its push is missing until that is on disk.
    var step: ScheduleStep
    var push: PreparedPush?

    init(_ step: ScheduleStep) { self.step = step }
}

/// Plans that are carried out together.
struct ScheduleBatch: Sendable {
    private(set) var plans: [SchedulePlan] = []
    /// The number of devices to which their pushes go.
    private(set) var devices = 0
    /// Apps with a push that is spread over time.
    private var paced: Set<App.ID> = []

    /// Whether a schedule can be carried out with those before it. A push that is spread over time cannot where the app has one
    /// here already: how many of them an app has under way is counted on disk. Its schedule stays due.
    mutating func admits(_ record: ScheduleRecord) -> Bool {
        let body = record.schedule.push.bytes
        // Most say nothing of it, and need not be read twice.
        guard Self.mentionsPacing(body.span),
            let push = try? PushRequest(parsing: body, file: .allowed), push.options.pacedMinutes > 0
        else { return true }
        return paced.insert(record.app).inserted
    }

    /// By a loop of its own: the library's search takes longer than reading the push would.
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

    /// Hands over the plans so far; what ``admits(_:)`` has to know stays.
    mutating func take() -> [SchedulePlan] {
        defer { (plans, devices) = ([], 0) }
        return plans
    }

    mutating func add(_ plan: SchedulePlan) {
        plans.append(plan)
        devices += plan.push?.chunks.reduce(0) { $0 + $1.ordinals.ordinals.count } ?? 0
    }
}
