/// The events on a link, reported to its owner one at a time.
public enum LinkEvent: Sendable {
    case opened
    case received(String)
    /// The last event: the link could not be opened, or ended. The text gives the reason in plain language.
    case closed(String)
}
