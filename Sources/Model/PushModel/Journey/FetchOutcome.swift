/// The result that an app reports for a background fetch; `overran` if it never reported one.
public enum FetchOutcome: String, Hashable, Sendable, Codable {
    /// The app has loaded new data.
    case newData
    /// There was nothing new.
    case noData
    /// The app could not load its data.
    case failed
    /// The app did not call the handler within its 30 seconds.
    case overran
}
