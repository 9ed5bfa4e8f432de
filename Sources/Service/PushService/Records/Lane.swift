package import PushModel

/// An app's pushes to one APNs environment: what waits, fails and is paused together.
package struct Lane: Hashable, Sendable {
    package var app: App.ID
    package var environment: APNSEnvironment

    package init(app: App.ID, environment: APNSEnvironment) {
        self.app = app
        self.environment = environment
    }
}
