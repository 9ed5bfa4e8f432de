#if os(iOS) || os(Linux) && canImport(UIKit)

#if !canImport(ObjectiveC)
public import UIKit

/// UIKit's placeholder for Objective-C's selectors, for sources that import this module alone.
public typealias Selector = UIKit.Selector

/// The name of `Int` in Objective-C, as sources of SDK users write it.
public typealias NSInteger = Int
/// The name of `UInt` in Objective-C, as sources of SDK users write it.
public typealias NSUInteger = UInt
#endif

#endif
