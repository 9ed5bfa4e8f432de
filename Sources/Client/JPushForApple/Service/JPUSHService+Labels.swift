#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation
import PosthornClient

extension JPUSHService {
    /// Replaces all tags.
    public class func setTags(_ tags: Set<String>!, completion: JPUSHTagsOperationCompletion!, seq: Int) {
        change(tags, completion: completion, seq: seq) { .setTags($0) }
    }

    /// Adds tags, at most 1000 in all. `completion` gets code 0, or the error's, the tags and `seq`.
    public class func addTags(_ tags: Set<String>!, completion: JPUSHTagsOperationCompletion!, seq: Int) {
        change(tags, completion: completion, seq: seq) { .addTags($0) }
    }

    /// Removes tags. `completion` gets code 0, or the error's, the tags of the call and `seq`.
    public class func deleteTags(_ tags: Set<String>!, completion: JPUSHTagsOperationCompletion!, seq: Int) {
        change(tags, completion: completion, seq: seq) { .deleteTags($0) }
    }

    /// Removes all tags.
    public class func cleanTags(_ completion: JPUSHTagsOperationCompletion!, seq: Int) {
        PushCore.shared.perform(.cleanTags) { code, _ in completion?(code, nil, seq) }
    }

    /// Asks the service for all tags. `completion` gets code 0, or the error's, the tags and `seq`.
    public class func getAllTags(_ completion: JPUSHTagsOperationCompletion!, seq: Int) {
        PushCore.shared.perform(.getTags) { code, answer in
            completion?(code, answer.tags.map { Set($0.map { AnyHashable($0) }) }, seq)
        }
    }

    /// Asks whether the device has this tag.
    public class func validTag(_ tag: String!, completion: JPUSHTagValidOperationCompletion!, seq: Int) {
        let echo = tag.map { Set([AnyHashable($0)]) }
        guard let tag, !tag.isEmpty else {
            return MainCall(completion).call { $0?(ResultCode.nothingToSet, nil, seq, false) }
        }
        PushCore.shared.perform(.checkTag(tag)) { code, answer in
            completion?(code, echo, seq, answer.isBound ?? false)
        }
    }

    /// Returns the valid tags, at most 1000.
    @discardableResult
    public class func filterValidTags(_ tags: Set<AnyHashable>!) -> Set<AnyHashable>! {
        let valid = (tags ?? []).filter { ($0.base as? String).map(Self.isValid) ?? false }
        return Set(valid.prefix(1000))
    }

    /// Sets the alias. `completion` gets code 0, or the error's, the alias and `seq`.
    public class func setAlias(_ alias: String!, completion: JPUSHAliasOperationCompletion!, seq: Int) {
        guard let alias, !alias.isEmpty else {
            return MainCall(completion).call { $0?(ResultCode.nothingToSet, nil, seq) }
        }
        PushCore.shared.perform(.setAlias(alias)) { code, _ in completion?(code, alias, seq) }
    }

    /// Removes the alias.
    public class func deleteAlias(_ completion: JPUSHAliasOperationCompletion!, seq: Int) {
        PushCore.shared.perform(.deleteAlias) { code, _ in completion?(code, nil, seq) }
    }

    /// Asks the service for the alias.
    public class func getAlias(_ completion: JPUSHAliasOperationCompletion!, seq: Int) {
        PushCore.shared.perform(.getAlias) { code, answer in completion?(code, answer.alias, seq) }
    }

    private class func change(
        _ tags: Set<String>?,
        completion: JPUSHTagsOperationCompletion?,
        seq: Int,
        _ operation: ([String]) -> DeviceOperation
    ) {
        guard let tags, !tags.isEmpty else {
            return MainCall(completion).call { $0?(ResultCode.nothingToSet, nil, seq) }
        }
        let echo = Set(tags.map { AnyHashable($0) })
        PushCore.shared.perform(operation(tags.sorted())) { code, _ in completion?(code, echo, seq) }
    }

    private class func isValid(_ tag: String) -> Bool {
        !tag.isEmpty && tag.utf8.count <= 40
            && tag.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "\u{4E00}"..."\u{9FFF}", "\u{3400}"..."\u{4DBF}": true
                default: "_@!#$&*+=.|".unicodeScalars.contains(scalar)
                }
            }
    }

    // MARK: Before SDK 3.0.6: nil leaves a value unchanged, an empty set or text clears it

    /// Sets tags and alias; one call of the handler for both.
    @available(iOS, deprecated: 10.0, message: "Use setTags(_:completion:seq:) and setAlias(_:completion:seq:).")
    public class func setTags(
        _ tags: Set<AnyHashable>!,
        alias: String!,
        fetchCompletionHandle completionHandler: (
            (_ iResCode: Int32, _ iTags: Set<AnyHashable>?, _ iAlias: String?) -> Void
        )!
    ) {
        let texts = tags.map { Set($0.compactMap { $0.base as? String }).sorted() }
        let tagChange = texts.map { $0.isEmpty ? DeviceOperation.cleanTags : .setTags($0) }
        let aliasChange = alias.map { $0.isEmpty ? DeviceOperation.deleteAlias : .setAlias($0) }
        guard let first = tagChange ?? aliasChange else {
            return MainCall(completionHandler).call { $0?(Int32(ResultCode.nothingToSet), nil, nil) }
        }
        let second = tagChange == nil ? nil : aliasChange
        PushCore.shared.perform(first) { code, _ in
            guard code == 0, let second else { return completionHandler?(Int32(code), tags, alias) ?? () }
            PushCore.shared.perform(second) { code, _ in completionHandler?(Int32(code), tags, alias) }
        }
    }

    /// Sets tags and alias without an answer.
    @available(iOS, deprecated: 10.0, message: "Use setTags(_:completion:seq:) and setAlias(_:completion:seq:).")
    public class func setTags(_ tags: Set<AnyHashable>!, aliasInbackground alias: String!) {
        setTags(tags, alias: alias, fetchCompletionHandle: nil)
    }

    /// Sets the alias. The selector is not called.
    @available(iOS, deprecated: 10.0, message: "Use setAlias(_:completion:seq:).")
    public class func setAlias(_ alias: String!, callbackSelector cbSelector: Selector!, object theTarget: Any!) {
        setTags(nil, alias: alias, fetchCompletionHandle: nil)
    }

    /// Sets tags and alias. The selector is not called.
    @available(iOS, deprecated: 10.0, message: "Use setTags(_:completion:seq:) and setAlias(_:completion:seq:).")
    public class func setTags(
        _ tags: Set<AnyHashable>!,
        alias: String!,
        callbackSelector cbSelector: Selector!,
        object theTarget: Any!
    ) {
        setTags(tags, alias: alias, fetchCompletionHandle: nil)
    }

    // MARK: Badge and mobile number

    /// Stores the device's badge in the service as the base of a push with `"+1"`; the icon does not change.
    ///
    /// - Parameter value: 0 to 99999.
    /// - Returns: false for any other number; nothing is sent in that case.
    @discardableResult
    public class func setBadge(_ value: Int) -> Bool {
        guard 0...99_999 ~= value else { return false }
        PushCore.shared.perform(.setBadge(value))
        return true
    }

    /// Sets the badge at the service to 0.
    public class func resetBadge() { setBadge(0) }

    /// Sets the number for text messages; nil or empty for none. `completion` gets nil on success.
    public class func setMobileNumber(_ mobileNumber: String!, completion: (((any Error)?) -> Void)!) {
        let number = mobileNumber.flatMap { $0.isEmpty ? nil : $0 }
        PushCore.shared.perform(.setMobile(number)) { code, _ in
            completion?(code == 0 ? nil : ResultCode.error(code))
        }
    }

    // MARK: Properties

    /// Answers with code 6036: the service has no properties.
    public class func setProperties(
        _ properties: [AnyHashable: Any]!,
        completion: JPUSHPropertiesOperationCompletion!,
        seq: Int
    ) {
        MainCall(completion).call { $0?(ResultCode.noProperties, nil, seq) }
    }

    /// Answers with code 6036: the service has no properties.
    public class func deleteProperties(
        _ properties: Set<String>!,
        completion: JPUSHPropertiesOperationCompletion!,
        seq: Int
    ) {
        MainCall(completion).call { $0?(ResultCode.noProperties, nil, seq) }
    }

    /// Answers with code 6036: the service has no properties.
    public class func cleanProperties(_ completion: JPUSHPropertiesOperationCompletion!, seq: Int) {
        MainCall(completion).call { $0?(ResultCode.noProperties, nil, seq) }
    }
}

#endif
