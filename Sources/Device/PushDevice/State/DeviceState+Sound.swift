import PushModel
import SystemPort

// The sound of a notification.
//
// Source: Apple, "UNNotificationSound", Prepare sound resources, read November 2026: a file of the app's bundle or of
// Library/Sounds in its container; aiff, wav or caf; under 30 seconds, else the system's own sound plays.

extension DeviceState {
    /// The length that a sound must stay below.
    static let soundLimit = Duration.seconds(30)
    private static let soundFormats: Set<String> = ["aif", "aiff", "aifc", "wav", "caf"]

    /// Returns why the system's own sound plays instead of a named one; nil if the named one plays.
    func soundFault(_ sound: SoundRecord?, _ record: AppRecord) -> SuppressionReason? {
        // If an app does not declare its files, any name is accepted.
        guard let name = sound?.name, let bundle = record.app.sounds else { return nil }
        // Files in the app's Library/Sounds take precedence.
        guard let length = record.librarySounds[name] ?? bundle[name] else { return .soundMissing }
        let parts = name.split(separator: ".")
        guard parts.count > 1, let format = parts.last, Self.soundFormats.contains(format.lowercased()) else {
            return .soundFormat
        }
        return length < Self.soundLimit ? nil : .soundTooLong
    }
}
