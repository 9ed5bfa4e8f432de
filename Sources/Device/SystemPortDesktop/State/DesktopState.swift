package import Foundation
import PushClock
import PushModel
package import SystemPort

/// The notifications of apps on a desktop: who may show them, when they are due, which are shown, and who is told what the user did.
///
/// A value without a clock and without a bus: each input has its date, and the effects are for ``DesktopCenter`` to carry out.
package struct DesktopState: EffectfulState {
    /// An app.
    struct App: Sendable {
        var entry: AppEntry
        var file: AppFile
        var policy = DesktopPolicy()
        /// The names on the bus of the app's processes that handle events, the newest last.
        var clients: [String] = []
        /// The events that wait for one of them.
        var waiting: [SystemEvent] = []

        var allowed: UInt { policy.allowed(file.requested ?? 0) }
    }

    package private(set) var effects: [DesktopEffect] = []
    var apps: [String: App] = [:]
    /// The server; nil if none runs, or it has not described itself yet.
    var server: NotificationServer?
    var zone: TimeZone
    private var lastOrder = 0
    private var plannedAlarm: Date?
    /// Tokens of clicks that have not arrived yet, by the id of the notification.
    var tokens: [UInt32: String] = [:]
    /// Orders to show a notification that the server has not answered: the id to close if it refuses, once the app has removed the
    /// notification; 0 before.
    var unanswered: [Int: UInt32] = [:]
    /// Finds the file of an app's sound: the app, and the sound's name.
    let soundFile: @Sendable (AppFile, String) -> String?

    /// - Parameters:
    ///   - zone: the time zone of triggers that name none.
    ///   - soundFile: finds the file of an app's sound by its name.
    package init(zone: TimeZone, soundFile: @escaping @Sendable (AppFile, String) -> String? = { _, _ in nil }) {
        self.zone = zone
        self.soundFile = soundFile
    }

    package mutating func takeEffects() -> [DesktopEffect] { effects.takeAll() }

    mutating func add(_ effect: DesktopEffect) { effects.append(effect) }

    mutating func nextOrder() -> Int {
        lastOrder += 1
        return lastOrder
    }

    // MARK: Apps

    /// The ids of all apps.
    package var bundleIDs: [String] { apps.keys.sorted() }

    /// Whether an app is known.
    package func knows(_ bundleID: String) -> Bool { apps[bundleID] != nil }

    /// Adds an app with what its file has left, or describes a known app anew.
    package mutating func load(_ file: AppFile, as entry: AppEntry) {
        if apps[file.bundleID] != nil {
            apps[file.bundleID]?.entry = entry
            return
        }
        lastOrder = max(lastOrder, file.pending.map(\.order).max() ?? 0, file.delivered.map(\.order).max() ?? 0)
        apps[file.bundleID] = App(entry: entry, file: file)
        if let server { settle(with: server, file.bundleID) }
        showBadge(of: file.bundleID)
        plan()
    }

    /// Sets the user's settings for an app.
    package mutating func setPolicy(_ policy: DesktopPolicy, of bundleID: String) { apps[bundleID]?.policy = policy }

    /// Lets a process of the app, by its name on the bus, handle events from now on; those that wait are delivered. The path of its
    /// executable is empty if it is not known.
    package mutating func attach(_ client: String, to bundleID: String, program: String) {
        guard var app = apps[bundleID] else { return }
        app.clients.removeAll { $0 == client }
        app.clients.append(client)
        for event in app.waiting { add(.deliver(event, app: bundleID, client: client)) }
        app.waiting = []
        if !program.isEmpty, app.file.program != program {
            app.file.program = program
            apps[bundleID] = app
            return save(bundleID)
        }
        apps[bundleID] = app
    }

    /// A process has left the bus.
    package mutating func detach(_ client: String) {
        for bundleID in bundleIDs { apps[bundleID]?.clients.removeAll { $0 == client } }
    }

    /// Delivers an event, or starts the app for it.
    mutating func deliver(_ event: SystemEvent, to bundleID: String, token: String? = nil) {
        guard let app = apps[bundleID] else { return }
        if let client = app.clients.last { return add(.deliver(event, app: bundleID, client: client)) }
        // Further events wait for the process that the first one has started.
        apps[bundleID]?.waiting.append(event)
        if app.entry.command.isEmpty {
            add(.log("\(bundleID) does not run, and has no desktop entry by which it could be started."))
        } else {
            add(.launch(app.entry, token: token))
        }
    }

    // MARK: Badge

    mutating func setBadge(_ count: Int, of bundleID: String) {
        guard apps[bundleID]?.file.badge != count else { return }
        apps[bundleID]?.file.badge = count
        showBadge(of: bundleID, evenZero: true)
    }

    private mutating func showBadge(of bundleID: String, evenZero: Bool = false) {
        guard let app = apps[bundleID], let entry = app.entry.desktopEntry else { return }
        if app.file.badge > 0 || evenZero { add(.badge(app.file.badge, entry: entry)) }
    }

    // MARK: Time

    /// Sets the alarm for the next request.
    mutating func plan() {
        let next = apps.values.flatMap(\.file.pending).map(\.due).min()
        guard next != plannedAlarm else { return }
        plannedAlarm = next
        add(.alarm(next))
    }

    /// The apps that have requests due at a date.
    package func due(at date: Date) -> [String] {
        bundleIDs.filter { apps[$0]?.file.pending.contains { $0.due <= date } == true }
    }

    /// Shows the requests that are due. One whose date has passed while the machine was off is shown once, and late.
    ///
    /// - Parameter date: the current date.
    package mutating func ring(at date: Date) {
        plannedAlarm = nil
        for bundleID in bundleIDs {
            let due = apps[bundleID]?.file.pending.filter { $0.due <= date } ?? []
            for waiting in due.sorted(by: { ($0.due, $0.order) < ($1.due, $1.order) }) {
                reached(waiting, of: bundleID, at: date)
            }
            if !due.isEmpty { save(bundleID) }
        }
        plan()
    }

    private mutating func reached(_ waiting: DesktopPending, of bundleID: String, at date: Date) {
        guard let place = apps[bundleID]?.file.pending.firstIndex(where: { $0.order == waiting.order }) else { return }
        if let next = Self.next(of: waiting, after: date, in: zone) {
            apps[bundleID]?.file.pending[place].due = next
        } else {
            apps[bundleID]?.file.pending.remove(at: place)
        }
        show(waiting.request, of: bundleID, at: waiting.due)
    }

    /// Returns the next date of a request that repeats; nil for one that does not.
    private static func next(of waiting: DesktopPending, after date: Date, in zone: TimeZone) -> Date? {
        guard let trigger = waiting.request.trigger, trigger.repeats else { return nil }
        guard case .timeInterval(let interval, _) = trigger else {
            return TriggerDates.next(of: trigger, after: max(date, waiting.due), in: zone)
        }
        // Counted from the first date, however many were missed.
        let missed = max(0, (date.timeIntervalSince(waiting.due) / interval).rounded(.down))
        return waiting.due.addingTimeInterval((missed + 1) * interval)
    }

    mutating func save(_ bundleID: String) {
        guard let file = apps[bundleID]?.file else { return }
        // The last one says everything.
        effects.removeAll { if case .save(let old) = $0 { old.bundleID == bundleID } else { false } }
        add(.save(file))
    }
}

/// An effect of a change of ``DesktopState``.
package enum DesktopEffect: Hashable, Sendable {
    /// Asks the server to describe itself, and starts one if none runs.
    case findServer
    /// Calls `Notify`. The answer is passed to ``DesktopState/shown(order:id:)`` or ``DesktopState/notShown(order:reason:)``.
    case notify(NotifyArguments, order: Int)
    /// Calls `CloseNotification`.
    case close(id: UInt32)
    /// Shows a number on the icon of an app that has a desktop entry.
    case badge(Int, entry: String)
    /// Sets the alarm, nil for none; at the date, ``DesktopState/ring(at:)`` is called.
    case alarm(Date?)
    /// Writes the app's file.
    case save(AppFile)
    /// Sends an event to the app's process.
    case deliver(SystemEvent, app: String, client: String)
    /// Starts the app, which will attach; the token of the click lets it take the focus.
    case launch(AppEntry, token: String?)
    /// Deletes files of attachments.
    case discard(paths: [String])
    /// Writes a line for the person who reads the service's log.
    case log(String)
}
