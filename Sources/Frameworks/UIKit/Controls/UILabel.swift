public import Foundation

/// A text that cannot be edited. It is kept; Posthorn draws nothing.
///
/// Source: Apple, `UILabel`.
@preconcurrency @MainActor
open class UILabel: UIView {
    /// The text; nil for none.
    open var text: String?
    /// The text with formats, of which the label keeps the characters.
    open var attributedText: NSAttributedString? {
        get { text.map { NSAttributedString(string: $0) } }
        set { text = newValue?.string }
    }
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The font; stored only.
    open var font: UIFont! = UIFont.systemFont(ofSize: UIFont.labelFontSize)
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The colour of the text; stored only.
    open var textColor: UIColor! = .label
    /// The alignment of the text; stored only.
    open var textAlignment = NSTextAlignment.natural
    /// Where lines are broken; stored only.
    open var lineBreakMode = NSLineBreakMode.byTruncatingTail
    /// The greatest number of lines; 0 for any. Stored only.
    open var numberOfLines = 1
    /// Whether the text is drawn as usable; stored only.
    open var isEnabled = true
    /// Whether long text is drawn smaller; stored only.
    open var adjustsFontSizeToFitWidth = false
    /// Whether the font follows the user's text size; stored only.
    open var adjustsFontForContentSizeCategory = false
    /// The least scale of long text, 0 to 1; stored only.
    open var minimumScaleFactor: CGFloat = 0
    /// The width for breaking lines, in points; stored only.
    open var preferredMaxLayoutWidth: CGFloat = 0
}

/// A view with an image. Posthorn draws nothing.
///
/// Source: Apple, `UIImageView`.
@preconcurrency @MainActor
open class UIImageView: UIView {
    /// The picture; nil for none.
    open var image: UIImage?
    /// The picture while it is highlighted; nil for the same.
    open var highlightedImage: UIImage?
    /// Whether the other picture is shown.
    open var isHighlighted = false
    /// The pictures of an animation; nil for none.
    open var animationImages: [UIImage]?
    /// The time that the pictures take, in seconds; 0 for a thirtieth each. Stored only.
    open var animationDuration: TimeInterval = 0
    /// Whether it is animated.
    open private(set) var isAnimating = false

    /// Creates a view in the size of the image.
    public init(image: UIImage?) {
        super.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
        self.image = image
    }

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// Starts the animation, which nobody sees.
    open func startAnimating() { isAnimating = true }
    /// Stops the animation.
    open func stopAnimating() { isAnimating = false }
}

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
