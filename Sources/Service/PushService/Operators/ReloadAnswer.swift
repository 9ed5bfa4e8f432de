package import PushModel

/// The settings that a reload has changed, and those that need a restart.
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
