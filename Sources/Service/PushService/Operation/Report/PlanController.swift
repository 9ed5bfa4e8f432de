import PushClock
package import PushModel

/// Handles the requests of a backend on push plans.
package struct PlanController: Sendable {
    let store: any PlanStore
    let reports: ReportQueries
    let clock: any CivilClock

    /// Creates a plan from `{"name":…,"description":…}`.
    ///
    /// - Throws: ``JPushError`` for errors that the caller can fix.
    package func create(_ body: [UInt8], for app: App) async throws {
        let (name, description) = try Self.read(body)
        let plan = PushPlan(app: app.id, name: name, description: description, createdAt: clock.date)
        do {
            guard try await store.createPlan(plan, limit: JPushLimits.plans) else {
                throw JPushError.badValue("The app has \(JPushLimits.plans) push plans, which is the limit.")
            }
        } catch StoreError.duplicate(let text) { throw JPushError.badValue(text) }
    }

    /// Changes the description of a plan.
    ///
    /// - Throws: ``JPushError`` for errors that the caller can fix.
    package func change(_ body: [UInt8], of app: App) async throws {
        let (name, description) = try Self.read(body)
        guard try await store.setPlanDescription(description, name, of: app.id) else {
            throw JPushError.noSuchPlan(name)
        }
    }

    /// The number of labels that are deleted in one transaction; other writes run in between.
    private static let step = 1000

    /// Deletes a plan. Its pushes stay; those that name it from then on are refused.
    ///
    /// This happens in steps: an interrupted deletion is completed by repeating the call.
    ///
    /// - Throws: 1003 for an unknown name.
    package func delete(_ name: String, of app: App.ID) async throws {
        guard var isDeleted = try await store.deletePlan(name, of: app, limit: Self.step) else {
            throw JPushError.noSuchPlan(name)
        }
        // Another call may have deleted the rest.
        while !isDeleted { isDeleted = try await store.deletePlan(name, of: app, limit: Self.step) ?? true }
    }

    /// Returns the app's plans that have a text in their name or description, in order of creation.
    package func plans(of app: App.ID, containing text: String) async throws -> [PushPlan] {
        let plans = try await store.plans(of: app)
        func has(_ found: String) -> Bool { found.unicodeScalars.contains(text.unicodeScalars) }
        return text.isEmpty ? plans : plans.filter { has($0.name) || has($0.description) }
    }

    /// Returns a plan with the counts of its latest pushes, the newest first, and their sum.
    ///
    /// - Throws: 1003 for an unknown name.
    package func report(
        on name: String,
        of app: App.ID
    ) async throws -> (plan: PushPlan, pushes: [(id: MessageID, counts: MessageCounts)], sum: MessageCounts?) {
        guard !name.hasNUL, let plan = try await store.plan(name, of: app) else { throw JPushError.noSuchPlan(name) }
        let messages = try await store.messages(ofPlan: name, of: app, limit: JPushLimits.reportedPlanMessages)
        let counts = try await reports.counts(of: messages, app: app)
        let sum = counts.values.reduce(nil as MessageCounts?) { sum, next in sum.map { $0 + next } ?? next }
        return (plan, messages.compactMap { id in counts[id].map { (id, $0) } }, sum)
    }

    private static func read(_ body: [UInt8]) throws(JPushError) -> (name: String, description: String) {
        try JSONReader.read(body, keys: ["name", "description"]) { members throws(JSONProblem) in
            (
                try members.need("name", .name(bytes: 1...JPushLimits.planNameBytes)),
                try members.optional("description", .name(bytes: 0...JPushLimits.planDescriptionBytes)) ?? ""
            )
        }
    }
}
