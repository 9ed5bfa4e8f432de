package import PushModel

/// One topic of an app in one APNs environment: the unit that is sent with one credential, and is paused as a whole.
package struct Destination: Hashable, Sendable {
    package var app: App.ID
    package var environment: APNSEnvironment
    package var topic: TopicKind

    package init(app: App.ID, environment: APNSEnvironment, topic: TopicKind = .notification) {
        self.app = app
        self.environment = environment
        self.topic = topic
    }
}
