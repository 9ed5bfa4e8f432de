public import UIKit

/// UIKit's placeholder for Objective-C's selectors, for sources that import this module alone.
public typealias Selector = UIKit.Selector

public typealias NSInteger = Int
public typealias NSUInteger = UInt
