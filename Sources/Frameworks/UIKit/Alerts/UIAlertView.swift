public import Foundation
import SystemPort

/// An alert of the API before iOS 8, which the device shows and a person answers.
///
/// Source: Apple, `UIAlertView`.
@available(iOS, introduced: 2.0, deprecated: 9.0, message: "Use UIAlertController.")
@preconcurrency @MainActor
open class UIAlertView: UIView {
    open weak var delegate: (any UIAlertViewDelegate)?
    open var title = "" { didSet { alert?.update() } }
    open var message: String? { didSet { alert?.update() } }
    open var alertViewStyle = UIAlertViewStyle.default { didSet { makeFields() } }
    /// The number of the cancel button; -1 if there is none.
    open var cancelButtonIndex = -1
    private var titles: [String] = []
    private var fields: [UITextField] = []
    /// Kept by the alerts on the screen; it keeps this object in turn.
    private weak var alert: PresentedAlert?

    public override init(frame: CGRect) { super.init(frame: frame) }
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    public convenience init(
        title: String?,
        message: String?,
        delegate: (any UIAlertViewDelegate)?,
        cancelButtonTitle: String?
    ) {
        self.init(frame: .zero)
        self.title = title ?? ""
        self.message = message
        self.delegate = delegate
        if let cancelButtonTitle { cancelButtonIndex = addButton(withTitle: cancelButtonTitle) }
    }

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

    open var numberOfButtons: Int { titles.count }
    open func buttonTitle(at buttonIndex: Int) -> String? {
        titles.indices.contains(buttonIndex) ? titles[buttonIndex] : nil
    }
    /// The number of the first button that is not the cancel button; -1 if there is none.
    open var firstOtherButtonIndex: Int { titles.indices.first { $0 != cancelButtonIndex } ?? -1 }
    /// Whether it is shown.
    open var isVisible: Bool { alert != nil }

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
    case `default` = 0
    case secureTextInput = 1
    case plainTextInput = 2
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
    func alertView(_ alertView: UIAlertView, clickedButtonAt buttonIndex: Int)
    func alertViewCancel(_ alertView: UIAlertView)
    func willPresent(_ alertView: UIAlertView)
    func didPresent(_ alertView: UIAlertView)
    func alertView(_ alertView: UIAlertView, willDismissWithButtonIndex buttonIndex: Int)
    func alertView(_ alertView: UIAlertView, didDismissWithButtonIndex buttonIndex: Int)
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
