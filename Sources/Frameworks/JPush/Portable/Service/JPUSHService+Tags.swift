#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import PosthornClient

// What is asked for is never nil in an answer: jpush-react-native puts it into a dictionary (its issue 871).
//
// One operation on tags at a time (6021), 10 on tags and alias in 10 seconds (6011). Requests made before the device is
// registered wait for the registration, even across restarts.

extension JPUSHService {
    /// Replaces all tags.
    public class func setTags(_ tags: _Tags!, completion: JPUSHTagsOperationCompletion!, seq: Int) {
        change(tags, completion: completion, seq: seq) { .setTags($0) }
    }

    /// Adds tags, at most 1000 in all. `completion` gets code 0, or the error's, the tags and `seq`.
    public class func addTags(_ tags: _Tags!, completion: JPUSHTagsOperationCompletion!, seq: Int) {
        change(tags, completion: completion, seq: seq) { .addTags($0) }
    }

    /// Adds tags, with the proofs of the protected ones by tag, which the app's backend makes. Posthorn's own.
    public class func addTags(
        _ tags: _Tags!,
        proofs: [String: String]!,
        completion: JPUSHTagsOperationCompletion!,
        seq: Int
    ) {
        change(tags, completion: completion, seq: seq) { .addTags($0, proofs: proofs) }
    }

    /// Replaces all tags, with the proofs of the protected ones by tag, which the app's backend makes. Posthorn's own.
    public class func setTags(
        _ tags: _Tags!,
        proofs: [String: String]!,
        completion: JPUSHTagsOperationCompletion!,
        seq: Int
    ) {
        change(tags, completion: completion, seq: seq) { .setTags($0, proofs: proofs) }
    }

    /// Removes tags. `completion` gets code 0, or the error's, the tags that remain and `seq`.
    public class func deleteTags(_ tags: _Tags!, completion: JPUSHTagsOperationCompletion!, seq: Int) {
        change(tags, completion: completion, seq: seq) { .deleteTags($0) }
    }

    /// Removes all tags.
    public class func cleanTags(_ completion: JPUSHTagsOperationCompletion!, seq: Int) {
        client.request(.cleanTags) { completion?($0.code, nil, seq) }
    }

    /// Asks the service for all tags. `completion` gets code 0, or the error's, the tags and `seq`.
    public class func getAllTags(_ completion: JPUSHTagsOperationCompletion!, seq: Int) {
        client.request(.getTags) { reply in
            completion?(reply.code, Set((reply.tags ?? []).map { AnyHashable($0) }), seq)
        }
    }

    /// Asks whether the device has this tag.
    public class func validTag(_ tag: _Text!, completion: JPUSHTagValidOperationCompletion!, seq: Int) {
        let echo = tag.map { Set([AnyHashable("\($0)")]) }
        let text = TagRules.text(tag)
        let code = TagRules.code(tags: text.map { [$0] })
        guard code == 0, let tag = text else { return client.onMain { completion?(code, echo, seq, false) } }
        client.request(.checkTag(tag)) { completion?($0.code, echo, seq, $0.isBound ?? false) }
    }

    /// Returns the valid tags, at most 1000.
    @discardableResult
    public class func filterValidTags(_ tags: Set<AnyHashable>!) -> Set<AnyHashable>! {
        let valid = (tags ?? []).filter { ($0.base as? String).map(TagRules.isValid) ?? false }
        return Set(valid.prefix(TagRules.count))
    }

    private class func change(
        _ tags: _Tags?,
        completion: JPUSHTagsOperationCompletion?,
        seq: Int,
        _ request: ([String]) -> DeviceOperation
    ) {
        let echo = tags.map { Set($0.map { AnyHashable($0) }) }
        let texts = echo.map(TagRules.texts)
        let code = TagRules.code(tags: texts)
        guard code == 0, let tags = texts else { return client.onMain { completion?(code, echo, seq) } }
        client.request(request(tags.sorted())) { completion?($0.code, echo, seq) }
    }
}

extension JPUSHService {
    /// Sets the device's alias, replacing any other; one alias per device, one operation at a time (6022).
    public class func setAlias(_ alias: _Text!, completion: JPUSHAliasOperationCompletion!, seq: Int) {
        setAlias(alias, proof: nil, completion: completion, seq: seq)
    }

    /// Sets the device's alias with the proof of the app's backend, which an app needs whose operator asks for proofs. Posthorn's own.
    ///
    /// `completion` gets code 0, or the error's, the alias and `seq`; 6017 if the proof is not that of this device and alias.
    public class func setAlias(
        _ alias: _Text!,
        proof: String!,
        completion: JPUSHAliasOperationCompletion!,
        seq: Int
    ) {
        let echo = alias.map { "\($0)" }
        let text = TagRules.text(alias)
        let code = TagRules.code(alias: text)
        guard code == 0, let alias = text else { return client.onMain { completion?(code, echo, seq) } }
        client.request(.setAlias(alias, proof: proof)) { completion?($0.code, alias, seq) }
    }

    /// Removes the alias. `completion` gets code 0, or the error's, the alias and `seq`.
    public class func deleteAlias(_ completion: JPUSHAliasOperationCompletion!, seq: Int) {
        client.request(.deleteAlias) { completion?($0.code, nil, seq) }
    }

    /// Asks the service for the alias. `completion` gets code 0, or the error's, the alias, which is empty if there is none, and `seq`.
    public class func getAlias(_ completion: JPUSHAliasOperationCompletion!, seq: Int) {
        client.request(.getAlias) { completion?($0.code, $0.alias ?? "", seq) }
    }
}

// The calls before SDK 3.0.6: nil leaves a value unchanged, an empty set or text clears it, both nil is 6001. A
// selector is never called: only Objective-C can.

extension JPUSHService {
    /// Sets tags and alias; one call of the handler for both.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use setTags and setAlias with completion and seq.")
    public class func setTags(
        _ tags: Set<AnyHashable>!,
        alias: _Text!,
        fetchCompletionHandle completionHandler: (
            (_ iResCode: Int32, _ iTags: Set<AnyHashable>?, _ iAlias: String?) -> Void
        )!
    ) {
        let echo = alias.map { "\($0)" }
        let texts = tags.map(TagRules.texts)
        LabelChange(tags: texts, alias: TagRules.text(alias)).send(with: client) { code in
            completionHandler?(Int32(clamping: code), tags, echo)
        }
    }

    /// Sets tags and alias without an answer: repeated until the service has accepted them, regardless of other
    /// operations.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use setTags and setAlias with completion and seq.")
    public class func setTags(_ tags: Set<AnyHashable>!, aliasInbackground alias: _Text!) {
        let texts = tags.map(TagRules.texts)
        LabelChange(tags: texts, alias: TagRules.text(alias)).sendInBackground(with: client)
    }

    /// Sets tags and alias, by the spelling before SDK 3; the selector is not called, because Linux has no
    /// Objective-C.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use setTags and setAlias with completion and seq.")
    public class func setTags(
        _ tags: Set<AnyHashable>!,
        alias: _Text!,
        callbackSelector cbSelector: Selector!,
        object theTarget: Any!
    ) {
        setTags(tags, alias: alias, fetchCompletionHandle: nil)
    }

    /// Sets tags and alias, by a spelling before SDK 3.
    @available(iOS, introduced: 4.0, deprecated: 10.0, message: "Use setTags and setAlias with completion and seq.")
    public class func setTags(
        _ tags: Set<AnyHashable>!,
        alias: _Text!,
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
    public class func setAlias(_ alias: _Text!, callbackSelector cbSelector: Selector!, object theTarget: Any!) {
        setTags(nil, alias: alias, fetchCompletionHandle: nil)
    }
}

#endif
