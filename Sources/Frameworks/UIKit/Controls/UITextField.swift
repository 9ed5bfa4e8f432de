public import Foundation
import SystemPort

/// A line of text. A person can write into the fields of an alert; others keep what the app sets.
///
/// Source: Apple, `UITextField`.
@preconcurrency @MainActor
open class UITextField: UIControl {
    /// The frame of a field. Raw values: Apple, `UITextBorderStyle`.
    public enum BorderStyle: Int, Sendable {
        /// No border, a line, a border with depth, and a line with round corners.
        case none, line, bezel, roundedRect
    }

    /// Posted when editing begins.
    public nonisolated static let textDidBeginEditingNotification = NSNotification.Name(
        "UITextFieldTextDidBeginEditingNotification"
    )
    /// Posted when the user changes the text.
    public nonisolated static let textDidChangeNotification = NSNotification.Name(
        "UITextFieldTextDidChangeNotification"
    )
    /// Posted when editing ends.
    public nonisolated static let textDidEndEditingNotification = NSNotification.Name(
        "UITextFieldTextDidEndEditingNotification"
    )

    /// The receiver of the changes, which may also refuse them.
    open weak var delegate: (any UITextFieldDelegate)?
    /// The text; never nil for long, as nil becomes the empty text on Apple's systems.
    open var text: String? = "" { didSet { changed?() } }
    /// The text in the empty field; nil for none.
    open var placeholder: String? { didSet { changed?() } }
    /// Whether the text is hidden.
    open var isSecureTextEntry = false { didSet { changed?() } }
    /// The font; stored only.
    open var font: UIFont?
    /// The colour of the text; stored only.
    open var textColor: UIColor?
    /// The alignment of the text; stored only.
    open var textAlignment = NSTextAlignment.natural
    /// The border; stored only.
    open var borderStyle = BorderStyle.none
    /// The keyboard; stored only.
    open var keyboardType = UIKeyboardType.default
    /// The key that ends a line; stored only.
    open var returnKeyType = UIReturnKeyType.default
    /// Which letters become capitals; stored only.
    open var autocapitalizationType = UITextAutocapitalizationType.sentences
    /// Whether the text is corrected; stored only.
    open var autocorrectionType = UITextAutocorrectionType.default
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    /// The meaning of the text, by which the system suggests one; stored only.
    open var textContentType: UITextContentType!
    /// Whether the text is removed when editing begins; stored only.
    open var clearsOnBeginEditing = false
    /// Shows the field again where the device shows it.
    var changed: (() -> Void)?

    /// Whether there is text.
    open var hasText: Bool { text?.isEmpty == false }
    /// Whether the field has the keyboard.
    open var isEditing: Bool { isFirstResponder }
    open override var canBecomeFirstResponder: Bool { isEnabled }

    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        guard !isFirstResponder else { return true }
        guard delegate?.textFieldShouldBeginEditing(self) ?? true, super.becomeFirstResponder() else { return false }
        delegate?.textFieldDidBeginEditing(self)
        sendActions(for: .editingDidBegin)
        post(Self.textDidBeginEditingNotification)
        return true
    }

    @discardableResult
    open override func resignFirstResponder() -> Bool {
        guard isFirstResponder else { return true }
        guard delegate?.textFieldShouldEndEditing(self) ?? true, super.resignFirstResponder() else { return false }
        delegate?.textFieldDidEndEditing(self)
        sendActions(for: .editingDidEnd)
        post(Self.textDidEndEditingNotification)
        return true
    }

    /// Replaces the text as a person does who writes: the delegate may decline, and the app is told of the change.
    func write(_ new: String) {
        guard becomeFirstResponder() else { return }
        let old = text ?? ""
        let range = NSRange(location: 0, length: old.utf16.count)
        guard delegate?.textField(self, shouldChangeCharactersIn: range, replacementString: new) ?? true else { return }
        text = new
        sendActions(for: .editingChanged)
        post(Self.textDidChangeNotification)
    }

    private func post(_ name: NSNotification.Name) { NotificationCenter.default.post(name: name, object: self) }

    var record: AlertRecord.Field {
        AlertRecord.Field(placeholder: placeholder ?? "", text: text ?? "", isSecure: isSecureTextEntry)
    }
}

/// The delegate of a text field. All methods are optional.
///
/// Source: Apple, `UITextFieldDelegate`.
@preconcurrency @MainActor
public protocol UITextFieldDelegate: AnyObject {
    /// Whether editing may begin.
    func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
    /// Editing has begun.
    func textFieldDidBeginEditing(_ textField: UITextField)
    /// Whether editing may end.
    func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
    /// Editing has ended.
    func textFieldDidEndEditing(_ textField: UITextField)
    /// Whether a change of the text may be made.
    func textField(
        _ textField: UITextField,
        shouldChangeCharactersIn range: NSRange,
        replacementString string: String
    ) -> Bool
    /// Whether the text may be removed.
    func textFieldShouldClear(_ textField: UITextField) -> Bool
    /// Whether the return key does what it usually does.
    func textFieldShouldReturn(_ textField: UITextField) -> Bool
}

extension UITextFieldDelegate {
    public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }
    public func textFieldDidBeginEditing(_ textField: UITextField) {}
    public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }
    public func textFieldDidEndEditing(_ textField: UITextField) {}
    public func textField(
        _ textField: UITextField,
        shouldChangeCharactersIn range: NSRange,
        replacementString string: String
    ) -> Bool { true }
    public func textFieldShouldClear(_ textField: UITextField) -> Bool { true }
    public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
}
