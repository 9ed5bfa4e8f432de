import Foundation
package import PushClock
import Synchronization
package import SystemPort

/// Carries out what ``DesktopState`` decides: on the bus, in files, and in other programs.
package final class DesktopCenter: Sendable {
    /// Passes an event to a process of an app: the event, the app, the process's name on the bus, and the bus.
    package typealias Deliver = @Sendable (SystemEvent, _ app: String, _ client: String, BusConnection?) -> Void

    private let states: EffectQueue<DesktopState>
    private let environment: DesktopEnvironment
    private let folder: DesktopFolder
    private let entries: DesktopEntries
    private let policies: PolicyReader
    private let clock: any CivilClock
    private let deliver: Deliver
    private let bus = Mutex<BusConnection?>(nil)
    private let search = Mutex(Search())

    /// The questions what the server is, one at a time.
    private struct Search {
        var isUnderWay = false
        /// Whether the server has changed since they were asked, so that the answers are of no use.
        var isOutdated = false
        /// Whether somebody has asked meanwhile to start the server.
        var mustStart = false
    }

    /// - Parameters:
    ///   - environment: the user's desktop.
    ///   - clock: the machine's clock.
    ///   - deliver: passes events to processes of apps, on any thread.
    package init(_ environment: DesktopEnvironment, clock: any CivilClock = SystemClock(), deliver: @escaping Deliver) {
        self.environment = environment
        self.clock = clock
        self.deliver = deliver
        folder = DesktopFolder(environment)
        entries = DesktopEntries(environment)
        policies = PolicyReader(environment)
        states = EffectQueue(DesktopState(zone: .current) { AppSounds.path(of: $1, program: $0.program) })
    }

    /// The rules for the signals that ``receive(_:)`` handles.
    package static let matches = [
        "type='signal',sender='\(NotificationServer.busName)',interface='\(NotificationServer.busName)'",
        "type='signal',sender='\(BusMessage.busName)',interface='\(BusMessage.busName)',member='NameOwnerChanged'",
    ]

    /// Begins to use the bus. A server that does not run is not started before it has something to show: at the beginning of a session
    /// the desktop's own may not be there yet.
    package func start(_ bus: BusConnection) {
        self.bus.withLock { $0 = bus }
        findServer(starting: false)
    }

    /// Ends the use of the bus and of the files.
    package func stop() {
        bus.withLock { $0 = nil }
        folder.release()
    }

    /// Reads the files of all apps, and shows what is due.
    func loadAll() {
        for bundleID in folder.bundleIDs {
            do throws(BusProblem) { try load(bundleID, program: "") } catch { Self.log("\(bundleID): \(error)") }
        }
        ring()
    }

    /// Reads the file of an app, unless it is known. Without the path of an executable, that of the file applies.
    ///
    /// - Throws: the reason if another process has the app, or its file cannot be read.
    package func load(_ bundleID: String, program: String) throws(BusProblem) {
        if states.read({ $0.knows(bundleID) }) { return }
        try folder.claim(bundleID)
        var file = try folder.read(bundleID) ?? AppFile(bundleID: bundleID, program: program)
        if !program.isEmpty { file.program = program }
        let read = file
        let entry = entries.app(bundleID, program: file.program)
        update { $0.load(read, as: entry) }
    }

    // MARK: Apps

    /// Answers a call of an app, which is loaded.
    package func answer(_ call: SystemCall, of bundleID: String) -> SystemReply {
        var call = call
        switch call {
        case .add(var request):
            do throws(SystemError) {
                request.content.attachments = try folder.adopt(request.content.attachments, of: bundleID)
            } catch {
                return .failed(error)
            }
            call = .add(request)
            readPolicy(of: bundleID)
        case .requestAuthorization, .notificationSettings, .setBadge, .removeBadge: readPolicy(of: bundleID)
        default: break
        }
        let final = call
        let date = clock.date
        return update { $0.answer(final, of: bundleID, at: date) }
    }

    /// A process of the app handles events from now on.
    package func attach(_ client: String, to bundleID: String, program: String) {
        update { $0.attach(client, to: bundleID, program: program) }
    }

    private func readPolicy(of bundleID: String) {
        guard let entry = states.read({ $0.apps[bundleID]?.entry }) else { return }
        let policy = policies.policy(of: entry)
        update { $0.setPolicy(policy, of: bundleID) }
    }

    // MARK: The bus

    /// Handles a signal that ``matches`` asks for.
    package func receive(_ signal: BusMessage) {
        if signal.interface == BusMessage.busName {
            if signal.member == "NameOwnerChanged" { ownerChanged(signal) }
            return
        }
        // Others may send signals with the names of the server's.
        guard signal.interface == NotificationServer.busName, signal.sender == states.read({ $0.server?.owner }),
            let id = signal.number(0)
        else { return }
        switch signal.member {
        case "ActionInvoked": if let key = signal.text(1) { update { $0.acted(key, on: id) } }
        case "NotificationReplied":
            if let text = signal.text(1) { update { $0.acted(ActionKey.reply, on: id, text: text) } }
        case "ActivationToken": if let token = signal.text(1) { update { $0.activationToken(token, of: id) } }
        case "NotificationClosed": update { $0.closed(id, reason: signal.number(1) ?? 4) }
        default: break
        }
    }

    private func ownerChanged(_ signal: BusMessage) {
        guard let name = signal.text(0), let new = signal.text(2) else { return }
        if name == NotificationServer.busName {
            update { $0.serverVanished() }
            search.withLock { $0.isOutdated = $0.isUnderWay }
            if !new.isEmpty { findServer(starting: false) }
        } else if name.hasPrefix(":"), new.isEmpty {
            update { $0.detach(name) }
        }
    }

    /// The alarm's date has come, or the machine's clock was set.
    package func ring() {
        let date = clock.date
        for bundleID in states.read({ $0.due(at: date) }) { readPolicy(of: bundleID) }
        update {
            // It may have changed without a sign of it.
            $0.zone = .current
            $0.ring(at: date)
        }
    }

    /// Asks the server what it is. While it is being asked, it is asked again only if the answers do not serve.
    private func findServer(starting: Bool) {
        guard let bus = bus.withLock(\.self) else { return }
        let isFirst = search.withLock { search in
            guard search.isUnderWay else {
                search.isUnderWay = true
                return true
            }
            search.mustStart = search.mustStart || starting
            return false
        }
        guard isFirst else { return }
        var question = Self.call("GetServerInformation")
        question.startsReceiver = starting
        bus.call(question) { [self] facts in
            bus.call(Self.call("GetCapabilities")) { [self] capabilities in
                bus.call(.bus("GetNameOwner", [.string(NotificationServer.busName)])) { [self] owner in
                    let search = search.withLock { search in
                        defer { search = Search() }
                        return search
                    }
                    if search.isOutdated { return findServer(starting: starting || search.mustStart) }
                    let isFound = found(facts: facts, capabilities: capabilities, owner: owner, mustExist: starting)
                    if !isFound, search.mustStart, !starting { findServer(starting: true) }
                }
            }
        }
    }

    /// Returns whether a server has answered.
    private func found(facts: BusAnswer, capabilities: BusAnswer, owner: BusAnswer, mustExist: Bool) -> Bool {
        do throws(BusProblem) {
            let facts = try facts.get()
            let capabilities = try capabilities.get()
            let owner = try owner.get()
            let server = NotificationServer(
                owner: owner.first?.text ?? "",
                specification: facts.count > 3 ? facts[3].text ?? "" : "",
                capabilities: Set(capabilities.first?.list ?? [])
            )
            update { $0.serverAppeared(server) }
            return true
        } catch {
            if mustExist {
                Self.log(
                    "No notification server answers, so notifications wait for one; start the desktop's, or dunst. \(error)"
                )
            }
            return false
        }
    }

    private static func call(_ method: String, _ arguments: [BusValue] = []) -> BusMessage {
        let name = NotificationServer.busName
        return BusMessage(method, of: name, at: NotificationServer.path, to: name, arguments)
    }

    // MARK: Effects

    @discardableResult
    private func update<Result: Sendable>(_ body: (inout DesktopState) -> Result) -> Result {
        states.update(perform: { perform($0) }, body)
    }

    private func perform(_ effect: DesktopEffect) {
        let bus = bus.withLock(\.self)
        switch effect {
        case .findServer: findServer(starting: true)
        case .notify(let arguments, let order):
            bus?.call(Self.call("Notify", arguments.values)) { [self] in notified($0, order) }
        case .close(let id): bus?.call(Self.call("CloseNotification", [.uint32(id)]))
        case .badge(let count, let entry): bus?.emit(LauncherBadge.signal(count, on: entry))
        case .alarm(let date): bus?.setAlarm(date)
        case .save(let file):
            do { try folder.write(file) } catch { Self.log("\(file.bundleID): its file cannot be written: \(error)") }
        case .deliver(let event, let app, let client): deliver(event, app, client, bus)
        case .launch(let entry, let token):
            if let reason = ProgramRun.launch(entry, token: token, in: environment) {
                Self.log("\(entry.bundleID) cannot be started: \(reason).")
            }
        case .discard(let paths): for path in paths { try? FileManager.default.removeItem(atPath: path) }
        case .log(let text): Self.log(text)
        }
    }

    private func notified(_ answer: BusAnswer, _ order: Int) {
        switch answer {
        case .success(let values): update { $0.shown(order: order, id: values.first?.number ?? 0) }
        case .failure(let problem): update { $0.notShown(order: order, reason: problem) }
        }
    }

    /// Writes a line to standard error.
    package static func log(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("posthorn desktop: \(text)\n".utf8))
    }
}

/// The sound files of apps: beside the program, as in an app's bundle, and in the user's `Library/Sounds`.
package enum AppSounds {
    /// Returns the path of a sound's file, by its name with extension and the path of the app's executable, if that is known; nil for
    /// none.
    package static func path(of name: String, program: String) -> String? {
        guard !name.isEmpty, !name.contains("/") else { return nil }
        let beside = URL(fileURLWithPath: program).deletingLastPathComponent()
        let folders =
            (program.isEmpty ? [] : [beside, beside.appendingPathComponent("Sounds")])
            + [URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent("Library/Sounds")]
        return folders.map { $0.appendingPathComponent(name).path }.first { FileManager.default.fileExists(atPath: $0) }
    }
}
