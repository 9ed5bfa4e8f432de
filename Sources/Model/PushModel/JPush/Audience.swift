/// The audience of a push.
public enum Audience: Hashable, Sendable {
    /// Every device of the app.
    case all
    case filter(Filter)

    /// A device must match all keys; an empty array means that a key was not given.
    public struct Filter: Hashable, Sendable {
        /// Devices with any of these tags.
        public var tags: [String] = []
        /// Devices with all of these tags.
        public var tagsAnd: [String] = []
        /// Devices with none of these tags.
        public var tagsNot: [String] = []
        public var aliases: [String] = []
        public var registrationIDs: [RegistrationID] = []
        /// Whether a segment or an A/B test was given: this server has none, so no device matches.
        public var namesUnknownSegment = false

        public init() {}
    }

    static var nobody: Audience {
        var filter = Filter()
        filter.namesUnknownSegment = true
        return .filter(filter)
    }
}
