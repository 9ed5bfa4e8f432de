/// A switch. Its value changes when the app sets it.
///
/// Source: Apple, `UISwitch`.
@preconcurrency @MainActor
open class UISwitch: UIControl {
    /// Whether the switch is on.
    open var isOn = false
    /// The colour while it is on; stored only.
    open var onTintColor: UIColor?
    /// The colour of the knob; stored only.
    open var thumbTintColor: UIColor?

    /// Sets the switch, without an animation and without an event.
    open func setOn(_ on: Bool, animated: Bool) { isOn = on }
}
