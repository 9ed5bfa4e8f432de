/// The outcome of a push to a Live Activity.
package struct ActivityMatrixOutcome: Sendable {
    /// The states after the push: of the activity, and of one that the push has started, in ActivityKit's words; `none` without any.
    package var states: String
    /// The calls and the elements that the app's code gets, in the order launch, `activityUpdates`, `pushTokenUpdates`, `contentUpdates`,
    /// `activityStateUpdates`.
    package var hears: [String]
    /// The changes on the screen, in order.
    package var shown: [String]
    /// Whether the Dynamic Island shows an activity afterwards.
    package var isInIsland: Bool
    /// The verdict of the push's journey.
    package var verdict: String
    /// The journey as readable text.
    package var story: String

    /// Returns one sentence for each difference from the row; empty if there is none.
    package func differences(from row: ActivityMatrixCase) -> [String] {
        let expected = row.expected
        let pairs = [
            ("state", states, expected.states),
            ("the app hears", "\(hears)", "\(expected.hears)"),
            ("shown", "\(shown)", "\(expected.shown)"),
            ("in the island", "\(isInIsland)", "\(expected.isInIsland)"),
            ("verdict", verdict, expected.verdict),
        ]
        return pairs.compactMap { what, found, wanted in
            found == wanted ? nil : "\(what): \(found), expected \(wanted)"
        }
    }
}
