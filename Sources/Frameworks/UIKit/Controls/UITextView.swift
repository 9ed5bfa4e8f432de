public import Foundation

/// A text of several lines. It is kept; nobody writes into it but the app.
///
/// Source: Apple, `UITextView`.
@preconcurrency @MainActor
open class UITextView: UIScrollView {
    public nonisolated static let textDidChangeNotification = NSNotification.Name("UITextViewTextDidChangeNotification")

    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var text: String! = ""
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open var attributedText: NSAttributedString! {
        get { NSAttributedString(string: text ?? "") }
        set { text = newValue?.string }
    }
    open var font: UIFont?
    open var textColor: UIColor?
    open var textAlignment = NSTextAlignment.natural
    open var isEditable = true
    open var isSelectable = true
    open var textContainerInset = UIEdgeInsets(top: 8, left: 0, bottom: 8, right: 0)
    open var keyboardType = UIKeyboardType.default
    open var returnKeyType = UIReturnKeyType.default
    open var selectedRange = NSRange(location: 0, length: 0)
    public let textContainer: NSTextContainer

    public init(frame: CGRect, textContainer: NSTextContainer?) {
        self.textContainer = textContainer ?? NSTextContainer(size: frame.size)
        super.init(frame: frame)
    }

    public required init?(coder: NSCoder) {
        textContainer = NSTextContainer(size: .zero)
        super.init(coder: coder)
    }

    public override convenience init(frame: CGRect) { self.init(frame: frame, textContainer: nil) }

    open var hasText: Bool { text?.isEmpty == false }
    open override var canBecomeFirstResponder: Bool { isEditable }
    open func insertText(_ text: String) { self.text = (self.text ?? "") + text }
    open func scrollRangeToVisible(_ range: NSRange) {}
}

/// The delegate of a text view. Its methods are about a person who writes, so none is called.
///
/// Source: Apple, `UITextViewDelegate`.
@preconcurrency @MainActor
public protocol UITextViewDelegate: UIScrollViewDelegate {
    func textViewDidBeginEditing(_ textView: UITextView)
    func textViewDidChange(_ textView: UITextView)
    func textViewDidEndEditing(_ textView: UITextView)
}

extension UITextViewDelegate {
    public func textViewDidBeginEditing(_ textView: UITextView) {}
    public func textViewDidChange(_ textView: UITextView) {}
    public func textViewDidEndEditing(_ textView: UITextView) {}
}

/// The area of a text. It is kept; Posthorn lays out nothing.
open class NSTextContainer: NSObject {
    open var size: CGSize
    open var lineFragmentPadding: CGFloat = 5
    open var maximumNumberOfLines = 0

    public init(size: CGSize) { self.size = size }
}
