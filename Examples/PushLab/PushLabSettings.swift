import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What differs between two builds of the app, and what a test puts in the place of the world.
///
/// An iPhone, or a process of its own on Linux, reads them from the Info.plist beside the executable: `PushLabAppKey`
/// and `PushLabProduction`. Where several emulated devices share a process, whoever installs the app gives them to
/// `AppDelegate(settings:)`.
public struct PushLabSettings: Sendable {
    /// Sends a request; throws when no answer comes.
    public typealias Fetch = @Sendable (URLRequest) async throws -> (Data, URLResponse)

    /// The app's key at the push service; nil leaves JPush's service out.
    public var appKey: String?
    /// How the app was built; must agree with the credential and with the push.
    public var isProduction: Bool
    /// Where downloads are kept. It need not exist.
    public var folder: URL
    /// How downloads come.
    public var fetch: Fetch
    /// What the clock on the wall shows: a `UILocalNotification` names the moment at which it fires.
    public var now: @Sendable () -> Date
    /// In which reminders are reckoned.
    public var calendar: Calendar

    public init(
        appKey: String?,
        isProduction: Bool = false,
        folder: URL = Self.caches,
        fetch: @escaping Fetch = Self.network,
        now: @escaping @Sendable () -> Date = { Date() },
        calendar: Calendar = .current
    ) {
        self.appKey = appKey
        self.isProduction = isProduction
        self.folder = folder
        self.fetch = fetch
        self.now = now
        self.calendar = calendar
    }

    /// As the Info.plist has it.
    public static var main: PushLabSettings {
        let key = Bundle.main.object(forInfoDictionaryKey: "PushLabAppKey") as? String
        let isProduction = Bundle.main.object(forInfoDictionaryKey: "PushLabProduction") as? Bool
        // A build that was given none has it empty.
        return PushLabSettings(appKey: key == "" ? nil : key, isProduction: isProduction ?? false)
    }

    /// A folder that the system may empty.
    public static var caches: URL {
        let folders = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)
        return (folders.first ?? FileManager.default.temporaryDirectory).appendingPathComponent("PushLab")
    }

    /// Foundation's own; nothing is kept but what the app keeps.
    public static let network: Fetch = { [session = URLSession(configuration: .ephemeral)] request in
        try await session.data(for: request)
    }
}
