package import PushModel

/// One device of a step.
package struct Target: Hashable, Sendable {
    package var ordinal: DeviceOrdinal
    package var token: DeviceToken?
    package var badge: Int
    /// The reason for a missing token.
    package var absence = SuppressionReason.noToken

    package init(ordinal: DeviceOrdinal, token: DeviceToken?, badge: Int) {
        self.ordinal = ordinal
        self.token = token
        self.badge = badge
    }
}
