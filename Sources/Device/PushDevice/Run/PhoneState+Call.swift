public import Foundation

extension PhoneState {
    /// A call as the user sees it.
    public struct Call: Hashable, Sendable, Codable {
        /// The UUID that the app chose, by which an order names the call.
        public var id: String
        /// The bundle id of the app.
        public var app: String
        /// The name of the app.
        public var appName: String
        /// The name of the other side, or its address.
        public var name: String
        /// `ringing`, `dialing`, `active` or `held`.
        public var state: String
        /// Whether it is a video call.
        public var hasVideo: Bool
        /// Whether this device called.
        public var isOutgoing: Bool
        /// Whether the microphone is off.
        public var isMuted: Bool
        /// The time at which the call was connected; nil before.
        @Nullable public var connected: Date?
        /// The id of the group that it was merged into; nil for a call of its own.
        @Nullable public var group: String?
    }
}

extension PhoneState.Call {
    init(_ shown: ShownCall) {
        self.init(
            id: shown.id.uuidString,
            app: shown.bundleID,
            appName: shown.appName,
            name: shown.name,
            state: shown.state.rawValue,
            hasVideo: shown.hasVideo,
            isOutgoing: shown.isOutgoing,
            isMuted: shown.isMuted,
            connected: shown.connected,
            group: shown.group?.uuidString
        )
    }
}

extension KeyedDecodingContainer {
    /// Reads the calls; none for a state that was written before phones had calls.
    func decode(_ type: [PhoneState.Call].Type, forKey key: Key) throws -> [PhoneState.Call] {
        try decodeIfPresent(type, forKey: key) ?? []
    }
}
