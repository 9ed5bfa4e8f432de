import PushModel

/// Explains the events of journeys in the user's language.
struct Explanation {
    private let texts: Catalogue

    init(_ texts: Catalogue) { self.texts = texts }

    func text(_ section: String, _ key: String) -> String? { texts.sections[section]?.object?[key]?.string }

    /// Returns the name of an event for people; the event itself if it is unknown.
    func name(of event: String) -> String { text("why", "name_\(event)") ?? event }

    /// Returns the name of an event with the place where it showed the push, if that is known.
    func name(of event: String, how: String?) -> String {
        guard let how else { return name(of: event) }
        return name(of: event) + texts["layout", "open"] + (text("why", "how_\(how)") ?? how) + texts["layout", "close"]
    }

    /// Returns what an event means and what to do; nil if the catalogue does not know it.
    func meaning(of event: String, _ reason: String?) -> String? {
        if event == "refused", let reason, let meaning = text("reasons", "\(reason)_meaning") {
            return [meaning, text("reasons", "\(reason)_remedy")].compactMap(\.self).joined(separator: " ")
        }
        return reason.flatMap { text("why", "\(event)_\($0)") } ?? text("why", "event_\(event)")
    }
}
