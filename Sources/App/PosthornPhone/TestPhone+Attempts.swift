import PushDevice

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
