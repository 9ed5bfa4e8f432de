import SystemPort

/// The alert that comes with a change of a Live Activity.
@available(iOS 16.1, *)
public struct AlertConfiguration: Sendable {
    /// The title, which Apple's watches show.
    public var title: LocalizedStringResource
    /// The text, which Apple's watches show.
    public var body: LocalizedStringResource
    /// The sound.
    public var sound: AlertSound

    /// Creates an alert.
    public init(title: LocalizedStringResource, body: LocalizedStringResource, sound: AlertSound) {
        self.title = title
        self.body = body
        self.sound = sound
    }

    /// The sound of an alert.
    public struct AlertSound: Equatable, Sendable {
        let name: String?

        /// The system's own sound.
        public static var `default`: AlertSound { AlertSound(name: nil) }

        /// A sound file of the app's bundle or of its `Library/Sounds`.
        public static func named(_ name: String) -> AlertSound { AlertSound(name: name) }
    }

    /// The alert as it is sent to the device, with the texts in its language.
    func record(_ port: any SystemPort) -> LiveActivityAlert {
        let strings = port.facts.strings
        return LiveActivityAlert(
            title: title.text(strings),
            body: body.text(strings),
            sound: SoundRecord(name: sound.name)
        )
    }
}
