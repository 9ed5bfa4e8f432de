/// The numbers on the icons of apps.
///
/// The system remembers the number of an app that is removed: it is on the icon again when the app is installed again.
struct IconBadges: Sendable {
    /// The numbers by bundle id; none is 0.
    private(set) var numbers: [String: Int] = [:]

    subscript(_ bundleID: String) -> Int { numbers[bundleID] ?? 0 }

    /// Sets a number; 0 for no badge. Returns whether that is a change.
    mutating func set(_ number: Int, of bundleID: String) -> Bool {
        guard self[bundleID] != number else { return false }
        numbers[bundleID] = number == 0 ? nil : number
        return true
    }
}
