public import Foundation

/// The content of a Live Activity, and how long it counts as current.
@available(iOS 16.2, *)
public struct ActivityContent<State: Decodable & Encodable & Hashable> {
    /// The content that changes.
    public var state: State
    /// The time at which the activity becomes `stale`; nil for never.
    public var staleDate: Date?
    /// The order among the app's activities: the highest is the first on the lock screen, and the one in the Dynamic Island.
    public var relevanceScore: Double

    /// Creates content from its parts.
    public init(state: State, staleDate: Date?, relevanceScore: Double = 0.0) {
        self.state = state
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore
    }
}

@available(iOS 16.2, *)
extension ActivityContent: Sendable where State: Sendable {}

@available(iOS 16.2, *)
extension ActivityContent: CustomStringConvertible {
    public var description: String {
        let date = staleDate.map { $0.formatted(.iso8601) } ?? "nil"
        return "ActivityContent(state: \(state), staleDate: \(date), relevanceScore: \(relevanceScore))"
    }
}
