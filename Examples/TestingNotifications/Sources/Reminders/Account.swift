#if canImport(JPush)
import JPush

/// The user's account at the push service.
@MainActor
public enum Account {
    /// Ties the device to the user.
    public static func logIn(_ user: String, plan: String) {
        JPUSHService.setAlias(user, completion: { _, _, _ in }, seq: 1)
        JPUSHService.setTags([plan], completion: { _, _, _ in }, seq: 2)
    }

    /// Unties it: the next user of the device gets nothing that was meant for this one.
    public static func logOut() {
        JPUSHService.deleteAlias({ _, _, _ in }, seq: 3)
        JPUSHService.cleanTags({ _, _, _ in }, seq: 4)
    }
}
#endif
