import Foundation

// On an iPhone the files of Network are the app's own.
#if canImport(PushLabNetwork)
import PushLabNetwork
#endif

/// What differs between two builds of the app, and what a test puts in the place of the world.
///
/// An iPhone reads them from the app's Info.plist: `PushLabAppKey` and `PushLabProduction`. So does a process of its own on
/// Linux, from the Info.plist beside the executable, where the variable `POSTHORN_APP_KEY` goes before the first. Where several
/// emulated devices share a process, whoever installs the app gives them to `AppDelegate(settings:)`.
public struct PushLabSettings: Sendable {
    /// The app's key at the push service; nil leaves JPush's service out.
    public var appKey: String?
    /// How the app was built; must agree with the credential and with the push.
    public var isProduction: Bool
    /// Where downloads are kept. It need not exist.
    public var folder: URL
    /// How downloads come.
    public var fetch: BoundedFetch.Function
    /// What the clock on the wall shows: a `UILocalNotification` names the moment at which it fires.
    public var now: @Sendable () -> Date
    /// In which reminders are reckoned.
    public var calendar: Calendar
    /// Is told each line of the callback log; nil tells nobody.
    public var echo: (@Sendable (String) -> Void)?

    public init(
        appKey: String?,
        isProduction: Bool = false,
        folder: URL = Self.caches,
        fetch: @escaping BoundedFetch.Function = BoundedFetch.network(from: .main),
        now: @escaping @Sendable () -> Date = { Date() },
        calendar: Calendar = .current,
        echo: (@Sendable (String) -> Void)? = nil
    ) {
        self.appKey = appKey
        self.isProduction = isProduction
        self.folder = folder
        self.fetch = fetch
        self.now = now
        self.calendar = calendar
        self.echo = echo
    }

    /// Those of the process; the callbacks go to standard output.
    public static var main: PushLabSettings {
        let declared = Bundle.main.object(forInfoDictionaryKey: "PushLabAppKey") as? String
        let key = ProcessInfo.processInfo.environment["POSTHORN_APP_KEY"] ?? declared ?? ""
        let isProduction = Bundle.main.object(forInfoDictionaryKey: "PushLabProduction") as? Bool
        return PushLabSettings(
            // A build that was given none has it empty; a file that no build has filled in names the variable.
            appKey: key.isEmpty || key.hasPrefix("$") ? nil : key,
            isProduction: isProduction ?? false,
            // Not `print`: what that keeps for later is lost when the system ends the app.
            echo: { FileHandle.standardOutput.write(Data("\($0)\n".utf8)) }
        )
    }

    /// A folder that the system may empty.
    public static var caches: URL {
        let folders = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask)
        return (folders.first ?? FileManager.default.temporaryDirectory).appendingPathComponent("PushLab")
    }
}
