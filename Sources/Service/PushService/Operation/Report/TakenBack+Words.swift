import PushModel

extension MessageStandingAnswer.TakenBack {
    /// Returns the counts as a sentence.
    package func sentence(in texts: Catalogue) -> String {
        let counts = [
            "removed": removed, "opened": opened, "absent": absent, "waiting": waiting, "impossible": impossible,
        ]
        return texts.text("remarks", "taken_back", with: counts.mapValues { "\($0)" })
    }
}
