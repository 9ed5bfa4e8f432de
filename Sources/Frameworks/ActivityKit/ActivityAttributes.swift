public import Foundation
import SystemPort

/// The content of a Live Activity: the type's own properties do not change, those of its `ContentState` do.
@available(iOS 16.1, *)
public protocol ActivityAttributes: Decodable, Encodable {
    /// The content that changes. With the attributes it has at most 4 KB of JSON.
    associatedtype ContentState: Decodable, Encodable, Hashable
}

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

/// The state of a Live Activity in its life cycle.
@available(iOS 16.1, *)
public enum ActivityState: Codable, Hashable, Sendable {
    /// It is visible, and its content may change.
    case active
    /// It is visible, and its content changes no more.
    case ended
    /// It is no longer visible: a person or the system removed it.
    case dismissed
    /// Its content is out of date.
    case stale
    /// It is scheduled and has not started.
    case pending

    init(_ state: LiveActivityRecord.State) {
        self =
            switch state {
            case .active: .active
            case .ended: .ended
            case .dismissed: .dismissed
            case .stale: .stale
            case .pending: .pending
            }
    }
}

/// Whether a Live Activity stays, or ends when the person turns to something else.
@available(iOS 18.0, *)
public enum ActivityStyle: Codable, Hashable, Sendable {
    /// It goes on until it is ended.
    case standard
    /// It ends when the device is locked, or the app it belongs to is left. The emulated device stores it and treats it as standard.
    case transient
}
