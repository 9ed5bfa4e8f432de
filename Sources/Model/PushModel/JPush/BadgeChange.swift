/// The change that a push makes to the app's badge.
package enum BadgeChange: Hashable, Sendable {
    case set(Int)
    /// Adds to the badge that the service stores for the device; never below 0.
    case add(Int)

    /// Returns the badge after the change, 0 to 99999.
    package func applied(to badge: Int) -> Int {
        let result =
            switch self {
            case .set(let value): value
            case .add(let difference): badge + difference
            }
        return min(max(result, 0), JPushLimits.badge)
    }
}
