#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation

// One operation on tags at a time (6021), 10 on tags and alias in 10 seconds (6011). Requests made before the device is
// registered wait for the registration, even across restarts.

extension JPUSHService {
    /// Replaces all tags.
    public class func setTags(_ tags: Set<String>!, completion: JPUSHTagsOperationCompletion!, seq: Int) {
        change(tags, completion: completion, seq: seq) { .setTags($0) }
    }

    /// Adds tags, at most 1000 in all. `completion` gets code 0, or the error's, the tags and `seq`.
    public class func addTags(_ tags: Set<String>!, completion: JPUSHTagsOperationCompletion!, seq: Int) {
        change(tags, completion: completion, seq: seq) { .addTags($0) }
    }

    /// Removes tags. `completion` gets code 0, or the error's, the tags that remain and `seq`.
    public class func deleteTags(_ tags: Set<String>!, completion: JPUSHTagsOperationCompletion!, seq: Int) {
        change(tags, completion: completion, seq: seq) { .deleteTags($0) }
    }

    /// Removes all tags.
    public class func cleanTags(_ completion: JPUSHTagsOperationCompletion!, seq: Int) {
        client.request(.cleanTags) { completion?($0.code, nil, seq) }
    }

    /// Asks the service for all tags. `completion` gets code 0, or the error's, the tags and `seq`.
    public class func getAllTags(_ completion: JPUSHTagsOperationCompletion!, seq: Int) {
        client.request(.getTags) { reply in
            completion?(reply.code, reply.tags.map { Set($0.map { AnyHashable($0) }) }, seq)
        }
    }

    /// Asks whether the device has this tag.
    public class func validTag(_ tag: String!, completion: JPUSHTagValidOperationCompletion!, seq: Int) {
        let echo = tag.map { Set([AnyHashable($0)]) }
        let code = TagRules.code(tags: tag.map { [$0] })
        guard code == 0, let tag else { return client.onMain { completion?(code, echo, seq, false) } }
        client.request(.checkTag(tag)) { completion?($0.code, echo, seq, $0.isBound ?? false) }
    }

    /// Returns the valid tags, at most 1000.
    @discardableResult
    public class func filterValidTags(_ tags: Set<AnyHashable>!) -> Set<AnyHashable>! {
        let valid = (tags ?? []).filter { ($0.base as? String).map(TagRules.isValid) ?? false }
        return Set(valid.prefix(TagRules.count))
    }

    private class func change(
        _ tags: Set<String>?,
        completion: JPUSHTagsOperationCompletion?,
        seq: Int,
        _ request: ([String]) -> ServiceRequest
    ) {
        let echo = tags.map { Set($0.map { AnyHashable($0) }) }
        let code = TagRules.code(tags: tags)
        guard code == 0, let tags else { return client.onMain { completion?(code, echo, seq) } }
        client.request(request(tags.sorted())) { completion?($0.code, echo, seq) }
    }
}

#endif
