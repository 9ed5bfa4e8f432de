public import Foundation

/// The place at which the bubble of a presentation begins. Its values are kept; a phone shows a sheet in its place.
///
/// Source: Apple, `UIPopoverPresentationController`.
@preconcurrency @MainActor
open class UIPopoverPresentationController: NSObject {
    /// The view that the bubble points to; nil for none.
    open weak var sourceView: UIView?
    /// The part of that view.
    open var sourceRect = CGRect.null
    /// The button that the bubble points to; nil for none.
    open weak var barButtonItem: UIBarButtonItem?
    /// The sides on which the bubble may be.
    open var permittedArrowDirections = UIPopoverArrowDirection.any

    nonisolated override init() { super.init() }
}

/// The side of a bubble with its arrow. Raw values: Apple, `UIPopoverArrowDirection`.
public struct UIPopoverArrowDirection: OptionSet, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The arrow points up.
    public static let up = Self(rawValue: 1)
    /// The arrow points down.
    public static let down = Self(rawValue: 2)
    /// The arrow points to the left.
    public static let left = Self(rawValue: 4)
    /// The arrow points to the right.
    public static let right = Self(rawValue: 8)
    /// Any side.
    public static let any: Self = [.up, .down, .left, .right]
}
