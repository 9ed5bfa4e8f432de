public import Foundation
import PushModel
import SystemPort

// Each sequence tells of what happens from the start of its iteration on. Those of one activity end when it is dismissed.

@available(iOS 16.1, *)
extension Activity {
    /// The content, whenever it changes.
    @available(iOS 16.2, *)
    public var contentUpdates: ContentUpdates { ContentUpdates(activity: self) }

    /// The content that changes, whenever it does.
    @available(iOS, introduced: 16.1, deprecated: 16.2, message: "Use contentUpdates.")
    public var contentStateUpdates: ContentStateUpdates { ContentStateUpdates(activity: self) }

    /// The state in the life cycle, whenever it changes.
    public var activityStateUpdates: ActivityStateUpdates { ActivityStateUpdates(cell: cell) }

    /// The token of this activity: the current one if there is one, and each new one.
    public var pushTokenUpdates: PushTokenUpdates { PushTokenUpdates(source: .activity(cell)) }

    /// The activities of this type that start, by the app or by a push; those that nobody has awaited yet included.
    public static var activityUpdates: ActivityUpdates { ActivityUpdates(port: declared()) }

    /// The token with which a push starts an activity of this type; nil until it has arrived.
    @available(iOS 17.2, *)
    public static var pushToStartToken: Data? {
        let port = declared()
        port.call(.liveActivity(.requestStartToken(type: typeName)))
        return port.facts.liveActivities.startTokens[typeName].map { Data($0.bytes) }
    }

    /// The token with which a push starts an activity of this type: the current one if there is one, and each new one.
    @available(iOS 17.2, *)
    public static var pushToStartTokenUpdates: PushTokenUpdates {
        PushTokenUpdates(source: .start(type: typeName, declared()))
    }

    /// The content, whenever it changes.
    @available(iOS 16.2, *)
    public struct ContentUpdates: AsyncSequence, Sendable {
        public typealias Element = ActivityContent<Activity<Attributes>.ContentState>
        let activity: Activity<Attributes>

        public struct Iterator: AsyncIteratorProtocol {
            let activity: Activity<Attributes>
            var base: AsyncStream<LiveActivityContent>.Iterator

            public mutating func next() async -> ActivityContent<Activity<Attributes>.ContentState>? {
                await base.next().map(activity.content(of:))
            }
        }

        public func makeAsyncIterator() -> Iterator {
            Iterator(activity: activity, base: activity.cell.changes { $0.content }.makeAsyncIterator())
        }
    }

    /// The content that changes, whenever it does.
    public struct ContentStateUpdates: AsyncSequence, Sendable {
        public typealias Element = Activity<Attributes>.ContentState
        let activity: Activity<Attributes>

        public struct Iterator: AsyncIteratorProtocol {
            let activity: Activity<Attributes>
            var base: AsyncStream<LiveActivityContent>.Iterator

            public mutating func next() async -> Activity<Attributes>.ContentState? {
                await base.next().map { activity.content(of: $0).state }
            }
        }

        public func makeAsyncIterator() -> Iterator {
            Iterator(activity: activity, base: activity.cell.changes { $0.content }.makeAsyncIterator())
        }
    }

    /// The state in the life cycle, whenever it changes.
    public struct ActivityStateUpdates: AsyncSequence, Sendable {
        public typealias Element = ActivityState
        let cell: ActivityCell

        public struct Iterator: AsyncIteratorProtocol {
            var base: AsyncStream<LiveActivityRecord.State>.Iterator

            public mutating func next() async -> ActivityState? { await base.next().map(ActivityState.init) }
        }

        public func makeAsyncIterator() -> Iterator { Iterator(base: cell.changes { $0.state }.makeAsyncIterator()) }
    }

    /// Tokens, the current one first.
    public struct PushTokenUpdates: AsyncSequence, Sendable {
        public typealias Element = Data
        let source: TokenSource

        public struct Iterator: AsyncIteratorProtocol {
            var base: AsyncStream<DeviceToken?>.Iterator
            var last: DeviceToken?

            public mutating func next() async -> Data? {
                while let token = await base.next() {
                    // The current token may also arrive as a new one.
                    guard let token, token != last else { continue }
                    last = token
                    return Data(token.bytes)
                }
                return nil
            }
        }

        public func makeAsyncIterator() -> Iterator { Iterator(base: source.tokens().makeAsyncIterator()) }
    }

    /// Activities that start.
    public struct ActivityUpdates: AsyncSequence, Sendable {
        public typealias Element = Activity<Attributes>
        let port: any SystemPort

        public struct Iterator: AsyncIteratorProtocol {
            let port: any SystemPort
            var base: AsyncStream<LiveActivityRecord>.Iterator

            public mutating func next() async -> Activity<Attributes>? {
                while let record = await base.next() {
                    if let activity = Activity(record, on: port) { return activity }
                }
                return nil
            }
        }

        public func makeAsyncIterator() -> Iterator {
            let base = ActivityHub.of(port).starts(of: Activity<Attributes>.typeName)
            return Iterator(port: port, base: base.makeAsyncIterator())
        }
    }
}

/// The place that tokens come from.
enum TokenSource: Sendable {
    case activity(ActivityCell)
    case start(type: String, any SystemPort)

    func tokens() -> AsyncStream<DeviceToken?> {
        switch self {
        case .activity(let cell): return cell.changes(includingCurrent: true) { $0.pushToken }
        case .start(let type, let port):
            let tokens = ActivityHub.of(port).startTokens(of: type) { port.facts.liveActivities.startTokens[type] }
            port.call(.liveActivity(.requestStartToken(type: type)))
            return tokens
        }
    }
}
