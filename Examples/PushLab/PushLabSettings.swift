import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// On an iPhone the files of Network are the app's own.
#if canImport(PushLabNetwork)
import PushLabNetwork
#endif

/// The settings that differ between builds of the app, and the dependencies that a test replaces.
///
/// An iPhone reads them from the app's Info.plist: `PushLabAppKey` and `PushLabProduction`. A process of its own on
/// Linux does the same, with the Info.plist beside the executable; the variable `POSTHORN_APP_KEY` overrides the first.
/// Where several emulated devices share a process, they are passed to `AppDelegate(settings:)` when the app is
/// installed.
public struct PushLabSettings: Sendable {
    /// The app's key at the push service; nil disables JPush's service.
    public var appKey: String?
    /// How the app was built; must match the credential and the push.
    public var isProduction: Bool
    /// The folder for downloads. It need not exist.
    public var folder: URL
    /// The function that downloads files.
    public var fetch: BoundedFetch.Function
    /// The current date: a `UILocalNotification` needs the date at which it fires.
    public var now: @Sendable () -> Date
    /// The calendar for reminders.
    public var calendar: Calendar
    /// Receives each line of the callback log; nil for none.
    public var echo: (@Sendable (String) -> Void)?
    /// Sends a body to `/v3/schedules` of the service; nil without the master secret, when the person pushes.
    public var schedule: (@Sendable (Data) async throws -> Void)?
    /// Ends the process; nil where several emulated devices share it.
    public var end: (@Sendable () -> Void)?

    public init(
        appKey: String?,
        isProduction: Bool = false,
        folder: URL = Self.caches,
        fetch: @escaping BoundedFetch.Function = BoundedFetch.network(from: .main),
        now: @escaping @Sendable () -> Date = { Date() },
        calendar: Calendar = .current,
        echo: (@Sendable (String) -> Void)? = nil,
        schedule: (@Sendable (Data) async throws -> Void)? = nil,
        end: (@Sendable () -> Void)? = nil
    ) {
        self.appKey = appKey
        self.isProduction = isProduction
        self.folder = folder
        self.fetch = fetch
        self.now = now
        self.calendar = calendar
        self.echo = echo
        self.schedule = schedule
        self.end = end
    }

    /// The settings of the process; the callbacks go to standard output.
    public static var main: PushLabSettings {
        let declared = declared("PushLabAppKey")
        let key = ProcessInfo.processInfo.environment["POSTHORN_APP_KEY"] ?? declared
        let isProduction = Bundle.main.object(forInfoDictionaryKey: "PushLabProduction") as? Bool
        return PushLabSettings(
            appKey: key,
            isProduction: isProduction ?? false,
            // Not `print`: its buffered output is lost when the system ends the app.
            echo: { FileHandle.standardOutput.write(Data("\($0)\n".utf8)) },
            schedule: schedule(with: key),
            end: { exit(0) }
        )
    }

    /// Returns a value of the Info.plist; nil for an empty one, as in a build without a key, and for the name of a variable, as in a file
    /// that no build has processed.
    private static func declared(_ key: String) -> String? {
        let value = Bundle.main.object(forInfoDictionaryKey: key) as? String ?? ""
        return value.isEmpty || value.hasPrefix("$") ? nil : value
    }

    private static func schedule(with appKey: String?) -> (@Sendable (Data) async throws -> Void)? {
        guard let appKey, let secret = declared("PushLabMasterSecret"), let service = declared("PosthornService"),
            let url = URL(string: "\(service)/v3/schedules")
        else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        let login = Data("\(appKey):\(secret)".utf8).base64EncodedString()
        request.setValue("Basic \(login)", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        return { [request] body in
            var request = request
            request.httpBody = body
            let (_, answer) = try await URLSession.shared.data(for: request)
            let status = (answer as? HTTPURLResponse)?.statusCode ?? 0
            guard status == 200 else { throw URLError(.badServerResponse, userInfo: ["status": status]) }
        }
    }

    /// A folder that the system may empty.
    public static var caches: URL {
        let folders = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)
        return (folders.first ?? FileManager.default.temporaryDirectory).appendingPathComponent("PushLab")
    }
}
