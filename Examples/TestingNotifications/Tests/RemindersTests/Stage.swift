import Foundation
import PosthornTesting
import Reminders

/// A phone with the app.
@MainActor
struct Stage {
    let app: InstalledApp
    let phone: TestPhone

    /// 1 March 2026, 12:00 in Berlin, four weeks before the clocks go forward.
    static let start = Date(timeIntervalSince1970: 1_772_362_800)

    init(prompts: PromptPolicy = .allow, zone: String = "Europe/Berlin") throws {
        app = InstalledApp(
            bundleID: "com.example.reminders",
            name: "Reminders",
            info: [
                "CFBundleShortVersionString": "1.0",
                "NSLocationWhenInUseUsageDescription": "To remind you where you want to write.",
            ]
        )
        phone = TestPhone(startingAt: Self.start, zone: TimeZone(identifier: zone), prompts: prompts)
        phone.install(app, serviceExtension: { PictureService() }) { AppDelegate() }
    }

    /// Opens the app, which asks for permission and schedules the daily reminder.
    @discardableResult
    func start(hour: Int = 8) async throws -> Bool? {
        await phone.open(app)
        return try await phone.device.inside(app.bundleID) { try await ReminderCenter().start(hour: hour) }
    }

    /// The app has permission, and is in the background.
    func startInBackground(hour: Int = 8) async throws {
        try await start(hour: hour)
        await phone.background(app)
    }

    /// Runs code of the app.
    func inside<Result: Sendable>(_ body: @MainActor () async throws -> Result) async rethrows -> Result? {
        try await phone.device.inside(app.bundleID, body)
    }

    /// The app's delegate; nil while the app does not run.
    var delegate: AppDelegate? { phone.device.delegate(of: app.bundleID) }

    func push(_ alert: String, note: String, category: String? = nil, collapseID: String? = nil) async -> String {
        var aps: JSONObject = ["alert": .string(alert)]
        if let category { aps["category"] = .string(category) }
        return await phone.push(["aps": .object(aps), "note": .string(note)], to: app, collapseID: collapseID)
    }

    /// The time on a clock on the wall in the phone's zone.
    func wallTime(_ zone: String) -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: zone)
        format.dateFormat = "yyyy-MM-dd HH:mm"
        return format.string(from: phone.clock.date)
    }
}
