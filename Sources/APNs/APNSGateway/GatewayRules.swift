import PushModel

/// What of the judgement can be chosen.
package struct GatewayRules: Sendable {
    /// A key of the other environment is refused as Apple's page spells it, `BadEnvironmentKeyIdInToken`, and not as the
    /// service itself does, `BadEnvironmentKeyInToken`.
    package var spellsReasonsAsDocumented = false
    /// The most pushes that one device token takes; more are answered with 429 `TooManyRequests`. Nil takes them all, our
    /// choice, as Apple does not say how many are too many.
    package var pace: PushPace?

    package init() {}

    /// The word on the wire.
    func spelling(of reason: APNSReason) -> String {
        reason == .badEnvironmentKeyInToken && spellsReasonsAsDocumented
            ? "BadEnvironmentKeyIdInToken" : reason.rawValue
    }
}
