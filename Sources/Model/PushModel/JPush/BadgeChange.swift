/// What a push does to the number on the app's icon.
public enum BadgeChange: Hashable, Sendable {
    case set(Int)
    /// Adds to the number that the service keeps for the device; never below 0.
    case add(Int)

    /// The number after the change, 0 to 99999.
    public func applied(to badge: Int) -> Int {
        let result =
            switch self {
            case .set(let value): value
            case .add(let difference): badge + difference
            }
        return min(max(result, 0), JPushLimits.badge)
    }
}
