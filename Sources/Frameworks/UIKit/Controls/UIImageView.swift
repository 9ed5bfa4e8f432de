public import Foundation

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
