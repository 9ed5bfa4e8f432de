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
