public import Foundation

extension UIView {
    /// The placement of content in a view. Raw values: Apple, `UIViewContentMode`.
    public enum ContentMode: Int, Sendable {
        /// Stretched to both edges; stored only, like all modes.
        case scaleToFill
        /// With the proportions kept: as large as fits, and covering the area.
        case scaleAspectFit, scaleAspectFill
        /// Drawn again at each change of the size.
        case redraw
        /// In the middle, at an edge, or in a corner; top is the upper one.
        case center, top, bottom, left, right, topLeft, topRight, bottomLeft, bottomRight
    }

    /// The dimensions that follow the superview's. Raw values: Apple, `UIViewAutoresizing`.
    public struct AutoresizingMask: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The distance to the left edge changes; stored only, like all of them.
        public static let flexibleLeftMargin = Self(rawValue: 1)
        /// The width changes.
        public static let flexibleWidth = Self(rawValue: 2)
        /// The distance to the right edge changes.
        public static let flexibleRightMargin = Self(rawValue: 4)
        /// The distance to the upper edge changes.
        public static let flexibleTopMargin = Self(rawValue: 8)
        /// The height changes.
        public static let flexibleHeight = Self(rawValue: 16)
        /// The distance to the lower edge changes.
        public static let flexibleBottomMargin = Self(rawValue: 32)
    }

    /// The way in which an animation runs. Raw values: Apple, `UIViewAnimationOptions`.
    public struct AnimationOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Lays out the views below too; without effect, like all options: changes apply at once.
        public static let layoutSubviews = Self(rawValue: 1)
        /// Views can be touched meanwhile.
        public static let allowUserInteraction = Self(rawValue: 2)
        /// Starts from what is on the screen.
        public static let beginFromCurrentState = Self(rawValue: 4)
        /// Repeats for ever.
        public static let `repeat` = Self(rawValue: 8)
        /// There and back.
        public static let autoreverse = Self(rawValue: 16)
        /// Slow at both ends.
        public static let curveEaseInOut: Self = []
        /// Slow at first.
        public static let curveEaseIn = Self(rawValue: 1 << 16)
        /// Slow at last.
        public static let curveEaseOut = Self(rawValue: 2 << 16)
        /// At one speed.
        public static let curveLinear = Self(rawValue: 3 << 16)
        /// Fades from one view to the other.
        public static let transitionCrossDissolve = Self(rawValue: 5 << 20)
    }

    /// Makes the changes at once: animations take no time here. `completion` runs after the current event.
    public class func animate(
        withDuration duration: TimeInterval,
        delay: TimeInterval = 0,
        options: AnimationOptions = [],
        animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        animations()
        if let completion { Transitions.current.add { completion(true) } }
    }
}

extension UIView {
    private static var enablesAnimations = true

    /// Switches animations off or on, which take no time anyway.
    public class func setAnimationsEnabled(_ enabled: Bool) { enablesAnimations = enabled }

    /// Whether animations are on.
    public class var areAnimationsEnabled: Bool { enablesAnimations }
}
