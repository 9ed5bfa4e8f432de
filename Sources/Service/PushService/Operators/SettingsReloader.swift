package import PushModel

/// Reads a service's settings again.
package protocol SettingsReloader: Sendable {
    /// Applies the settings that can change while the service runs.
    ///
    /// - Returns: the settings that have changed.
    /// - Throws: if a setting cannot be used; then nothing has changed.
    func reload() async throws(OperatorError) -> ReloadAnswer
}

package struct ReloadAnswer: Codable, Sendable {
    package struct Change: Codable, Sendable {
        package let key: String
        /// The value before; nil for the default.
        @OrNull package var from: String?
        @OrNull package var to: String?

        package init(key: String, from: String?, to: String?) { (self.key, self.from, self.to) = (key, from, to) }
    }

    package let applied: [Change]
    package let needsRestart: [Change]
    /// `renewed` or `unchanged`; nil without TLS.
    @OrNull package var certificate: String?

    package init(applied: [Change], needsRestart: [Change], certificate: String?) {
        (self.applied, self.needsRestart, self.certificate) = (applied, needsRestart, certificate)
    }
}
