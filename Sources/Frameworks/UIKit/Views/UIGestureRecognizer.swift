public import Foundation

/// The recogniser of a gesture. It belongs to a view; nobody touches views here, so none is recognised.
@preconcurrency @MainActor
open class UIGestureRecognizer: NSObject {
    /// The progress of a gesture. Raw values: Apple, `UIGestureRecognizerState`.
    public enum State: Int, Sendable {
        case possible = 0
        case began = 1
        case changed = 2
        case ended = 3
        case cancelled = 4
        case failed = 5
    }

    open var isEnabled = true
    open var cancelsTouchesInView = true
    open var name: String?
    open private(set) weak var view: UIView?
    open var state: State { .possible }

    public override nonisolated init() { super.init() }

    /// Creates a recogniser. The target is never told: Linux has no selectors.
    public convenience init(target: Any?, action: Selector?) { self.init() }

    open func location(in view: UIView?) -> CGPoint { .zero }

    func attach(to view: UIView?) { self.view = view }
}

/// The recogniser of taps.
@preconcurrency @MainActor
open class UITapGestureRecognizer: UIGestureRecognizer {
    open var numberOfTapsRequired = 1
    open var numberOfTouchesRequired = 1
}

/// The recogniser of long presses.
@preconcurrency @MainActor
open class UILongPressGestureRecognizer: UIGestureRecognizer {
    open var minimumPressDuration: TimeInterval = 0.5
    open var allowableMovement: CGFloat = 10
}

/// The recogniser of swipes.
@preconcurrency @MainActor
open class UISwipeGestureRecognizer: UIGestureRecognizer {
    /// The direction of a swipe. Raw values: Apple, `UISwipeGestureRecognizerDirection`.
    public struct Direction: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let right = Self(rawValue: 1)
        public static let left = Self(rawValue: 2)
        public static let up = Self(rawValue: 4)
        public static let down = Self(rawValue: 8)
    }

    open var direction = Direction.right
    open var numberOfTouchesRequired = 1
}

/// The recogniser of drags.
@preconcurrency @MainActor
open class UIPanGestureRecognizer: UIGestureRecognizer {
    open var minimumNumberOfTouches = 1
    open var maximumNumberOfTouches = Int.max

    open func translation(in view: UIView?) -> CGPoint { .zero }
}
