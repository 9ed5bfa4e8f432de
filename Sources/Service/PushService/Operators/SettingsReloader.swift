package import PushModel

/// Reads a service's settings again.
package protocol SettingsReloader: Sendable {
    /// Applies the settings that can change while the service runs.
    ///
    /// - Returns: `applied` and `needs_restart`, arrays of objects with `key`, `from` and `to`, and `certificate`: `renewed`,
    ///   `unchanged`, or null without TLS.
    /// - Throws: if a setting cannot be used; then nothing has changed.
    func reload() async throws(OperatorError) -> JSONObject
}
