public import Foundation

/// The recogniser of a gesture. It belongs to a view; nobody touches views here, so none is recognised.
@preconcurrency @MainActor
open class UIGestureRecognizer: NSObject {
    /// The progress of a gesture. Raw values: Apple, `UIGestureRecognizerState`.
    public enum State: Int, Sendable {
        /// Not recognised yet, the only state here: nobody touches views.
        case possible
        /// It has begun, has changed, has ended (for taps: was recognised), was ended by the system, and was something else.
        case began, changed, ended, cancelled, failed
    }

    /// Whether it looks at touches.
    open var isEnabled = true
    /// Whether the view does not get the touches of a recognised gesture; stored only.
    open var cancelsTouchesInView = true
    /// The receiver of the questions about gestures; none is asked here.
    open weak var delegate: (any UIGestureRecognizerDelegate)?
    /// A name for the app's own use.
    open var name: String?
    /// The view that it belongs to; nil for none.
    open private(set) weak var view: UIView?
    /// Always possible: nobody touches views.
    open var state: State { .possible }

    public override nonisolated init() { super.init() }

    /// Creates a recogniser. The target is never told: Linux has no selectors.
    public convenience init(target: Any?, action: Selector?) { self.init() }

    /// Returns zero: nobody touches views.
    open func location(in view: UIView?) -> CGPoint { .zero }

    func attach(to view: UIView?) { self.view = view }
}

/// Decides on gestures. It is never asked here: nobody touches views.
@preconcurrency @MainActor
public protocol UIGestureRecognizerDelegate: NSObjectProtocol {
    /// Whether a gesture may begin.
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool
    /// Whether a recogniser looks at a touch.
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool
    /// Whether two gestures may take place at the same time.
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool
}

extension UIGestureRecognizerDelegate {
    public func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }
    public func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        true
    }
    public func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { false }
}

/// The recogniser of taps.
@preconcurrency @MainActor
open class UITapGestureRecognizer: UIGestureRecognizer {
    /// The number of taps; stored only.
    open var numberOfTapsRequired = 1
    /// The number of fingers; stored only.
    open var numberOfTouchesRequired = 1
}

/// The recogniser of long presses.
@preconcurrency @MainActor
open class UILongPressGestureRecognizer: UIGestureRecognizer {
    /// The least time that the finger is down, in seconds; stored only.
    open var minimumPressDuration: TimeInterval = 0.5
    /// The distance that the finger may move, in points; stored only.
    open var allowableMovement: CGFloat = 10
}

/// The recogniser of swipes.
@preconcurrency @MainActor
open class UISwipeGestureRecognizer: UIGestureRecognizer {
    /// The direction of a swipe. Raw values: Apple, `UISwipeGestureRecognizerDirection`.
    public struct Direction: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// To the right.
        public static let right = Self(rawValue: 1)
        /// To the left.
        public static let left = Self(rawValue: 2)
        /// Upwards.
        public static let up = Self(rawValue: 4)
        /// Downwards.
        public static let down = Self(rawValue: 8)
    }

    /// The direction; stored only.
    open var direction = Direction.right
    /// The number of fingers; stored only.
    open var numberOfTouchesRequired = 1
}

/// The recogniser of drags.
@preconcurrency @MainActor
open class UIPanGestureRecognizer: UIGestureRecognizer {
    /// The least number of fingers; stored only.
    open var minimumNumberOfTouches = 1
    /// The greatest number of fingers; stored only.
    open var maximumNumberOfTouches = Int.max

    /// Returns zero: nobody touches views.
    open func translation(in view: UIView?) -> CGPoint { .zero }
}
