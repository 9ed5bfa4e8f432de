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
        guard let push = try? PushRequest(parsing: record.schedule.push.bytes, file: .allowed),
            push.options.pacedMinutes > 0
        else { return true }
        return paced.insert(record.app).inserted
    }

    mutating func add(_ plan: SchedulePlan) {
        plans.append(plan)
        devices += plan.push?.chunks.reduce(0) { $0 + $1.ordinals.ordinals.count } ?? 0
    }
}
