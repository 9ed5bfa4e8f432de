import PushModel
import Synchronization

/// The origin of new tags.
enum TagOrigin: Hashable {
    /// The app's backend, which names tags in the REST API and in imports.
    case backend
    case device
}

/// The error for new tags beyond ``TagLimits``.
struct TooManyTags: Error, CustomStringConvertible {
    var limit: Int
    /// Whether the limit is that for tags which only devices have brought.
    var isOfDevices: Bool

    var description: String {
        isOfDevices
            ? "The app's devices have brought \(limit) different tags, as many as they may (setting link.tags). Use tags that the app has."
            : "The app has \(limit) different tags, as many as it may (setting push.tags). Delete some with DELETE /v3/tags/{tag}."
    }
}

/// Places for new tags, which a request has claimed.
struct TagClaim {
    fileprivate let app: App.ID
    fileprivate let origin: TagOrigin
    /// The tags that the app did not have.
    fileprivate let names: Set<ExactText>
}

extension Registry {
    /// Claims places for those of the tags that the app does not have, until ``release(_:)``, so that concurrent requests together
    /// stay below the limits.
    ///
    /// - Throws: ``TooManyTags`` if there are no places; nothing is claimed then.
    func claim(_ tags: some Sequence<String>, from origin: TagOrigin, of app: App.ID) throws(TooManyTags) -> TagClaim {
        let names = Set(exactly: tags)
        let limits = settings.value.link.tags
        let claimed: Result<Set<ExactText>, TooManyTags> = devices(of: app).state.withLock { state in
            let new = names.filter { !state.columns.tagTable.isKnown($0.text) }
            let added = new.count { state.tagClaims[origin]?[$0] == nil }
            if added > 0 {
                let table = state.columns.tagTable
                let fromDevices = table.countFromDevices + (state.tagClaims[.device]?.count ?? 0)
                if origin == .device, fromDevices + added > limits.fromDevices {
                    return .failure(TooManyTags(limit: limits.fromDevices, isOfDevices: true))
                }
                let all = state.tagClaims.values.reduce(table.names.tagCount) { $0 + $1.count }
                guard all + added <= limits.perApp else {
                    return .failure(TooManyTags(limit: limits.perApp, isOfDevices: false))
                }
            }
            for name in new { state.tagClaims[origin, default: [:]][name, default: 0] += 1 }
            return .success(new)
        }
        return TagClaim(app: app, origin: origin, names: try claimed.get())
    }

    /// Ends a claim: its tags are in memory, or are not to be stored.
    func release(_ claim: TagClaim) {
        guard !claim.names.isEmpty else { return }
        knownDevices(of: claim.app)?.state.withLock { state in
            guard var claims = state.tagClaims.removeValue(forKey: claim.origin) else { return }
            for name in claim.names { claims.countDown(name) }
            if !claims.isEmpty { state.tagClaims[claim.origin] = claims }
        }
    }

    /// Returns those of the tags that would be forgotten with their last device, each once.
    func unkept(_ tags: some Sequence<String>, of app: App.ID) -> Set<ExactText> {
        let table = knownDevices(of: app)?.state.withLock(\.columns.tagTable) ?? TagTable()
        var unkept: Set<ExactText> = []
        for tag in tags where !table.isKept(tag) { unkept.insert(ExactText(tag)) }
        return unkept
    }
}
