import SystemPort

/// The state of a Live Activity in its life cycle.
@available(iOS 16.1, *)
public enum ActivityState: Codable, Hashable, Sendable {
    /// It is visible, and its content may change.
    case active
    /// It is visible, and its content changes no more.
    case ended
    /// It is no longer visible: a person or the system removed it.
    case dismissed
    /// Its content is out of date.
    case stale
    /// It is scheduled and has not started.
    case pending

    init(_ state: LiveActivityRecord.State) {
        self =
            switch state {
            case .active: .active
            case .ended: .ended
            case .dismissed: .dismissed
            case .stale: .stale
            case .pending: .pending
            }
    }
}
