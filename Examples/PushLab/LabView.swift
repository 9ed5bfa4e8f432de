#if canImport(SwiftUI)
import SwiftUI
import UIKit

/// The app's user interface on an iPhone: the page of a link, the scenes to start, and the callbacks, newest first.
struct LabView: View {
    @ObservedObject var lab: LabModel

    var body: some View {
        NavigationView {
            List {
                Section("Page") { Text(verbatim: "\(lab.page)") }
                Section("Reminders") {
                    Button("In five seconds") { lab.add(.after(5)) }
                    Button("Every Monday at eight") {
                        lab.add(.on(DateComponents(hour: 8, weekday: 2), repeats: true))
                    }
                    Button("At the market") {
                        lab.add(.at(.init(latitude: 48.1351, longitude: 11.5763, radius: 150)))
                    }
                    Button("With a picture") { lab.addPicture() }
                    Button("In a minute, through JPush") { lab.addWithJPush() }
                    Button("Remove all", role: .destructive) { lab.removeAll() }
                }
                Section("Delivery") {
                    Button("Follow the parcel") { lab.beginDelivery() }
                    Button("The parcel has arrived") { lab.endDelivery() }
                }
                Section("Settings") {
                    Button("What is allowed?") { lab.readSettings() }
                    Button("Compare with the matrix") { lab.showCalibration() }
                }
                Section("Callbacks") {
                    ForEach(lab.lines.indices.reversed(), id: \.self) { index in
                        Text(verbatim: lab.lines[index].description).font(.footnote.monospaced())
                    }
                }
            }
            .navigationTitle("PushLab")
        }
    }
}

/// The observable state of the user interface.
@MainActor
final class LabModel: ObservableObject {
    @Published private(set) var lines: [CallbackLog.Line]
    @Published private(set) var page: DeepLink.Page
    private weak var app: AppDelegate?

    init(_ app: AppDelegate) {
        self.app = app
        lines = app.log.lines
        page = app.page
        app.log.onLine = { [weak self, weak app] _ in
            guard let self, let app else { return }
            self.lines = app.log.lines
            self.page = app.page
        }
    }

    func add(_ moment: Reminder.Moment) {
        run { app in try await app.reminders.add(self.reminder(moment)) }
    }

    func addPicture() {
        run { app in
            var reminder = self.reminder(.after(5))
            reminder.attachment = try SamplePicture.file(in: FileManager.default.temporaryDirectory)
            try await app.reminders.add(reminder)
        }
    }

    func addWithJPush() {
        run { app in
            let isAdded = try await app.reminders.addWithJPush(self.reminder(.after(60)))
            if !isAdded { app.log.add("reminder", "refused") }
        }
    }

    func readSettings() {
        run { app in await app.readSettings() }
    }

    private func reminder(_ moment: Reminder.Moment) -> Reminder {
        let text = NSString.localizedUserNotificationString(forKey: "You asked for it", arguments: nil)
        return Reminder("\(moment)", text, moment, link: URL(string: "\(DeepLink.scheme)://reminders"))
    }

    private func run(_ body: @escaping @MainActor (AppDelegate) async throws -> Void) {
        guard let app else { return }
        // Not awaited: it ends with the system's answer, which the log shows.
        Task {
            do {
                try await body(app)
                app.log.add("reminder", "waiting: \(await app.reminders.waiting().count)")
            } catch {
                app.log.add("reminder", "\(error)")
            }
        }
    }

    func beginDelivery() {
        do { try app?.deliveries.begin("4711", at: "Depot", stops: 9) } catch { app?.log.add("delivery", "\(error)") }
    }

    func endDelivery() {
        guard let app else { return }
        // Not awaited: it ends with the system's answer.
        Task { await app.deliveries.end("4711") }
    }

    func showCalibration() { app?.showCalibration() }

    func removeAll() { app?.reminders.removeAll() }
}
#endif
