public import Foundation

/// A text of several lines. It is kept; nobody writes into it but the app.
///
/// Source: Apple, `UITextView`.
@preconcurrency @MainActor
open class UITextView: UIScrollView {
    /// Posted when the user changes the text.
    public nonisolated static let textDidChangeNotification = NSNotification.Name("UITextViewTextDidChangeNotification")

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The text.
    open var text: String! = ""
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The text with formats, of which the view keeps the characters.
    open var attributedText: NSAttributedString! {
        get { NSAttributedString(string: text ?? "") }
        set { text = newValue?.string }
    }
    /// The font; stored only.
    open var font: UIFont?
    /// The colour of the text; stored only.
    open var textColor: UIColor?
    /// The alignment of the text; stored only.
    open var textAlignment = NSTextAlignment.natural
    /// Whether the user can change the text; stored only.
    open var isEditable = true
    /// Whether the user can select text; stored only.
    open var isSelectable = true
    /// The space around the text; stored only.
    open var textContainerInset = UIEdgeInsets(top: 8, left: 0, bottom: 8, right: 0)
    /// The keyboard; stored only.
    open var keyboardType = UIKeyboardType.default
    /// The key that ends a line; stored only.
    open var returnKeyType = UIReturnKeyType.default
    /// The selected characters, in UTF-16 units.
    open var selectedRange = NSRange(location: 0, length: 0)
    /// The area of the text.
    public let textContainer: NSTextContainer

    /// Creates a view; without a container it makes its own.
    public init(frame: CGRect, textContainer: NSTextContainer?) {
        self.textContainer = textContainer ?? NSTextContainer(size: frame.size)
        super.init(frame: frame)
    }

    public required init?(coder: NSCoder) {
        textContainer = NSTextContainer(size: .zero)
        super.init(coder: coder)
    }

    public override convenience init(frame: CGRect) { self.init(frame: frame, textContainer: nil) }

    /// Whether there is text.
    open var hasText: Bool { text?.isEmpty == false }
    open override var canBecomeFirstResponder: Bool { isEditable }
    /// Adds text at the end.
    open func insertText(_ text: String) { self.text = (self.text ?? "") + text }
    /// Does nothing: nothing is scrolled.
    open func scrollRangeToVisible(_ range: NSRange) {}
}

/// The delegate of a text view. Its methods are about a person who writes, so none is called.
///
/// Source: Apple, `UITextViewDelegate`.
@preconcurrency @MainActor
public protocol UITextViewDelegate: UIScrollViewDelegate {
    /// Editing has begun.
    func textViewDidBeginEditing(_ textView: UITextView)
    /// The text has changed.
    func textViewDidChange(_ textView: UITextView)
    /// Editing has ended.
    func textViewDidEndEditing(_ textView: UITextView)
}

extension UITextViewDelegate {
    public func textViewDidBeginEditing(_ textView: UITextView) {}
    public func textViewDidChange(_ textView: UITextView) {}
    public func textViewDidEndEditing(_ textView: UITextView) {}
}

/// The area of a text. It is kept; Posthorn lays out nothing.
open class NSTextContainer: NSObject {
    /// The size of the area.
    open var size: CGSize
    /// The space at both ends of a line, in points.
    open var lineFragmentPadding: CGFloat = 5
    /// The greatest number of lines; 0 for any.
    open var maximumNumberOfLines = 0

    /// Creates an area.
    public init(size: CGSize) { self.size = size }
}
