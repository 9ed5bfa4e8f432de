/// How much a notification may interrupt.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    /// Only in the list, without light and sound.
    case passive = 0
    /// As usual.
    case active = 1
    /// At once, also in a Focus that allows it.
    case timeSensitive = 2
    /// At once, with its sound despite the mute switch.
    case critical = 3
}
