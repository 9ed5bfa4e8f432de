import Foundation
import SystemPort

/// An alert or an action sheet, which the device shows and a person answers.
///
/// Presenting it puts it on the device's screen. A person writes into its fields and taps a button by its title; the alert is
/// dismissed, and then the button's handler runs. Source: Apple, `UIAlertController`.
@preconcurrency @MainActor
open class UIAlertController: UIViewController {
    /// The form of an alert. Raw values: Apple, `UIAlertControllerStyle`.
    public enum Style: Int, Sendable {
        /// Buttons from the bottom of the screen.
        case actionSheet = 0
        /// A box in the middle of the screen, with fields if the app wants.
        case alert = 1
    }

    /// Whether it is an alert or an action sheet.
    open private(set) var preferredStyle = Style.alert
    /// The buttons, in the order in which they were added.
    open private(set) var actions: [UIAlertAction] = []
    /// The fields; nil if there are none.
    open private(set) var textFields: [UITextField]?
    /// The text below the title; nil for none.
    open var message: String? { didSet { changed() } }
    /// The action of the return key. It must be one of ``actions``.
    open var preferredAction: UIAlertAction?
    /// Kept by the alerts on the screen; it keeps this object in turn.
    private weak var alert: PresentedAlert?

    /// Creates an alert without buttons. Present it as a view controller.
    public convenience init(title: String?, message: String?, preferredStyle: Style) {
        SystemSymbol.alertController.require()
        self.init(nibName: nil, bundle: nil)
        self.title = title
        self.message = message
        self.preferredStyle = preferredStyle
    }

    open override var title: String? { didSet { changed() } }

    /// Adds a button at the end.
    open func addAction(_ action: UIAlertAction) {
        if action.style == .cancel, actions.contains(where: { $0.style == .cancel }) {
            return RaisedException.raise(
                "UIAlertController can only have one action with a style of UIAlertActionStyleCancel"
            )
        }
        action.controller = self
        actions.append(action)
        changed()
    }

    /// Adds a field, which `configurationHandler` sets up; alerts only.
    open func addTextField(configurationHandler: ((UITextField) -> Void)? = nil) {
        guard preferredStyle == .alert else {
            return RaisedException.raise(
                "Text fields can only be added to an alert controller of style UIAlertControllerStyleAlert"
            )
        }
        let field = UITextField()
        textFields = (textFields ?? []) + [field]
        configurationHandler?(field)
        field.changed = { [weak self] in self?.changed() }
        changed()
    }

    /// Puts the alert on the device's screen.
    func show() {
        alert = PresentedAlert { [self] in
            record
        } edited: { [self] place, text in
            if let fields = textFields, fields.indices.contains(place) { fields[place].write(text) }
        } answered: { [self] button, ran in
            let action = actions.indices.contains(button) ? actions[button] : nil
            guard let presenter else { return }
            Presentation(of: self, from: presenter, animated: true).end {
                guard let action, let handler = action.handler else { return }
                ran("UIAlertAction “\(action.title ?? "")”")
                handler(action)
            }
        }
    }

    func hide() {
        alert?.hide()
        alert = nil
    }

    /// Shows changed values on the device's screen.
    func changed() { alert?.update() }

    private var record: AlertRecord {
        AlertRecord(
            id: "",
            style: preferredStyle == .alert ? .alert : .actionSheet,
            title: title ?? "",
            message: message ?? "",
            fields: (textFields ?? []).map(\.record),
            buttons: actions.map(\.record)
        )
    }
}
