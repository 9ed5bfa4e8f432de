public import DeviceLink
public import Foundation
public import PushClock
public import PushModel
import Synchronization
package import SystemPort

/// An emulated iPhone: apps, permissions, a notification centre, a courier link to its gateway, and the user's actions.
///
/// All calls return at once and may come from any thread; their effects appear in ``deviceEvents(replaying:)`` and in
/// the journeys. ``settled()`` waits until the apps have processed all events. The device uses only the clock and the
/// randomness that it is given, so runs under a virtual clock are reproducible.
public final class Device: Sendable {
    /// The device's name, as `UIDevice.name`.
    public let name: String
    /// The device's id on the courier link. Random: it cannot be guessed.
    public let id: String
    /// The secret with which the device authenticates to its gateway.
    public let key: String
    /// The UDID in provisioning profiles.
    public let udid: String
    /// The emulated version of iOS, `17.0` for example.
    public var system: String { profile.version }
    /// The behaviour of that iOS generation.
    public let profile: SystemProfile
    /// The clock that all deadlines of the device follow.
    public let clock: any CivilClock
    let dialer: any LinkDialer

    struct Shell {
        var url: String?
        /// Counts the links, to detect events from an old one.
        var link = 0
        var connection: (any LinkConnection)?
        var processes: [Int: Process] = [:]
        /// Counts the alarms, to detect a late ring of an old one.
        var lastAlarm = 0
        var alarms: [DeviceAlarm: PendingAlarm] = [:]
    }

    struct PendingAlarm {
        var number: Int
        /// Nil while it is being created.
        var alarm: Alarm?
    }

    struct Process {
        var port: AppProcess
        var endpoint: any AppEndpoint
    }

    package typealias Launcher = @Sendable (any SystemPort) -> any AppEndpoint

    let journeys: any JourneySink
    let feed = DeviceEventFeed()
    /// By bundle id and name of the type: what examines values of pushes for Live Activities.
    let examiners = Mutex<[String: [String: ActivityExaminer]]>([:])
    let launchers = Mutex<[String: [Executable: Launcher]]>([:])
    let attachments: AttachmentStore
    let appDataStore: AppDataStore?
    let shell = Mutex(Shell())
    let effects: EffectQueue<DeviceState>
    private let chance: Mutex<SplitMix>

    /// Creates a device that is switched on but not connected.
    ///
    /// - Parameters:
    ///   - name: the owner's name for the device; need not be unique.
    ///   - profile: the emulated version of iOS.
    ///   - clock: the device's only source of time.
    ///   - dialer: opens its links, and those of its apps.
    ///   - journeys: receives the journey events of each push.
    ///   - random: the source of ids and of reconnect jitter.
    ///   - prompts: how permission prompts are answered.
    ///   - files: the folder for notification attachments; by default a folder of its own in the temporary directory,
    ///     which ``shutdown()`` deletes.
    ///   - udid: the UDID in provisioning profiles; random by default.
    ///   - id: the device's id on the courier link; random by default. With the id of an earlier run it is the same
    ///     device to its gateway, with its tokens and waiting pushes.
    ///   - key: authenticates the device with that id to the gateway: the key of the earlier run, 64 hexadecimal
    ///     digits; random by default.
    ///   - appData: a folder for what apps store (their SDK's identity, the identifier for vendor), which a device that is made with
    ///     it again has still, even after `kill -9`; by default it is kept in memory.
    public init(
        name: String,
        profile: SystemProfile,
        clock: any CivilClock,
        dialer: any LinkDialer,
        journeys: any JourneySink,
        random: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        prompts: PromptPolicy = .ask,
        files: URL? = nil,
        udid: String? = nil,
        id: String? = nil,
        key: String? = nil,
        appData: URL? = nil
    ) {
        appDataStore = appData.map(AppDataStore.init)
        var source = RandomSource(random)
        let made = source.hexadecimal(bytes: 16)
        self.id = id ?? made
        let seed = source.next()
        // A copy, so that later random values do not depend on it.
        var keySource = source
        self.key = key ?? CourierClient.makeKey(using: &keySource)
        self.udid = udid ?? Self.makeUDID(seed)
        chance = Mutex(SplitMix(seed: seed))
        self.name = name
        self.profile = profile
        attachments = AttachmentStore(folder: files)
        self.clock = clock
        self.dialer = dialer
        self.journeys = journeys
        let date = clock.date
        let state = DeviceState(
            name: name,
            id: self.id,
            key: self.key,
            profile: profile,
            date: date,
            random: source,
            prompts: prompts
        )
        effects = EffectQueue(state)
    }

    /// Creates a device that is switched on but not connected, with the profile of an iOS version: `17.0`, for example. The other
    /// values are those of ``init(name:profile:clock:dialer:journeys:random:prompts:files:udid:id:key:appData:)``.
    public convenience init(
        name: String,
        system: String = "17.0",
        clock: any CivilClock,
        dialer: any LinkDialer,
        journeys: any JourneySink,
        random: some RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        prompts: PromptPolicy = .ask,
        udid: String? = nil
    ) {
        self.init(
            name: name,
            profile: SystemProfile(version: system),
            clock: clock,
            dialer: dialer,
            journeys: journeys,
            random: random,
            prompts: prompts,
            udid: udid
        )
    }

    // MARK: Observation

    /// The contents of the screen.
    public var screen: Screen { read(\.screen) }

    /// Returns the state of an app; nil if it is not installed.
    public func condition(of bundleID: String) -> AppCondition? { read { $0.apps[bundleID]?.condition } }

    /// Returns the reason why the system refuses to launch an installed app; nil if it launches the app.
    ///
    /// iOS 27 does not launch an app that was built with its SDK (``InstalledApp/sdk``) and does not adopt the scene-based life cycle
    /// (``InstalledApp/adoptsScenes``), whatever the cause of the launch is.
    public func launchRefusal(of bundleID: String) -> String? {
        read { state in state.apps[bundleID].flatMap { state.launchRefusal($0) } }
    }

    /// Returns the token of an app, from the gateway's answer until the app unregisters.
    public func token(of bundleID: String) -> DeviceToken? { read { $0.apps[bundleID]?.token.value } }

    /// Returns the device's events from now on. A slow reader loses the oldest beyond 1000.
    ///
    /// - Parameter replaying: whether the stream starts with the last 1000 past events.
    /// - Returns: a stream that ends with ``shutdown()``.
    public func deviceEvents(replaying: Bool = false) -> AsyncStream<DeviceEvent> { feed.listen(replaying: replaying) }

    /// The last 1000 events, oldest first.
    public var recentDeviceEvents: [DeviceEvent] { feed.recent }

    /// Returns when all work that is due has been done and the apps have processed every event sent to them; at once if
    /// the task is cancelled.
    public func settled() async {
        while !Task.isCancelled,
            let due = shell.withLock({ $0.alarms.values.lazy.compactMap(\.alarm).first(where: \.isDue) })
        {
            await due.ended()
        }
        let isSettled = Announcement<Void>()
        update { state in
            state.events.wait { isSettled.make(.success(())) }
            state.settle()
        }
        // The only error is a cancellation.
        _ = try? await isSettled.value
    }

    // MARK: The courier link

    /// Whether the device is connected to its courier.
    public var isConnected: Bool { read(\.courier.isConnected) }

    /// Opens the courier link to a gateway, and reopens it whenever it ends, until ``disconnect()``.
    ///
    /// - Parameter url: a `ws://` or `wss://` URL.
    public func connect(courier url: String) {
        disconnect()
        shell.withLock { $0.url = url }
        update { state in state.perform(state.courier.start()) }
    }

    /// Closes the courier link until ``connect(courier:)``, as if there were no network.
    public func disconnect() {
        update { state in
            state.add(.cancel(.courier))
            state.perform(state.courier.stop())
        }
    }

    /// Switches the device off: ends its apps and links, and the streams of ``deviceEvents(replaying:)``.
    public func shutdown() {
        disconnect()
        update { state in
            for bundleID in state.bundleIDs { state.terminate(bundleID) }
            state.add(.killAll)
        }
        let alarms = shell.withLock { shell in
            defer { shell.alarms = [:] }
            return Array(shell.alarms.values)
        }
        for pending in alarms { pending.alarm?.cancel() }
        attachments.close()
        feed.finish()
    }

    /// Delivers a push to the device without a link, as the courier would.
    public func receive(_ push: CourierPush) { update { $0.receive(push) } }

    // MARK: Apps and user actions

    /// Installs an app, or replaces it with a new build.
    ///
    /// - Parameters:
    ///   - app: the app's declarations.
    ///   - serviceExtension: starts a process of the app's service extension, if it has one.
    ///   - contentExtensions: the app's content extensions. If two declare the same category, the first is used.
    ///   - launch: starts a process of the app: returns its endpoint for the given port.
    package func install(
        _ app: InstalledApp,
        serviceExtension: Launcher? = nil,
        contentExtensions: [ContentExtensionProgram] = [],
        launch: @escaping Launcher
    ) {
        let byCategory = Dictionary(
            contentExtensions.flatMap { program in program.info.categories.map { ($0, program) } },
            uniquingKeysWith: { first, _ in first }
        )
        var programs: [Executable: Launcher] = [.app: launch]
        programs[.serviceExtension] = serviceExtension
        for (category, program) in byCategory { programs[.contentExtension(category: category)] = program.launch }
        launchers.withLock { [programs] in $0[app.bundleID] = programs }
        let infos = byCategory.mapValues(\.info)
        let stored = appDataStore?.load(app.bundleID)
        update { state in
            state.install(app, stored: stored, hasServiceExtension: serviceExtension != nil, contentExtensions: infos)
        }
    }

    /// Removes an app and its data; its token becomes invalid.
    public func uninstall(_ bundleID: String) { update { $0.uninstall(bundleID) } }

    /// Taps the app's icon: starts it, or brings it to the foreground.
    public func open(_ bundleID: String) { update { $0.open(bundleID) } }

    /// Leaves the app for the home screen.
    public func background(_ bundleID: String) { update { $0.background(bundleID) } }

    /// Swipes the app away: no push wakes it until it is opened.
    public func forceQuit(_ bundleID: String) { update { $0.forceQuit(bundleID) } }

    /// Ends a running app as the system does under memory pressure: a push may start it again.
    public func terminate(_ bundleID: String) { update { $0.terminate(bundleID) } }

    /// Returns the port of the app's process; nil while it is not running.
    package func port(of bundleID: String) -> (any SystemPort)? {
        guard let process = read({ $0.apps[bundleID]?.process }) else { return nil }
        return shell.withLock { $0.processes[process]?.port }
    }

    /// The work of all processes that run.
    package var works: [AppWork] {
        shell.withLock { shell in shell.processes.sorted { $0.key < $1.key }.map { AppWork.of($0.value.port) } }
    }

    // MARK: Internals

    func handle(_ call: SystemCall, from process: Int, _ completion: @escaping SystemReplyHandler) {
        guard case .add(let request) = call, !request.content.attachments.isEmpty else {
            return update { $0.call(call, from: process, completion) }
        }
        if let error = read({ $0.refusal(of: request, by: process) }) { return completion(.failed(error)) }
        var stored = request
        do throws(SystemError) {
            stored.content.attachments = try attachments.adopt(request.content.attachments) { warning in
                update { state in state.warn(warning, app: state.owner(of: process)) }
            }
        } catch {
            return completion(.failed(error))
        }
        update { $0.call(.add(stored), from: process, completion) }
    }

    func randomNumber() -> UInt64 { chance.withLock { $0.next() } }

    func read<Result: Sendable>(_ body: @Sendable (DeviceState) -> Result) -> Result { effects.read(body) }

    @discardableResult
    func update<Result: Sendable>(_ body: (inout DeviceState) -> Result) -> Result {
        let date = clock.date
        return effects.update(perform: perform) { state in
            state.begin(at: date)
            return body(&state)
        }
    }
}
