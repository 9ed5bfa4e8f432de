extension Device {
    /// Taps a button of the alert on the screen: the alert closes, and the app's handler runs.
    ///
    /// - Parameter title: the title of the button.
    /// - Throws: the reason if there is no such button on the screen, with what is there instead.
    public func tapAlertButton(_ title: String) throws(AlertProblem) {
        try attempt { state throws(AlertProblem) in try state.tapAlertButton(title) }
    }

    /// Replaces the text in a field of the alert on the screen, as a person does who writes.
    ///
    /// - Parameters:
    ///   - text: the new text.
    ///   - field: the number of the field from the top, from 0.
    /// - Throws: the reason if there is no such field on the screen, with what is there instead.
    public func writeInAlert(_ text: String, field: Int = 0) throws(AlertProblem) {
        try attempt { state throws(AlertProblem) in try state.writeInAlert(text, field: field) }
    }

    /// Changes the state, or throws the reason why it cannot be changed.
    func attempt<Problem: Error>(_ change: (inout DeviceState) throws(Problem) -> Void) throws(Problem) {
        let result = update { state in
            Result { () throws(Problem) in try change(&state) }
        }
        try result.get()
    }
}
