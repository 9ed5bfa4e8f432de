import PushClock
import PushModel
import Synchronization

/// Counts devices whose link stays open as online in each hour that begins meanwhile.
///
/// Devices that open a link are counted at login.
package final class OnlineNotes: Sendable {
    private let store: any ReportStore
    private let registry: Registry
    private let clock: any CivilClock
    private let calendar: UseCalendar
    /// The hour in which all links were last counted.
    private let hour: Mutex<String?>

    /// The number of devices counted in one transaction.
    private static let step = 4096

    init(store: any ReportStore, registry: Registry, clock: any CivilClock, calendar: UseCalendar) {
        self.store = store
        self.registry = registry
        self.clock = clock
        self.calendar = calendar
        // A starting service has no links.
        hour = Mutex(calendar.times(at: clock.date)[.hour])
    }

    /// Today in the service's calendar, as days since 1970.
    var today: Int { calendar.day(of: clock.date) }

    /// Returns when all open links are counted in this hour.
    package func bringUpToDate() async throws {
        let note = calendar.note([.online], at: clock.date)
        guard let now = note.times[.hour], hour.withLock({ $0 != now }) else { return }
        for (app, devices) in Dictionary(grouping: registry.linkedDevices, by: \.app) {
            let ordinals = devices.map(\.ordinal).sorted()
            for step in ordinals.slices(of: Self.step) {
                // A write of the service itself, whichever request caused it.
                try await WriteBackpressure.$mayBeRefused.withValue(false) {
                    try await store.note(note, of: Array(step), app: app)
                }
            }
        }
        hour.withLock { $0 = now }
    }
}
