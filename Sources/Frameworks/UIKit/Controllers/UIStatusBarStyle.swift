/// The look of the status bar. Raw values: Apple, `UIStatusBarStyle`.
public enum UIStatusBarStyle: Int, Sendable {
    /// Dark or light, by the background.
    case `default` = 0
    /// Light text.
    case lightContent = 1
    /// Dark text.
    case darkContent = 3
}
