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

#endif
