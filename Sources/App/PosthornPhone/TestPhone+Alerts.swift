public import PushDevice

extension TestPhone {
    /// The alert or action sheet on the screen; nil for none.
    public var alert: ShownAlert? { device.screen.alert }

    /// Taps a button of the alert on the screen. Returns when the app's handler has run.
    ///
    /// - Parameter title: the title of the button.
    /// - Throws: an ``PushDevice/AlertProblem`` that says what is on the screen, if the button is not.
    public func tapAlertButton(_ title: String) async throws {
        try await perform { try $0.tapAlertButton(title) }
    }

    /// Replaces the text in a field of the alert on the screen, as a person does who writes.
    ///
    /// - Parameters:
    ///   - text: the new text.
    ///   - field: the number of the field from the top, from 0.
    /// - Throws: an ``PushDevice/AlertProblem`` that says what is on the screen, if the field is not.
    public func writeInAlert(_ text: String, field: Int = 0) async throws {
        try await perform { try $0.writeInAlert(text, field: field) }
    }
}
