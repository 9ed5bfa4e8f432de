public import Foundation

/// A wheel that shows work under way. Posthorn draws nothing.
///
/// Source: Apple, `UIActivityIndicatorView`.
@preconcurrency @MainActor
open class UIActivityIndicatorView: UIView {
    /// The size of a wheel. Raw values: Apple, `UIActivityIndicatorViewStyle`.
    public enum Style: Int, Sendable {
        /// As large as text.
        case medium = 100
        /// Larger.
        case large = 101
    }

    /// The size; stored only.
    open var style = Style.medium
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The colour; stored only.
    open var color: UIColor!
    /// Whether it hides while it does not turn; stored only.
    open var hidesWhenStopped = true
    /// Whether it turns.
    open private(set) var isAnimating = false

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init(coder: NSCoder) { super.init(frame: .zero) }

    /// Creates a view that does not turn.
    public convenience init(style: Style) {
        self.init(frame: .zero)
        self.style = style
    }

    /// Starts turning.
    open func startAnimating() { isAnimating = true }
    /// Stops turning.
    open func stopAnimating() { isAnimating = false }
}
