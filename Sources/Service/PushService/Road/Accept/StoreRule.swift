import PushModel

/// A rule that compares a push with the app's other pushes, so that only the store can decide it.
///
/// ``PushAcceptor/check(_:of:at:besides:)`` checks the rules that concern a push, alone or in a batch. Direct pushes are only those that
/// none concerns, so a new rule applies to all of them.
enum StoreRule: CaseIterable {
    /// `override_msg_id` must name a push of the last day.
    case overriddenMessage
    /// `x_unless_opened` must name a push of the app.
    case openedMessage
    /// `x_undo` is for a push that is accepted alone: ``PushAcceptor/replace(_:_:for:at:)`` has its rules.
    case undonePush
    /// Few pushes with `big_push_duration` may be under way at a time.
    case pacedPushes
    /// `business_operation_code` must name a push plan of the app.
    case plan

    /// All rules, kept because `allCases` makes a new array for each push.
    static let all = allCases

    func concerns(_ options: PushOptions) -> Bool {
        switch self {
        case .overriddenMessage: options.overriddenMessage != nil
        case .openedMessage: options.unlessOpened != nil
        case .undonePush: options.undoes != nil
        case .pacedPushes: options.pacedMinutes > 0
        case .plan: options.plan != nil
        }
    }
}

extension PushOptions {
    /// Whether the push is sent to all of its devices at once.
    var isUnslowed: Bool { slowMinutes == 0 && rate == nil }

    /// Whether a rule applies that only the store can decide.
    var needsStore: Bool { StoreRule.all.contains { $0.concerns(self) } }
}
