public import SystemPort

extension Device {
    /// Taps a button of the alert on the screen: the alert closes, and the app's handler runs.
    ///
    /// - Parameter title: the title of the button.
    /// - Throws: the reason if there is no such button on the screen, with what is there instead.
    public func tapAlertButton(_ title: String) throws(AlertProblem) {
        try attempt { state throws(AlertProblem) in try state.tapAlertButton(title) }
    }

    /// Replaces the text in a field of the alert on the screen, as a person does who writes. Fields count from 0, from the top.
    ///
    /// - Throws: the reason if there is no such field on the screen, with what is there instead.
    public func writeInAlert(_ text: String, field: Int = 0) throws(AlertProblem) {
        try attempt { state throws(AlertProblem) in try state.writeInAlert(text, field: field) }
    }

    /// Changes the state, or throws the reason why it cannot be changed.
    func attempt<Problem: Error>(_ change: (inout DeviceState) throws(Problem) -> Void) throws(Problem) {
        let result = update { state in Result { () throws(Problem) in try change(&state) } }
        try result.get()
    }
}

/// The reason why the user cannot touch something in an alert: it is not on the screen.
public enum AlertProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// No app shows an alert; with the name of the app in the foreground, if one is.
    case noAlert(String?)
    /// The device is locked.
    case locked
    /// The permission prompt with this text is in front of it.
    case behindPrompt(String)
    /// The alert has no button with this title.
    case noSuchButton(String, AlertRecord)
    /// The button with this title is disabled.
    case disabled(String, AlertRecord)
    /// The alert has no text field with this number, counted from 0.
    case noSuchField(Int, AlertRecord)

    /// The reason, with what is on the screen instead.
    public var description: String {
        switch self {
        case .noAlert(nil): "No alert is on the screen: the home screen is in front."
        case .noAlert(let name?): "No alert is on the screen: \(name) is in front and shows none."
        case .locked: "The device is locked; unlock it first."
        case .behindPrompt(let text): "The permission prompt \(text) is in front; answer it first."
        case .noSuchButton(let title, let alert): "There is no button “\(title)”. On the screen is \(alert.summary)."
        case .disabled(let title, let alert): "The button “\(title)” is disabled. On the screen is \(alert.summary)."
        case .noSuchField(let place, let alert): "There is no text field \(place). On the screen is \(alert.summary)."
        }
    }
}

extension AlertRecord {
    /// The alert in one sentence part, for error messages.
    fileprivate var summary: String {
        let kind = style == .alert ? "the alert" : "the action sheet"
        let words = [title, message].line
        let names = buttons.map { "“\($0.title)”" + ($0.isEnabled ? "" : " (disabled)") }.joined(separator: ", ")
        let places = fields.enumerated().map { "\($0.offset) “\($0.element.placeholder)”" }.joined(separator: ", ")
        return "\(kind) “\(words)”" + (buttons.isEmpty ? " without buttons" : " with the buttons \(names)")
            + (fields.isEmpty ? "" : " and the text fields \(places)")
    }
}
