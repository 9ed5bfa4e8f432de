import Foundation
import SystemPort

/// An action sheet of the API before iOS 8, which the device shows and a person answers.
///
/// Source: Apple, `UIActionSheet`.
@available(iOS, introduced: 2.0, deprecated: 8.3, message: "Use UIAlertController with the style actionSheet.")
@preconcurrency @MainActor
open class UIActionSheet: UIView {
    /// The receiver of the taps.
    open weak var delegate: (any UIActionSheetDelegate)?
    /// The text above the buttons; empty for none.
    open var title = "" { didSet { alert?.update() } }
    /// The number of the cancel button; -1 if there is none.
    open var cancelButtonIndex = -1
    /// The number of the destructive button; -1 if there is none.
    open var destructiveButtonIndex = -1
    private var titles: [String] = []
    /// Kept by the alerts on the screen; it keeps this object in turn.
    private weak var alert: PresentedAlert?

    /// Creates a sheet with its buttons; show it with `show(in:)`.
    public convenience init(
        title: String?,
        delegate: (any UIActionSheetDelegate)?,
        cancelButtonTitle: String?,
        destructiveButtonTitle: String?
    ) {
        self.init(frame: .zero)
        self.title = title ?? ""
        self.delegate = delegate
        if let destructiveButtonTitle { destructiveButtonIndex = addButton(withTitle: destructiveButtonTitle) }
        if let cancelButtonTitle { cancelButtonIndex = addButton(withTitle: cancelButtonTitle) }
    }

    /// Creates a sheet with its buttons; show it with `show(in:)`.
    public convenience init(
        title: String?,
        delegate: (any UIActionSheetDelegate)?,
        cancelButtonTitle: String?,
        destructiveButtonTitle: String?,
        otherButtonTitles firstButtonTitle: String,
        _ moreButtonTitles: String...
    ) {
        self.init(
            title: title,
            delegate: delegate,
            cancelButtonTitle: cancelButtonTitle,
            destructiveButtonTitle: destructiveButtonTitle
        )
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
    /// The number of the first button that is neither the cancel nor the destructive button; -1 if there is none.
    open var firstOtherButtonIndex: Int {
        titles.indices.first { $0 != cancelButtonIndex && $0 != destructiveButtonIndex } ?? -1
    }
    /// Whether it is shown.
    open var isVisible: Bool { alert != nil }

    /// Shows the action sheet. The view does not matter: the sheet is on the whole screen.
    open func show(in view: UIView) {
        guard alert == nil else { return }
        delegate?.willPresent(self)
        alert = PresentedAlert { [self] in
            record
        } edited: { _, _ in
        } answered: { [self] button, ran in
            answered(button, ran)
        }
        Transitions.current.add { [self] in delegate?.didPresent(self) }
    }

    /// Hides the sheet, as if the person had tapped the button; `actionSheet(_:clickedButtonAt:)` is not called.
    open func dismiss(withClickedButtonIndex buttonIndex: Int, animated: Bool) {
        guard let alert else { return }
        alert.hide()
        end(buttonIndex)
    }

    private func answered(_ button: Int, _ ran: PresentedAlert.Ran) {
        if let delegate {
            let isImplemented = MethodProbe.reaches { delegate.actionSheet(self, clickedButtonAt: button) }
            if isImplemented { ran("actionSheet(_:clickedButtonAt:)") }
            if !isImplemented, button == cancelButtonIndex { delegate.actionSheetCancel(self) }
        }
        end(button)
    }

    private func end(_ button: Int) {
        delegate?.actionSheet(self, willDismissWithButtonIndex: button)
        alert = nil
        Transitions.current.add { [self] in delegate?.actionSheet(self, didDismissWithButtonIndex: button) }
    }

    private var record: AlertRecord {
        AlertRecord(
            id: "",
            style: .actionSheet,
            title: title,
            message: "",
            buttons: titles.enumerated().map { place, title in
                let role: AlertRecord.Button.Role =
                    switch place {
                    case cancelButtonIndex: .cancel
                    case destructiveButtonIndex: .destructive
                    default: .normal
                    }
                return AlertRecord.Button(title: title, role: role)
            }
        )
    }
}

/// The delegate of an action sheet. All methods are optional; `actionSheetCancel(_:)` is called for the cancel button if
/// `actionSheet(_:clickedButtonAt:)` is not implemented.
///
/// Source: Apple, `UIActionSheetDelegate`.
@available(iOS, introduced: 2.0, deprecated: 8.3, message: "Use UIAlertController with the style actionSheet.")
@preconcurrency @MainActor
public protocol UIActionSheetDelegate: AnyObject {
    /// The user tapped a button; buttons count from 0, in the order in which they were added.
    func actionSheet(_ actionSheet: UIActionSheet, clickedButtonAt buttonIndex: Int)
    /// The sheet was closed without a button, as by a tap beside it on an iPad. It never occurs here.
    func actionSheetCancel(_ actionSheet: UIActionSheet)
    /// The sheet is about to appear.
    func willPresent(_ actionSheet: UIActionSheet)
    /// The sheet is on the screen.
    func didPresent(_ actionSheet: UIActionSheet)
    /// The sheet is about to leave, because of this button.
    func actionSheet(_ actionSheet: UIActionSheet, willDismissWithButtonIndex buttonIndex: Int)
    /// The sheet has left, because of this button.
    func actionSheet(_ actionSheet: UIActionSheet, didDismissWithButtonIndex buttonIndex: Int)
}

extension UIActionSheetDelegate {
    public func actionSheet(_ actionSheet: UIActionSheet, clickedButtonAt buttonIndex: Int) { MethodProbe.miss() }
    public func actionSheetCancel(_ actionSheet: UIActionSheet) {}
    public func willPresent(_ actionSheet: UIActionSheet) {}
    public func didPresent(_ actionSheet: UIActionSheet) {}
    public func actionSheet(_ actionSheet: UIActionSheet, willDismissWithButtonIndex buttonIndex: Int) {}
    public func actionSheet(_ actionSheet: UIActionSheet, didDismissWithButtonIndex buttonIndex: Int) {}
}
