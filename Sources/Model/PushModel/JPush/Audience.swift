/// The audience of a push.
package enum Audience: Hashable, Sendable {
    /// Every device of the app.
    case all
    case filter(Filter)

    /// A device must match all keys; an empty array means that a key was not given.
    package struct Filter: Hashable, Sendable {
        /// Devices with any of these tags.
        package var tags: [String] = []
        /// Devices with all of these tags.
        package var tagsAnd: [String] = []
        /// Devices with none of these tags.
        package var tagsNot: [String] = []
        package var aliases: [String] = []
        package var registrationIDs: [RegistrationID] = []
        /// Whether a segment or an A/B test was given: this server has none, so no device matches.
        package var namesUnknownSegment = false

        package init() {}
    }

    /// Whether the audience names a segment or an A/B test.
    package var namesUnknownSegment: Bool {
        if case .filter(let filter) = self { filter.namesUnknownSegment } else { false }
    }

    static var nobody: Audience {
        var filter = Filter()
        filter.namesUnknownSegment = true
        return .filter(filter)
    }
}
