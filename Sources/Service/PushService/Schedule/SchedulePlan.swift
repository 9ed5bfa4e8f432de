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

    /// Leaves out a push that is spread over time where the app has one here already: how many of them an app has under way is
    /// counted on disk. Its schedule stays due.
    mutating func add(_ plan: SchedulePlan) {
        if let push = plan.push, push.isPaced, !paced.insert(push.message.app).inserted { return }
        plans.append(plan)
        devices += plan.push?.chunks.reduce(0) { $0 + $1.ordinals.ordinals.count } ?? 0
    }
}
