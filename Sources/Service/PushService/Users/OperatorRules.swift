/// The limits for operators and users of the portal.
package struct OperatorRules: Hashable, Sendable {
    /// The number of changes that each may make in a minute.
    package var changesPerMinute: Int
    /// The number of devices up to which a user of the portal may push without having given the password a moment ago.
    package var devicesWithoutPassword: Int

    package init(changesPerMinute: Int = 600, devicesWithoutPassword: Int = 1000) {
        self.changesPerMinute = changesPerMinute
        self.devicesWithoutPassword = devicesWithoutPassword
    }
}
