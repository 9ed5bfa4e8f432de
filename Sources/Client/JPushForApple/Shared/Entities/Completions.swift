#if os(iOS) || os(Linux) && canImport(UIKit)

public import Foundation

/// The result code, the tags of the call, and its `seq`.
public typealias JPUSHTagsOperationCompletion = (_ iResCode: Int, _ iTags: Set<AnyHashable>?, _ seq: Int) -> Void

/// The result code, the tag, `seq`, and whether the device has the tag.
public typealias JPUSHTagValidOperationCompletion = (
    _ iResCode: Int, _ iTags: Set<AnyHashable>?, _ seq: Int, _ isBind: Bool
) -> Void

/// The result code, the alias and the `seq` of the call.
public typealias JPUSHAliasOperationCompletion = (_ iResCode: Int, _ iAlias: String?, _ seq: Int) -> Void

/// The result code, the properties and the `seq` of the call.
public typealias JPUSHPropertiesOperationCompletion = (
    _ iResCode: Int, _ properties: [AnyHashable: Any]?, _ seq: Int
) -> Void

/// The result code, the activity, its token and the `seq` of the call.
public typealias JPUSHLiveActivityTokenCompletion = (
    _ iResCode: Int, _ iLiveActivityId: String?, _ pushToken: Data?, _ seq: Int
) -> Void

#endif
