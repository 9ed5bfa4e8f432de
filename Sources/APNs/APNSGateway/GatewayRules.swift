package import Foundation
import PushModel

/// What of the judgement can be chosen.
package struct GatewayRules: Sendable {
    /// A key of the other environment is refused as Apple's page spells it, `BadEnvironmentKeyIdInToken`, and not as the
    /// service itself does, `BadEnvironmentKeyInToken`.
    package var spellsReasonsAsDocumented = false
    /// The most pushes that one device token takes; more are answered with 429 `TooManyRequests`. Nil takes them all, our
    /// choice, as Apple does not say how many are too many.
    package var pace: PushPace?
    /// How long pushes of priority 5 wait for each other while their device says that it sleeps, in seconds: our choice, as
    /// Apple says only that they may be grouped. The next push of priority 10 to the device ends it earlier.
    package var longestGrouping = GatewayRules.usualGrouping
    /// The background pushes that a token's device gets; the newest of those beyond waits. Nil, our choice, lets all of them
    /// go: the emulated device keeps a budget of its own.
    package var silentBudget: SilentBudget?

    /// A quarter of an hour.
    package static let usualGrouping: TimeInterval = 900

    package init() {}

    /// The word on the wire.
    func spelling(of reason: APNSReason) -> String {
        reason == .badEnvironmentKeyInToken && spellsReasonsAsDocumented
            ? "BadEnvironmentKeyIdInToken" : reason.rawValue
    }
}
