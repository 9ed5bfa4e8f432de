/// The settings for people with impairments. None is on here.
///
/// Source: Apple, `UIAccessibility`.
public enum UIAccessibility {
    /// The kind of a message.
    public struct Notification: RawRepresentable, Hashable, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// Another screen is shown.
        public static let screenChanged = Self(rawValue: 1000)
        /// A part of the screen has changed.
        public static let layoutChanged = Self(rawValue: 1001)
        /// A text to speak.
        public static let announcement = Self(rawValue: 1008)
    }

    /// Whether the screen is read aloud: false.
    @MainActor public static var isVoiceOverRunning: Bool { false }
    /// Whether animations are reduced: false.
    @MainActor public static var isReduceMotionEnabled: Bool { false }
    /// Whether transparency is reduced: false.
    @MainActor public static var isReduceTransparencyEnabled: Bool { false }
    /// Whether text is bold: false.
    @MainActor public static var isBoldTextEnabled: Bool { false }

    /// Sends a message; nobody hears it.
    @MainActor public static func post(notification: Notification, argument: Any?) {}
}
