/// Whether pushes may wake the app in the background.
public enum UIBackgroundRefreshStatus: Int, Sendable {
    /// Restricted, so that the user cannot change it. It never occurs here.
    case restricted = 0
    /// The user has switched it off.
    case denied = 1
    /// Allowed.
    case available = 2
}
