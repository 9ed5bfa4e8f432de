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
        /// The names of a segment and of a group of an A/B test, both of which are a ``Segment``.
        package var segments: [String] = []
        /// A device must meet all of them.
        package var pastPushes: [PastPush] = []
        /// Devices that opened none of the app's pushes of the last days; nil for all.
        package var openedNothingForDays: Int?

        package init() {}
    }

    /// The names of segments in the audience.
    package var segments: [String] { if case .filter(let filter) = self { filter.segments } else { [] } }

    static var nobody: Audience {
        var filter = Filter()
        // No segment has this name.
        filter.segments = [""]
        return .filter(filter)
    }
}
