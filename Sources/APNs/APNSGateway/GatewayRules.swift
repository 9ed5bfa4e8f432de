package import Foundation
import PushModel

/// The configurable parts of the judgement.
package struct GatewayRules: Sendable {
    /// Whether a key of the other environment is refused with the reason on Apple's page, `BadEnvironmentKeyIdInToken`, rather
    /// than with the real service's, `BadEnvironmentKeyInToken`.
    package var spellsReasonsAsDocumented = false
    /// The largest number of new provider tokens of one key in 20 minutes, over all connections; the next one is answered with 429
    /// `TooManyProviderTokenUpdates`, while those before stay usable. Apple says that a key's token is to be renewed no more often than
    /// every 20 minutes, but not how many servers may sign one each.
    package var providerTokens = GatewayRules.usualProviderTokens
    /// The rule for pushes stored for a device that is away.
    package var policy = Mailbox.Policy.placePerCollapseID
    /// The time in seconds for which pushes of priority 5 are grouped while their device says that it sleeps: our choice, as
    /// Apple says only that they may be grouped. The next push of priority 10 to the device ends the wait.
    package var longestGrouping = GatewayRules.usualGrouping
    /// The budget of background pushes for a token's device; beyond it, the newest one waits. Nil, our choice, sets no limit:
    /// the emulated device keeps a budget of its own.
    package var silentBudget: SilentBudget?

    /// The size in octets below which a segment of the mail log is not replaced.
    var smallestLog = 64 << 20

    /// The default grouping time: a quarter of an hour.
    package static let usualGrouping: TimeInterval = 900

    /// The default number of provider tokens, our choice: enough for a client with a pool of ten connections that each sign a token of
    /// their own, such as aioapns, to be started twice; too few for thirty workers.
    package static let usualProviderTokens = 20
    /// The numbers of provider tokens that can be set. The gateway remembers each of them for as long as it is valid.
    package static let possibleProviderTokens: ClosedRange<Int64> = 1...1000

    package init() {}

    /// The reason as it is sent.
    func spelling(of reason: APNSReason) -> String {
        reason == .badEnvironmentKeyInToken && spellsReasonsAsDocumented
            ? "BadEnvironmentKeyIdInToken" : reason.rawValue
    }
}
