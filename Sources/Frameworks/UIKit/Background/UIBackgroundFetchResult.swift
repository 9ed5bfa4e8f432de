import PushModel

/// The result of a background fetch.
public enum UIBackgroundFetchResult: UInt, Sendable {
    /// The app has loaded new data.
    case newData = 0
    /// There was nothing new.
    case noData = 1
    /// The data could not be loaded.
    case failed = 2
}

extension UIBackgroundFetchResult {
    /// The result as the device knows it.
    var outcome: FetchOutcome {
        switch self {
        case .newData: .newData
        case .noData: .noData
        case .failed: .failed
        }
    }
}
