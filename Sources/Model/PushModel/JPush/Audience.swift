/// To whom a push goes.
public enum Audience: Hashable, Sendable {
    /// Every device of the app.
    case all
    case filter(Filter)

    /// Different keys narrow each other down; an empty array stands for a key that was not given.
    public struct Filter: Hashable, Sendable {
        /// Devices with any of these tags.
        public var tags: [String] = []
        /// Devices with all of these tags.
        public var tagsAnd: [String] = []
        /// Devices with none of these tags.
        public var tagsNot: [String] = []
        public var aliases: [String] = []
        public var registrationIDs: [RegistrationID] = []
        /// A segment or an A/B test was named: none is known to this server, so nobody matches.
        public var namesUnknownSegment = false

        public init() {}
    }

    static var nobody: Audience {
        var filter = Filter()
        filter.namesUnknownSegment = true
        return .filter(filter)
    }
}
