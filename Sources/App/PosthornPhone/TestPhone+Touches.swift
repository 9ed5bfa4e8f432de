public import PushDevice
import SystemPort

// What the user does to a notification. One that is not there fails the test: a person cannot touch it either.

extension TestPhone {
    /// Taps a notification, or the app's in-app view.
    ///
    /// If it is not on the screen, the test fails with what is. To examine that it is not there, ask the device:
    /// `phone.device.tap(id)` returns false.
    ///
    /// - Parameters:
    ///   - id: the notification's id: what ``push(_:to:collapseID:type:priority:expiration:topic:)`` and ``local(_:of:)``
    ///     return, or ``PushDevice/ShownNotification/id``.
    ///   - fileID: the module and the file of the test.
    ///   - filePath: the path of the file.
    ///   - line: the line at which a failure is shown.
    ///   - column: the column.
    /// - Returns: false after a failure.
    @discardableResult
    public func tap(
        _ id: String,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) async -> Bool {
        let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        return await touch(id, to: "tap", at: location) { $0.tap(id) }
    }

    /// Clears a notification.
    ///
    /// If it is not on the screen, the test fails with what is; `phone.device.dismiss(id)` returns false instead.
    ///
    /// - Returns: false after a failure.
    @discardableResult
    public func dismiss(
        _ id: String,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) async -> Bool {
        let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        return await touch(id, to: "clear", at: location) { $0.dismiss(id) }
    }

    /// Presses a button of a notification.
    ///
    /// If the notification is not on the screen, or has no such button, the test fails with what is there;
    /// `phone.device.choose(action, on: id)` returns the outcome alone.
    ///
    /// - Parameters:
    ///   - action: the identifier of the button.
    ///   - id: the notification's id.
    ///   - fileID: the module and the file of the test.
    ///   - filePath: the path of the file.
    ///   - line: the line at which a failure is shown.
    ///   - column: the column.
    /// - Returns: the result of the action.
    @discardableResult
    public func choose(
        _ action: String,
        on id: String,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) async -> UserActionOutcome {
        let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        return await press(action, on: id, at: location) { $0.choose(action, on: id) }
    }

    /// Replies to a notification.
    ///
    /// If the notification is not on the screen, or has no button that asks for text with this identifier, the test fails with what is
    /// there; `phone.device.reply(text, with: action, to: id)` returns the outcome alone.
    ///
    /// - Parameters:
    ///   - text: the text of the reply.
    ///   - action: the identifier of the button that asks for text.
    ///   - id: the notification's id.
    ///   - fileID: the module and the file of the test.
    ///   - filePath: the path of the file.
    ///   - line: the line at which a failure is shown.
    ///   - column: the column.
    /// - Returns: the result of the action.
    @discardableResult
    public func reply(
        _ text: String,
        with action: String,
        to id: String,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) async -> UserActionOutcome {
        let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        return await press(action, on: id, at: location) { $0.reply(text, with: action, to: id) }
    }

    private func touch(
        _ id: String,
        to act: String,
        at location: TestLocation,
        _ touched: (Device) -> Bool
    ) async -> Bool {
        await attempt(at: location, touched) { isDone, screen in isDone ? nil : Self.miss(act, id, on: screen) }
    }

    private func press(
        _ action: String,
        on id: String,
        at location: TestLocation,
        _ act: (Device) -> UserActionOutcome
    ) async -> UserActionOutcome {
        await attempt(at: location, act) { outcome, screen in
            switch outcome {
            case .done, .waitsForUnlock: return nil
            case .notThere: return Self.miss("press '\(action)' of", id, on: screen)
            case .noSuchAction:
                let buttons = device.buttons(of: id)
                    .map { $0.textInput == nil ? $0.identifier : "\($0.identifier) (text)" }
                let there = buttons.isEmpty ? "it has no buttons" : "its buttons are \(buttons.joined(separator: ", "))"
                return "Cannot press '\(action)' of \(id): \(there)."
            }
        }
    }

    private static func miss(_ act: String, _ id: String, on screen: Screen) -> String {
        var there = screen.list.map { "in the notification centre: \(words(for: $0))" }
        if let banner = screen.banner { there.insert("on the banner: \(words(for: banner))", at: 0) }
        if let inApp = screen.inApp { there.append("in the app: '\(inApp.title)' (\(inApp.id))") }
        if let prompt = screen.prompt { there.append("a prompt: '\(prompt.text)'") }
        let found =
            there.isEmpty ? "The screen has no notification." : "There is:\n  " + there.joined(separator: "\n  ")
        return "Cannot \(act) \(id): it is not on the screen. \(found)"
    }
}

extension TestPhone {
    /// The alert or action sheet on the screen; nil for none.
    public var alert: ShownAlert? { device.screen.alert }

    /// Taps a button of the alert on the screen. Returns when the app's handler has run.
    ///
    /// - Parameter title: the title of the button.
    /// - Throws: an ``PushDevice/AlertProblem`` that says what is on the screen, if the button is not.
    public func tapAlertButton(_ title: String) async throws { try await perform { try $0.tapAlertButton(title) } }

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

extension TestPhone {
    /// Does something to the phone, and fails the test if the phone refuses.
    ///
    /// Returns when the phone has settled, also after a failure.
    ///
    /// - Parameters:
    ///   - location: the place at which the failure is shown.
    ///   - act: what is done.
    ///   - problem: the sentence for the failure, from the outcome and the screen before; nil if the phone did it.
    /// - Returns: the outcome.
    func attempt<Outcome>(
        at location: TestLocation,
        _ act: (Device) -> Outcome,
        problem: (Outcome, Screen) -> String?
    ) async -> Outcome {
        let before = device.screen
        let outcome = act(device)
        if let problem = problem(outcome, before) { fail(problem, at: location) }
        await device.settled()
        return outcome
    }
}
