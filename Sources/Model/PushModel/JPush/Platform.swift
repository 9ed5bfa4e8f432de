/// A family of devices. Posthorn delivers to `ios`; the others are understood, and have no devices here.
public enum Platform: String, Hashable, Sendable, CaseIterable {
    case android
    case ios
    case winphone
    case quickapp
    case hmos
}
