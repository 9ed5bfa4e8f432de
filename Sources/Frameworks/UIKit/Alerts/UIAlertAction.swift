public import Foundation
import SystemPort

/// A button of an alert.
///
/// Source: Apple, `UIAlertAction`.
@preconcurrency @MainActor
open class UIAlertAction: NSObject {
    /// The meaning of a button. Raw values: Apple, `UIAlertActionStyle`.
    public enum Style: Int, Sendable {
        /// A button as usual.
        case `default` = 0
        /// The button that leaves everything as it is; at most one.
        case cancel = 1
        /// A button in red that destroys something.
        case destructive = 2
    }

    /// The title of the button.
    public let title: String?
    /// The kind of the button.
    public let style: Style
    /// Whether the person can tap it.
    open var isEnabled = true { didSet { controller?.changed() } }
    let handler: ((UIAlertAction) -> Void)?
    weak var controller: UIAlertController?

    /// Creates a button. The handler is called when the person has tapped it, and the alert is dismissed.
    public init(title: String?, style: Style, handler: ((UIAlertAction) -> Void)? = nil) {
        self.title = title
        self.style = style
        self.handler = handler
    }

    var record: AlertRecord.Button {
        let role: AlertRecord.Button.Role =
            switch style {
            case .default: .normal
            case .cancel: .cancel
            case .destructive: .destructive
            }
        return AlertRecord.Button(title: title ?? "", role: role, isEnabled: isEnabled)
    }
}
