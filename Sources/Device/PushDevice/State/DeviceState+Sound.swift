import PushModel
import SystemPort

// Which sound a notification makes.
//
// Source: Apple, "UNNotificationSound", Prepare sound resources, read November 2026: a file of the app's bundle or of
// Library/Sounds in its container; aiff, wav or caf; under 30 seconds, else the system's own sound plays.

extension DeviceState {
    /// A sound must be shorter than this.
    static let soundLimit = Duration.seconds(30)
    private static let soundFormats: Set<String> = ["aif", "aiff", "aifc", "wav", "caf"]

    /// Why the system's own sound plays in place of a named one; nil if the named one plays.
    func soundFault(_ sound: SoundRecord?, _ record: AppRecord) -> SuppressionReason? {
        // An app that tells nothing of its files is taken at its word.
        guard let name = sound?.name, let bundle = record.app.sounds else { return nil }
        // What the app has put into its Library/Sounds wins.
        guard let length = record.librarySounds[name] ?? bundle[name] else { return .soundMissing }
        let parts = name.split(separator: ".")
        guard parts.count > 1, let format = parts.last, Self.soundFormats.contains(format.lowercased()) else {
            return .soundFormat
        }
        return length < Self.soundLimit ? nil : .soundTooLong
    }
}
