/// The statistics on an app's devices in a period.
package enum UseMeasure: String, Hashable, Sendable, CaseIterable {
    /// Registered for the first time.
    case new
    /// Had a link to the service.
    case online
    /// Registered or logged in, which an app does when it starts or comes to the foreground (our reading of "active").
    case active
}
