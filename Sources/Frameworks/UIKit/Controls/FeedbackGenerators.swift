public import Foundation

/// The base class of what makes the device vibrate. The emulated device does not vibrate.
@preconcurrency @MainActor
open class UIFeedbackGenerator: NSObject {
    public override nonisolated init() { super.init() }

    /// Has no effect.
    open func prepare() {}
}

/// The feel of a collision.
@preconcurrency @MainActor
open class UIImpactFeedbackGenerator: UIFeedbackGenerator {
    /// The weight of what collides. Raw values: Apple, `UIImpactFeedbackStyle`.
    public enum FeedbackStyle: Int, Sendable {
        /// Light.
        case light = 0
        /// Neither light nor heavy.
        case medium, heavy, soft, rigid
    }

    /// Creates a generator.
    public convenience init(style: FeedbackStyle) { self.init() }

    /// Has no effect.
    open func impactOccurred() {}
    /// Has no effect.
    open func impactOccurred(intensity: CGFloat) {}
}

/// The feel of a result.
@preconcurrency @MainActor
open class UINotificationFeedbackGenerator: UIFeedbackGenerator {
    /// The kind of a result. Raw values: Apple, `UINotificationFeedbackType`.
    public enum FeedbackType: Int, Sendable {
        /// It worked.
        case success = 0
        /// It worked, with a doubt; or it did not.
        case warning, error
    }

    /// Has no effect.
    open func notificationOccurred(_ notificationType: FeedbackType) {}
}

/// The feel of a choice.
@preconcurrency @MainActor
open class UISelectionFeedbackGenerator: UIFeedbackGenerator {
    /// Has no effect.
    open func selectionChanged() {}
}
