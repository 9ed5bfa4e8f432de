import SystemPort

/// Whether a person allows the app its Live Activities, and frequent pushes to them.
@available(iOS 16.1, *)
public final class ActivityAuthorizationInfo: Sendable {
    private let port: any SystemPort

    /// Whether the app may start Live Activities, whenever it changes.
    public let activityEnablementUpdates: ActivityEnablementUpdates
    /// Whether the person allows frequent pushes, whenever it changes.
    @available(iOS 16.2, *)
    public let frequentPushEnablementUpdates: FrequentPushEnablementUpdates

    /// Creates the information about the running app.
    public init() {
        port = CurrentPort.find()
        activityEnablementUpdates = ActivityEnablementUpdates(port: port)
        frequentPushEnablementUpdates = FrequentPushEnablementUpdates(port: port)
    }

    /// Whether the app may start Live Activities: the device has them, the app declares `NSSupportsLiveActivities`, and the person
    /// has not switched them off.
    public var areActivitiesEnabled: Bool { port.facts.liveActivities.areEnabled }

    /// Whether the app declares `NSSupportsLiveActivitiesFrequentUpdates`, and the person has not switched frequent updates off.
    @available(iOS 16.2, *)
    public var frequentPushesEnabled: Bool { port.facts.liveActivities.areFrequentPushesEnabled }

    /// Whether the app may start Live Activities, whenever it changes.
    public struct ActivityEnablementUpdates: AsyncSequence, Sendable {
        public typealias Element = Bool
        let port: any SystemPort

        public struct Iterator: AsyncIteratorProtocol {
            var base: AsyncStream<Bool>.Iterator

            public mutating func next() async -> Bool? { await base.next() }
        }

        public func makeAsyncIterator() -> Iterator {
            Iterator(
                base: ActivityHub.of(port).settings(port.facts.liveActivities) { $0.areEnabled }.makeAsyncIterator()
            )
        }
    }

    /// Whether the person allows frequent pushes, whenever it changes.
    @available(iOS 16.2, *)
    public struct FrequentPushEnablementUpdates: AsyncSequence, Sendable {
        public typealias Element = Bool
        let port: any SystemPort

        public struct Iterator: AsyncIteratorProtocol {
            var base: AsyncStream<Bool>.Iterator

            public mutating func next() async -> Bool? { await base.next() }
        }

        public func makeAsyncIterator() -> Iterator {
            let facts = port.facts.liveActivities
            return Iterator(
                base: ActivityHub.of(port).settings(facts) { $0.areFrequentPushesEnabled }.makeAsyncIterator()
            )
        }
    }
}
