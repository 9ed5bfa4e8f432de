import Foundation
import SystemPort

/// An alert of the API before iOS 8, which the device shows and a person answers.
///
/// Source: Apple, `UIAlertView`.
@available(iOS, introduced: 2.0, deprecated: 9.0, message: "Use UIAlertController.")
@preconcurrency @MainActor
open class UIAlertView: UIView {
    /// The receiver of the taps.
    open weak var delegate: (any UIAlertViewDelegate)?
    /// The title; empty for none.
    open var title = "" { didSet { alert?.update() } }
    /// The text below the title; nil for none.
    open var message: String? { didSet { alert?.update() } }
    /// Which fields the alert has.
    open var alertViewStyle = UIAlertViewStyle.default { didSet { makeFields() } }
    /// The number of the cancel button; -1 if there is none.
    open var cancelButtonIndex = -1
    private var titles: [String] = []
    private var fields: [UITextField] = []
    /// Kept by the alerts on the screen; it keeps this object in turn.
    private weak var alert: PresentedAlert?

    /// Creates an alert with its buttons; show it with `show()`.
    public convenience init(title: String?, message: String?, delegate: Any?, cancelButtonTitle: String?) {
        self.init(frame: .zero)
        self.title = title ?? ""
        self.message = message
        self.delegate = delegate as? any UIAlertViewDelegate
        if let cancelButtonTitle { cancelButtonIndex = addButton(withTitle: cancelButtonTitle) }
    }

    /// Creates an alert with its buttons; show it with `show()`.
    public convenience init(
        title: String,
        message: String,
        delegate: (any UIAlertViewDelegate)?,
        cancelButtonTitle: String?,
        otherButtonTitles firstButtonTitle: String,
        _ moreButtonTitles: String...
    ) {
        self.init(title: title, message: message, delegate: delegate, cancelButtonTitle: cancelButtonTitle)
        for title in [firstButtonTitle] + moreButtonTitles { addButton(withTitle: title) }
    }

    /// - Returns: the number of the button.
    @discardableResult
    open func addButton(withTitle title: String?) -> Int {
        titles.append(title ?? "")
        alert?.update()
        return titles.count - 1
    }

    /// The number of buttons, of all kinds.
    open var numberOfButtons: Int { titles.count }
    /// Returns the title of a button; nil if there is none with this index.
    open func buttonTitle(at buttonIndex: Int) -> String? {
        titles.indices.contains(buttonIndex) ? titles[buttonIndex] : nil
    }
    /// The number of the first button that is not the cancel button; -1 if there is none.
    open var firstOtherButtonIndex: Int { titles.indices.first { $0 != cancelButtonIndex } ?? -1 }
    /// Whether it is shown.
    open var isVisible: Bool { alert != nil }

    /// Returns a field, counted from 0; nil if the style has none with this index.
    open func textField(at textFieldIndex: Int) -> UITextField? {
        fields.indices.contains(textFieldIndex) ? fields[textFieldIndex] : nil
    }

    /// Shows the alert. A newer one covers older ones, which come back when it has been answered.
    open func show() {
        guard alert == nil else { return }
        delegate?.willPresent(self)
        alert = PresentedAlert { [self] in
            record
        } edited: { [self] place, text in
            textField(at: place)?.write(text)
        } answered: { [self] button, ran in
            answered(button, ran)
        }
        Transitions.current.add { [self] in delegate?.didPresent(self) }
    }

    /// Hides the alert, as if the person had tapped the button; `alertView(_:clickedButtonAt:)` is not called.
    open func dismiss(withClickedButtonIndex buttonIndex: Int, animated: Bool) {
        guard let alert else { return }
        alert.hide()
        end(buttonIndex)
    }

    private func answered(_ button: Int, _ ran: PresentedAlert.Ran) {
        if let delegate {
            let isImplemented = MethodProbe.reaches { delegate.alertView(self, clickedButtonAt: button) }
            if isImplemented { ran("alertView(_:clickedButtonAt:)") }
            if !isImplemented, button == cancelButtonIndex { delegate.alertViewCancel(self) }
        }
        end(button)
    }

    private func end(_ button: Int) {
        delegate?.alertView(self, willDismissWithButtonIndex: button)
        alert = nil
        Transitions.current.add { [self] in delegate?.alertView(self, didDismissWithButtonIndex: button) }
    }

    private func makeFields() {
        fields = alertViewStyle.placeholders.map { placeholder in
            let field = UITextField()
            field.placeholder = placeholder
            field.changed = { [weak self] in self?.alert?.update() }
            return field
        }
        if alertViewStyle.hidesLastField { fields.last?.isSecureTextEntry = true }
        alert?.update()
    }

    private var record: AlertRecord {
        let enablesOthers = delegate?.alertViewShouldEnableFirstOtherButton(self) ?? true
        return AlertRecord(
            id: "",
            title: title,
            message: message ?? "",
            fields: fields.map(\.record),
            buttons: titles.enumerated().map { place, title in
                AlertRecord.Button(
                    title: title,
                    role: place == cancelButtonIndex ? .cancel : .normal,
                    isEnabled: place != firstOtherButtonIndex || enablesOthers
                )
            }
        )
    }
}

/// The text fields of an alert. Raw values: Apple, `UIAlertViewStyle`.
public enum UIAlertViewStyle: Int, Sendable {
    /// No fields.
    case `default` = 0
    /// One field, whose text is hidden.
    case secureTextInput = 1
    /// One field.
    case plainTextInput = 2
    /// Two fields: a name, and a password that is hidden.
    case loginAndPasswordInput = 3

    fileprivate var placeholders: [String] {
        switch self {
        case .default: []
        case .secureTextInput, .plainTextInput: [""]
        case .loginAndPasswordInput: ["Login", "Password"]
        }
    }

    fileprivate var hidesLastField: Bool { self == .secureTextInput || self == .loginAndPasswordInput }
}

/// The delegate of an alert. All methods are optional; `alertViewCancel(_:)` is called for the cancel button if
/// `alertView(_:clickedButtonAt:)` is not implemented.
///
/// Source: Apple, `UIAlertViewDelegate`.
@available(iOS, introduced: 2.0, deprecated: 9.0, message: "Use UIAlertController.")
@preconcurrency @MainActor
public protocol UIAlertViewDelegate: AnyObject {
    /// The user tapped a button; buttons count from 0, in the order in which they were added.
    func alertView(_ alertView: UIAlertView, clickedButtonAt buttonIndex: Int)
    /// The system closed the alert. It never occurs here.
    func alertViewCancel(_ alertView: UIAlertView)
    /// The alert is about to appear.
    func willPresent(_ alertView: UIAlertView)
    /// The alert is on the screen.
    func didPresent(_ alertView: UIAlertView)
    /// The alert is about to leave, because of this button.
    func alertView(_ alertView: UIAlertView, willDismissWithButtonIndex buttonIndex: Int)
    /// The alert has left, because of this button.
    func alertView(_ alertView: UIAlertView, didDismissWithButtonIndex buttonIndex: Int)
    /// Whether the first button besides the cancelling one can be tapped; asked whenever a field changes.
    func alertViewShouldEnableFirstOtherButton(_ alertView: UIAlertView) -> Bool
}

extension UIAlertViewDelegate {
    public func alertView(_ alertView: UIAlertView, clickedButtonAt buttonIndex: Int) { MethodProbe.miss() }
    public func alertViewCancel(_ alertView: UIAlertView) {}
    public func willPresent(_ alertView: UIAlertView) {}
    public func didPresent(_ alertView: UIAlertView) {}
    public func alertView(_ alertView: UIAlertView, willDismissWithButtonIndex buttonIndex: Int) {}
    public func alertView(_ alertView: UIAlertView, didDismissWithButtonIndex buttonIndex: Int) {}
    public func alertViewShouldEnableFirstOtherButton(_ alertView: UIAlertView) -> Bool { true }
}
