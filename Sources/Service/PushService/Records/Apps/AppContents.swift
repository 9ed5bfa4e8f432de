/// The numbers of what an app has, and what its deletion ends.
package struct AppContents: Codable, Hashable, Sendable {
    package var devices: Int
    /// The pushes that are stored, whether or not they are still being sent.
    package var pushes: Int
    /// The pushes that wait to be sent, in part or as a whole.
    package var waiting: Int
    package var schedules: Int
    package var templates: Int
    package var segments: Int
    /// The rows of events that wait for callback addresses. A row may be about several devices.
    package var callbacks: Int
    package var credentials: Int
    /// The groups that it is in.
    package var groups: Int

    package init(
        devices: Int,
        pushes: Int,
        waiting: Int,
        schedules: Int,
        templates: Int,
        segments: Int,
        callbacks: Int,
        credentials: Int,
        groups: Int
    ) {
        self.devices = devices
        self.pushes = pushes
        self.waiting = waiting
        self.schedules = schedules
        self.templates = templates
        self.segments = segments
        self.callbacks = callbacks
        self.credentials = credentials
        self.groups = groups
    }
}
