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

    /// Adds tags, with the proofs of the protected ones by tag, which the app's backend makes. Posthorn's own.
    public class func addTags(
        _ tags: Set<String>!,
        proofs: [String: String]!,
        completion: JPUSHTagsOperationCompletion!,
        seq: Int
    ) {
        change(tags, completion: completion, seq: seq) { .addTags($0, proofs: proofs) }
    }

    /// Replaces all tags, with the proofs of the protected ones by tag, which the app's backend makes. Posthorn's own.
    public class func setTags(
        _ tags: Set<String>!,
        proofs: [String: String]!,
        completion: JPUSHTagsOperationCompletion!,
        seq: Int
    ) {
        change(tags, completion: completion, seq: seq) { .setTags($0, proofs: proofs) }
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

extension JPUSHService {
    /// Sets the device's alias, replacing any other; one alias per device, one operation at a time (6022).
    public class func setAlias(_ alias: String!, completion: JPUSHAliasOperationCompletion!, seq: Int) {
        let code = TagRules.code(alias: alias)
        guard code == 0, let alias else { return client.onMain { completion?(code, alias, seq) } }
        client.request(.setAlias(alias)) { completion?($0.code, alias, seq) }
    }

    /// Sets the device's alias with the proof of the app's backend, which an app needs whose operator asks for proofs. Posthorn's own.
    ///
    /// `completion` gets code 0, or the error's, the alias and `seq`; 6017 if the proof is not that of this device and alias.
    public class func setAlias(
        _ alias: String!,
        proof: String!,
        completion: JPUSHAliasOperationCompletion!,
        seq: Int
    ) {
        let code = TagRules.code(alias: alias)
        guard code == 0, let alias else { return client.onMain { completion?(code, alias, seq) } }
        client.request(.setAlias(alias, proof: proof)) { completion?($0.code, alias, seq) }
    }

    /// Removes the alias. `completion` gets code 0, or the error's, the alias and `seq`.
    public class func deleteAlias(_ completion: JPUSHAliasOperationCompletion!, seq: Int) {
        client.request(.deleteAlias) { completion?($0.code, nil, seq) }
    }

    /// Asks the service for the alias. `completion` gets code 0, or the error's, the alias and `seq`.
    public class func getAlias(_ completion: JPUSHAliasOperationCompletion!, seq: Int) {
        client.request(.getAlias) { completion?($0.code, $0.alias, seq) }
    }
}

/// The rules for tags and aliases, checked before anything is sent.
///
/// Source: JPush iOS SDK documentation, tags and alias.
enum TagRules {
    static let bytes = 40
    static let count = 1000
    /// The limit for one call.
    static let totalBytes = 5000
    /// The limit for one call before SDK 3.0.6.
    static let oldTotalBytes = 7000

    /// Returns 0, or the client result code.
    static func code(tags: Set<String>?) -> Int {
        guard let tags, !tags.isEmpty else { return ResultCode.nothingToSet }
        return code(tags, totalBytes)
    }

    /// Returns 0, or the client result code, for the calls before SDK 3.0.6: an empty set clears.
    static func oldCode(tags: Set<String>) -> Int { code(tags, oldTotalBytes) }

    private static func code(_ tags: Set<String>, _ totalBytes: Int) -> Int {
        if !tags.allSatisfy(isSpeltWell) { return 6005 }
        if tags.contains(where: { $0.utf8.count > bytes }) { return 6006 }
        if tags.count > count { return 6007 }
        return tags.reduce(0) { $0 + $1.utf8.count } > totalBytes ? 6008 : 0
    }

    /// Returns 0, or the client result code.
    static func code(alias: String?) -> Int {
        guard let alias, !alias.isEmpty else { return ResultCode.nothingToSet }
        return oldCode(alias: alias)
    }

    /// Returns 0, or the client result code, for the calls before SDK 3.0.6: an empty alias clears.
    static func oldCode(alias: String) -> Int {
        if alias.isEmpty { return 0 }
        if !isSpeltWell(alias) { return 6003 }
        return alias.utf8.count > bytes ? 6004 : 0
    }

    static func isValid(tag: String) -> Bool { isSpeltWell(tag) && tag.utf8.count <= bytes }

    /// Returns 0, or the client result code: `+` or a digit, then digits and `-`, at most 20 characters.
    static func code(mobile: String) -> Int {
        let characters = Array(mobile.unicodeScalars)
        let isWell = characters.enumerated().allSatisfy { place, scalar in
            "0"..."9" ~= scalar || (place == 0 ? scalar == "+" : scalar == "-")
        }
        if !isWell { return ResultCode.phoneInvalid }
        return characters.count > 20 ? ResultCode.phoneLong : 0
    }

    private static func isSpeltWell(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "\u{4E00}"..."\u{9FFF}", "\u{3400}"..."\u{4DBF}": true
                default: "_@!#$&*+=.|".unicodeScalars.contains(scalar)
                }
            }
    }
}

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
        var missing = requests.count
        var first = 0
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
