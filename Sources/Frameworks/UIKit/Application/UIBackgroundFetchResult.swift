/// The result of a background fetch.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// The app has loaded new data.
    case newData = 0
    /// There was nothing new.
    case noData = 1
    /// The data could not be loaded.
    case failed = 2
}
