public import Foundation

/// The base class of controls.
///
/// An app's actions (``addAction(_:for:)``) run when it sends them, and when a person writes into a field of an alert; nothing else
/// can be touched. Targets with selectors are kept and never told: Linux has no selectors. Source: Apple, `UIControl`.
@preconcurrency @MainActor
open class UIControl: UIView {
    /// An interaction with a control. Raw values: Apple, `UIControlEvents`.
    public struct Event: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// A finger is down; nobody touches views here, but apps may send any event.
        public static let touchDown = Self(rawValue: 1)
        /// A finger is down again, as in a double tap.
        public static let touchDownRepeat = Self(rawValue: 1 << 1)
        /// A finger moves within the control.
        public static let touchDragInside = Self(rawValue: 1 << 2)
        /// A finger moves outside of the control.
        public static let touchDragOutside = Self(rawValue: 1 << 3)
        /// A finger is lifted within the control: the tap on a button.
        public static let touchUpInside = Self(rawValue: 1 << 6)
        /// A finger is lifted outside of the control.
        public static let touchUpOutside = Self(rawValue: 1 << 7)
        /// The system ends the touches.
        public static let touchCancel = Self(rawValue: 1 << 8)
        /// The value has changed.
        public static let valueChanged = Self(rawValue: 1 << 12)
        /// The main action of the control.
        public static let primaryActionTriggered = Self(rawValue: 1 << 13)
        /// Editing begins.
        public static let editingDidBegin = Self(rawValue: 1 << 16)
        /// The text has changed.
        public static let editingChanged = Self(rawValue: 1 << 17)
        /// Editing ends, by leaving the field.
        public static let editingDidEnd = Self(rawValue: 1 << 18)
        /// Editing ends, by the return key.
        public static let editingDidEndOnExit = Self(rawValue: 1 << 19)
        /// All events of touches.
        public static let allTouchEvents = Self(rawValue: 0x0FFF)
        /// All events of editing.
        public static let allEditingEvents = Self(rawValue: 0xF_0000)
        /// All events.
        public static let allEvents = Self(rawValue: 0xFFFF_FFFF)
    }

    /// The states of a control. Raw values: Apple, `UIControlState`.
    public struct State: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// As usual.
        public static let normal: State = []
        /// Touched.
        public static let highlighted = State(rawValue: 1)
        /// Disabled.
        public static let disabled = State(rawValue: 2)
        /// Selected.
        public static let selected = State(rawValue: 4)
        /// Under the focus of a keyboard or remote control.
        public static let focused = State(rawValue: 8)
    }

    /// Whether the user can use the control.
    open var isEnabled = true
    /// Whether the control is selected.
    open var isSelected = false
    /// Whether the control is touched.
    open var isHighlighted = false
    private var actions: [(action: UIAction, events: Event)] = []
    private var targets: [(target: Any?, action: Selector, events: Event)] = []

    /// Creates a control that performs an action at its main event.
    public convenience init(frame: CGRect, primaryAction: UIAction?) {
        self.init(frame: frame)
        if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
    }

    /// The state, from the three properties above.
    open var state: State {
        var state = State.normal
        if !isEnabled { state.insert(.disabled) }
        if isSelected { state.insert(.selected) }
        if isHighlighted { state.insert(.highlighted) }
        return state
    }

    /// Adds an action; one with the same identifier is replaced.
    open func addAction(_ action: UIAction, for controlEvents: Event) {
        removeAction(action, for: controlEvents)
        actions.append((action, controlEvents))
    }

    /// Removes an action from events.
    open func removeAction(_ action: UIAction, for controlEvents: Event) {
        actions.removeAll { $0.action.identifier == action.identifier && $0.events == controlEvents }
    }

    /// Removes the action with an identifier from events.
    open func removeAction(identifiedBy actionIdentifier: UIAction.Identifier, for controlEvents: Event) {
        actions.removeAll { $0.action.identifier == actionIdentifier && $0.events == controlEvents }
    }

    /// Keeps a target and a selector, which is never called.
    open func addTarget(_ target: Any?, action: Selector, for controlEvents: Event) {
        targets.append((target, action, controlEvents))
    }

    /// Removes a target from events; nil for any.
    open func removeTarget(_ target: Any?, action: Selector?, for controlEvents: Event) {
        targets.removeAll { each in
            let isSame = target == nil || each.target as AnyObject? === target as AnyObject?
            return isSame && (action == nil || each.action == action) && each.events == controlEvents
        }
    }

    /// The targets that can be compared.
    open var allTargets: Set<AnyHashable> { Set(targets.compactMap { $0.target as? AnyHashable }) }

    /// Performs the actions for any of the events.
    open func sendActions(for controlEvents: Event) {
        for each in actions where !each.events.isDisjoint(with: controlEvents) { sendAction(each.action) }
    }

    /// Performs an action; the control is its sender.
    open func sendAction(_ action: UIAction) { action.perform(from: self) }
}
