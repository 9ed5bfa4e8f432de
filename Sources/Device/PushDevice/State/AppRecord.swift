import PushModel
import SystemPort

/// One app on the device: its permissions, its notifications, its stored data.
struct AppRecord: Sendable {
    private(set) var app: InstalledApp
    var run = AppRun()
    var suspension = Suspension()
    var permission = AppPermission()
    var token = AppToken()
    var background = BackgroundTime()
    /// The values that outlive its processes.
    var data: AppData
    var categories: [CategoryRecord] = []
    /// The sound files that it put into its container's Library/Sounds, and their lengths.
    var librarySounds: [String: Duration] = [:]
    private(set) var hasServiceExtension = false
    /// The extensions that provide expanded views, by category.
    private(set) var contentExtensions: [String: ContentExtensionInfo] = [:]
    /// The quick actions that it has set at run time.
    var shortcuts: [ShortcutRecord] = []
    var location = AppLocation()
    var inApp = InAppViews()
    var alerts = AppAlerts()
    var activities = AppActivities()
    var voIP = VoIPState()
    var widgets = PlacedWidgets()

    init(_ app: InstalledApp, data: AppData) {
        self.app = app
        self.data = data
    }

    var condition: AppCondition { run.condition }
    var process: Int? { run.process }
    var settings: SettingsRecord { permission.settings }

    /// Records that a process starts, which has asked for nothing yet.
    mutating func start(_ process: Int, at time: WallTime) {
        run.start(process, at: time)
        permission.startProcess()
        location.startProcess()
        voIP.startProcess()
    }

    /// Replaces the build. Reports of phones: a new build is launched again for VoIP pushes (``DeviceState/unreportedCallLimit``).
    mutating func install(
        _ app: InstalledApp,
        hasServiceExtension: Bool,
        contentExtensions: [String: ContentExtensionInfo]
    ) {
        self.app = app
        self.hasServiceExtension = hasServiceExtension
        self.contentExtensions = contentExtensions
        voIP.failures = 0
    }

    /// Forgets what belongs to tokens that were given up.
    mutating func forgetTokens() {
        token = AppToken()
        voIP = VoIPState()
        widgets = PlacedWidgets()
        activities = AppActivities()
    }

    /// Returns the category; if two have the same identifier, the last one.
    func category(_ identifier: String) -> CategoryRecord? { categories.last { $0.identifier.isSame(as: identifier) } }

    func allows(_ kind: UInt) -> Bool { settings.allowed & kind != 0 }
}
