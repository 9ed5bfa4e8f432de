/// The limits for operators and users of the portal.
package struct OperatorRules: Hashable, Sendable {
    /// The number of changes that each may make in a minute.
    package var changesPerMinute = 600
    /// The number of devices up to which a user of the portal may push without having given the password a moment ago.
    package var devicesWithoutPassword = 1000
}
