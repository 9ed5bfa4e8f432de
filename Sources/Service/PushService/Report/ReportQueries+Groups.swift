package import PushModel

// Queries of groups: the sums over their apps.
extension ReportQueries {
    /// Returns the counts of a group push; nil if it is not the group's, or was deleted with all its messages.
    package func counts(ofGroupPush id: String, of group: AppGroup) async throws -> MessageCounts? {
        guard let push = try await store.groupPush(id, of: group.id) else { return nil }
        var sum: MessageCounts?
        for (app, message) in push.messages {
            guard let counts = try await counts(of: [message], app: app)[message] else { continue }
            sum = (sum ?? MessageCounts()) + counts
        }
        return sum
    }

    /// Returns the users of a group. A person with two of the apps counts twice, as the service cannot match them.
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
