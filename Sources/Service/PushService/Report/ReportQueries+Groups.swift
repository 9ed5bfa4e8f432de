package import PushModel

// What groups ask: the sums over their apps.
extension ReportQueries {
    /// Nil for a push that the group has not made, or that was deleted with all its messages.
    package func counts(ofGroupPush id: String, of group: AppGroup) async throws -> MessageCounts? {
        guard let push = try await store.groupPush(id, of: group.id) else { return nil }
        var sum: MessageCounts?
        for (app, message) in push.messages {
            guard let counts = try await counts(of: [message], app: app)[message] else { continue }
            sum = (sum ?? MessageCounts()) + counts
        }
        return sum
    }

    /// A person with two of the apps counts twice: nobody knows that it is one.
    package func users(_ query: UsersQuery, ofGroup group: AppGroup) async throws -> [String: [UseMeasure: Int]] {
        var sum: [String: [UseMeasure: Int]] = [:]
        for app in group.apps {
            for (time, counts) in try await users(query, of: app) {
                sum[time, default: [:]].merge(counts) { $0 + $1 }
            }
        }
        return sum
    }
}
