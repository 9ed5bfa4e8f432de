/// The limits for the distinct tags of an app, which the service keeps in memory.
package struct TagLimits: Hashable, Sendable {
    /// The number of all tags of an app.
    package var perApp = 1_000_000
    /// The number of tags that only devices have brought: whoever has the app key, which is public, can register devices.
    package var fromDevices = 100_000
}
