import PushModel

extension Catalogue {
    /// Returns the verdict on a journey, or on a part of it, as a sentence. One of a newer service, which has no words here, is what the
    /// last decisive event means.
    package func sentence(of part: Journey.Part) -> String {
        let verdict = part.verdict
        guard language != .english else { return Self.written(verdict.sentence) }
        let decisive = part.events.last { $0.kind.name == verdict.state.rawValue }
        return SentenceTable.chinese.translated(verdict.sentence)
            ?? sentence(of: verdict.state.rawValue, decisive?.kind.reason)
    }

    /// Returns the verdict on a journey as a command prints it: in English as a clause.
    package func verdict(on part: Journey.Part) -> String {
        language == .english ? part.verdict.sentence : sentence(of: part)
    }
}
