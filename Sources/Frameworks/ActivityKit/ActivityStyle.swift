/// Whether a Live Activity stays, or ends when the person turns to something else.
@available(iOS 18.0, *)
public enum ActivityStyle: Hashable, Sendable {
    /// It goes on until it is ended.
    case standard
    /// It ends when the device is locked, or the app it belongs to is left. The emulated device stores it and treats it as standard.
    case transient
}
