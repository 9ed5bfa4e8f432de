#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation

// The calls before SDK 3.0.6: nil leaves a value unchanged, an empty set or text clears it, both nil is 6001. A
// selector is never called: only Objective-C can.

extension JPUSHService {
    /// Sets tags and alias; one call of the handler for both.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use setTags and setAlias with completion and seq.")
    public class func setTags(
        _ tags: Set<AnyHashable>!,
        alias: String!,
        fetchCompletionHandle completionHandler: (
            (_ iResCode: Int32, _ iTags: Set<AnyHashable>?, _ iAlias: String?) -> Void
        )!
    ) {
        let texts = tags.map { Set($0.map { $0.base as? String ?? "" }) }
        LabelChange(tags: texts, alias: alias).send(with: client) { code in
            completionHandler?(Int32(clamping: code), tags, alias)
        }
    }

    /// Sets tags and alias without an answer: repeated until the service has accepted them, regardless of other
    /// operations.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use setTags and setAlias with completion and seq.")
    public class func setTags(_ tags: Set<AnyHashable>!, aliasInbackground alias: String!) {
        let texts = tags.map { Set($0.map { $0.base as? String ?? "" }) }
        LabelChange(tags: texts, alias: alias).sendInBackground(with: client)
    }

    /// Sets tags and alias, by the spelling before SDK 3; the selector is not called, because Linux has no
    /// Objective-C.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use setTags and setAlias with completion and seq.")
    public class func setTags(
        _ tags: Set<AnyHashable>!,
        alias: String!,
        callbackSelector cbSelector: Selector!,
        object theTarget: Any!
    ) {
        setTags(tags, alias: alias, fetchCompletionHandle: nil)
    }

    /// Sets tags and alias, by a spelling before SDK 3.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use setTags and setAlias with completion and seq.")
    public class func setTags(
        _ tags: Set<AnyHashable>!,
        alias: String!,
        callbackSelector cbSelector: Selector!,
        target theTarget: Any!
    ) {
        setTags(tags, alias: alias, fetchCompletionHandle: nil)
    }

    /// Sets the tags, by the spelling before SDK 3; the selector is not called, because Linux has no Objective-C.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use setTags(_:completion:seq:).")
    public class func setTags(
        _ tags: Set<AnyHashable>!,
        callbackSelector cbSelector: Selector!,
        object theTarget: Any!
    ) {
        setTags(tags, alias: nil, fetchCompletionHandle: nil)
    }

    /// Sets the alias, by the spelling before SDK 3; the selector is not called, because Linux has no Objective-C.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use setAlias(_:completion:seq:).")
    public class func setAlias(_ alias: String!, callbackSelector cbSelector: Selector!, object theTarget: Any!) {
        setTags(nil, alias: alias, fetchCompletionHandle: nil)
    }
}

/// A change of tags and alias together, as in the calls before SDK 3.0.6.
struct LabelChange {
    /// The tags; nil leaves them unchanged, an empty set clears them.
    var tags: Set<String>?
    /// The alias; nil leaves it unchanged, an empty one clears it.
    var alias: String?

    /// The client result code, or 0.
    private var code: Int {
        if tags == nil, alias == nil { return ResultCode.nothingToSet }
        if let tags, case let code = TagRules.oldCode(tags: tags), code != 0 { return code }
        return alias.map { TagRules.oldCode(alias: $0) } ?? 0
    }

    private var requests: [ServiceRequest] {
        let tagRequest = tags.map { $0.isEmpty ? ServiceRequest.cleanTags : .setTags($0.sorted()) }
        let aliasRequest = alias.map { $0.isEmpty ? ServiceRequest.deleteAlias : .setAlias($0) }
        return [tagRequest, aliasRequest].compactMap { $0 }
    }

    /// Sends the change and calls `done` once, on the main thread, with 0 or the first other code.
    func send(with client: ServiceClient, _ done: @escaping (Int) -> Void) {
        let code = code
        guard code == 0 else { return client.onMain { done(code) } }
        let requests = requests
        // Changed on the main thread only.
        var (missing, first) = (requests.count, 0)
        for request in requests {
            client.request(request) { reply in
                missing -= 1
                if first == 0 { first = reply.code }
                if missing == 0 { done(first) }
            }
        }
    }

    func sendInBackground(with client: ServiceClient) {
        let code = code
        guard code == 0 else { return client.warn("tags-set: code \(code), \(ResultCode.text(code)).") }
        for request in requests { client.send(request) }
    }
}

#endif
