public import DeviceLink
public import Foundation
public import PushClock
public import PushModel
import Synchronization
public import SystemPort

/// An emulated iPhone: apps, permissions, a notification centre, a courier link to its gateway, and a person's hands.
///
/// All calls return at once and may come from any thread; what follows from them is told in ``deviceEvents(replaying:)``
/// and in the journeys. ``settled()`` waits until the apps have taken all events. The device reads no time and no
/// chance but what it was given, so under a virtual clock a story runs the same way every time.
public final class Device: Sendable {
    public let name: String
    /// What the device calls itself on the courier link. Made of chance: nobody can guess it.
    public let id: String
    /// What proves to its gateway that it is this device; a secret.
    public let key: String
    /// By which provisioning profiles name the device.
    public let udid: String
    /// The version of iOS that it plays, `17.0` for example.
    public var system: String { profile.version }
    /// How its generation of iOS behaves.
    public let profile: SystemProfile
    public let clock: any CivilClock
    let dialer: any LinkDialer

    struct Shell {
        var url: String?
        /// Counts the links, so that a word from an old one is known as such.
        var link = 0
        var connection: (any LinkConnection)?
        var processes: [Int: Process] = [:]
        /// Counts the alarms, so that a late ring of an old one is known as such.
        var lastAlarm = 0
        var alarms: [DeviceAlarm: PendingAlarm] = [:]
    }

    struct PendingAlarm {
        var number: Int
        /// Nil while it is being made.
        var alarm: Alarm?
    }

    struct Process {
        var port: AppProcess
        var endpoint: any AppEndpoint
    }

    typealias Launcher = @Sendable (any SystemPort) -> any AppEndpoint

    let journeys: any JourneySink
    let feed = DeviceEventFeed()
    struct Launchers {
        var app: Launcher
        var serviceExtension: Launcher?
        /// By category.
        var contentExtensions: [String: ContentExtensionProgram]
    }

    let launchers = Mutex<[String: Launchers]>([:])
    let attachments: AttachmentStore
    let shell = Mutex(Shell())
    let effects: EffectQueue<DeviceState, DeviceEffect>
    private let chance: Mutex<SplitMix>

    /// A device that is switched on and connected to nothing.
    ///
    /// - Parameters:
    ///   - name: what its owner calls it; need not be unique.
    ///   - profile: the version of iOS that it plays.
    ///   - clock: the only time that it knows.
    ///   - dialer: opens its links, and those of its apps.
    ///   - journeys: hears what happens to each push.
    ///   - random: ids, and the jitter of reconnects.
    ///   - prompts: what happens when an app asks for permission.
    ///   - files: the folder for attachments of notifications; one of its own in the temporary folder if nothing is said,
    ///     which goes with ``shutdown()``.
    ///   - udid: by which provisioning profiles name the device; made of chance if nothing is said.
    ///   - id: what the device calls itself on the courier link: that of an earlier run makes it the same device to its
    ///     gateway, with its tokens, and what waits for them. Made of chance if nothing is said.
    ///   - key: proves to the gateway that it is the device with that id: that of the earlier run, 64 hexadecimal digits. Made of chance
    ///     if nothing is said.
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
        key: String? = nil
    ) {
        var source = RandomSource(random)
        let made = source.hexadecimal(bytes: 16)
        self.id = id ?? made
        let seed = source.next()
        // From a copy, so that what comes by chance later does not depend on it.
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

    /// A device that is switched on and connected to nothing, with the profile of a version.
    ///
    /// - Parameters:
    ///   - name: what its owner calls it; need not be unique.
    ///   - system: the version of iOS that it plays.
    ///   - clock: the only time that it knows.
    ///   - dialer: opens its links, and those of its apps.
    ///   - journeys: hears what happens to each push.
    ///   - random: ids, and the jitter of reconnects.
    ///   - prompts: what happens when an app asks for permission.
    ///   - udid: by which provisioning profiles name the device; made of chance if nothing is said.
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

    // MARK: What it shows and tells

    /// What a person sees at this moment.
    public var screen: Screen { read(\.screen) }

    /// What the system does with an app; nil if it is not installed.
    public func condition(of bundleID: String) -> AppCondition? { read { $0.apps[bundleID]?.condition } }

    /// The token of an app, once the gateway has named it and until the app unregisters.
    public func token(of bundleID: String) -> DeviceToken? { read { $0.apps[bundleID]?.token } }

    /// What happens on the device from now on. Whoever reads too slowly loses the oldest beyond 1000.
    ///
    /// - Parameter replaying: begins with the last 1000 that have happened.
    /// - Returns: a stream that ends with ``shutdown()``.
    public func deviceEvents(replaying: Bool = false) -> AsyncStream<DeviceEvent> { feed.listen(replaying: replaying) }

    /// The last 1000 happenings, oldest first.
    public var recentDeviceEvents: [DeviceEvent] { feed.recent }

    /// Returns when what is due by the clock has been done, and the apps have taken every event that was sent to them; at
    /// once where the task is cancelled.
    public func settled() async {
        while shell.withLock({ $0.alarms.values.contains { $0.alarm?.isDue == true } }), !Task.isCancelled {
            await Task.yield()
        }
        let number = update { state, _ in
            state.lastSettling += 1
            return state.lastSettling
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                update { state, effects in
                    state.settling.append((number, { continuation.resume() }))
                    state.settle(&effects)
                    // Whoever cancels before this is seen here; whoever does after it finds the waiter.
                    if Task.isCancelled { state.stopSettling(number, &effects) }
                }
            }
        } onCancel: {
            update { state, effects in state.stopSettling(number, &effects) }
        }
    }

    // MARK: The courier link

    public var isConnected: Bool { read(\.courier.isConnected) }

    /// Opens the courier link to a gateway, and again whenever it ends, until ``disconnect()``.
    ///
    /// - Parameter url: `ws://` or `wss://`.
    public func connect(courier url: String) {
        disconnect()
        shell.withLock { $0.url = url }
        update { state, effects in state.perform(state.courier.start(), &effects) }
    }

    /// Closes the courier link for as long as nobody calls ``connect(courier:)``: no network.
    public func disconnect() {
        update { state, effects in
            effects.append(.cancel(.courier))
            state.perform(state.courier.stop(), &effects)
        }
    }

    /// Switches the device off: ends its apps and links. The end of ``deviceEvents(replaying:)``.
    public func shutdown() {
        disconnect()
        update { state, effects in
            for bundleID in state.apps.keys.sorted() { state.terminate(bundleID, &effects) }
            effects.append(.killAll)
        }
        let alarms = shell.withLock { shell in
            defer { shell.alarms = [:] }
            return Array(shell.alarms.values)
        }
        for pending in alarms { pending.alarm?.cancel() }
        attachments.close()
        feed.finish()
    }

    /// Hands a push to the device without any link, as the courier would.
    public func receive(_ push: CourierPush) {
        update { state, effects in state.receive(push, &effects) }
    }

    // MARK: Apps and the person

    /// Puts an app on the device, or a new build of it in the place of the old one.
    ///
    /// - Parameters:
    ///   - app: what the app declares.
    ///   - serviceExtension: starts a process of the app's service extension, if it has one.
    ///   - contentExtensions: start a process of the app's content extension, by the category that it shows.
    ///   - launch: starts a process of the app: makes its end for the port that it is given.
    public func install(
        _ app: InstalledApp,
        serviceExtension: (@Sendable (any SystemPort) -> any AppEndpoint)? = nil,
        contentExtensions: [String: @Sendable (any SystemPort) -> any AppEndpoint] = [:],
        launch: @escaping @Sendable (any SystemPort) -> any AppEndpoint
    ) {
        let programs = contentExtensions.map { category, launch in
            ContentExtensionProgram(info: ContentExtensionInfo(categories: [category]), launch: launch)
        }
        install(app, serviceExtension: serviceExtension, contentExtensions: programs, launch: launch)
    }

    /// Puts an app on the device, or a new build of it in the place of the old one.
    ///
    /// - Parameters:
    ///   - app: what the app declares.
    ///   - serviceExtension: starts a process of the app's service extension, if it has one.
    ///   - contentExtensions: the app's content extensions. Of two for one category the first has it.
    ///   - launch: starts a process of the app: makes its end for the port that it is given.
    public func install(
        _ app: InstalledApp,
        serviceExtension: (@Sendable (any SystemPort) -> any AppEndpoint)? = nil,
        contentExtensions: [ContentExtensionProgram],
        launch: @escaping @Sendable (any SystemPort) -> any AppEndpoint
    ) {
        let byCategory = Dictionary(
            contentExtensions.flatMap { program in program.info.categories.map { ($0, program) } },
            uniquingKeysWith: { first, _ in first }
        )
        launchers.withLock { launchers in
            launchers[app.bundleID] = Launchers(
                app: launch,
                serviceExtension: serviceExtension,
                contentExtensions: byCategory
            )
        }
        let infos = byCategory.mapValues(\.info)
        update { state, effects in
            state.install(
                app,
                hasServiceExtension: serviceExtension != nil,
                contentExtensions: infos,
                &effects
            )
        }
    }

    /// Removes an app with all that it left; its token is dead.
    public func uninstall(_ bundleID: String) {
        update { state, effects in state.uninstall(bundleID, &effects) }
    }

    /// Taps the app's icon: starts it, or brings it to the front.
    public func open(_ bundleID: String) {
        update { state, effects in state.open(bundleID, &effects) }
    }

    /// Leaves the app for the home screen.
    public func background(_ bundleID: String) {
        update { state, effects in state.background(bundleID, &effects) }
    }

    /// Swipes the app away: no push wakes it until it is opened.
    public func forceQuit(_ bundleID: String) {
        update { state, effects in state.forceQuit(bundleID, &effects) }
    }

    /// The system ends a running app for want of memory: a push may start it again.
    public func terminate(_ bundleID: String) {
        update { state, effects in state.terminate(bundleID, &effects) }
    }

    /// The port of the app's process; nil while it does not run.
    public func port(of bundleID: String) -> (any SystemPort)? {
        guard let process = read({ $0.apps[bundleID]?.process }) else { return nil }
        return shell.withLock { $0.processes[process]?.port }
    }

    // MARK: Inside

    func handle(_ call: SystemCall, from process: Int, _ completion: @escaping @Sendable (SystemReply) -> Void) {
        guard case .add(let request) = call, !request.content.attachments.isEmpty else {
            return update { state, effects in state.call(call, from: process, completion, &effects) }
        }
        if let error = read({ $0.refusal(of: request, by: process) }) { return completion(.failed(error)) }
        var stored = request
        do throws(SystemError) {
            stored.content.attachments = try attachments.take(request.content.attachments)
        } catch {
            return completion(.failed(error))
        }
        update { state, effects in state.call(.add(stored), from: process, completion, &effects) }
    }

    func randomNumber() -> UInt64 { chance.withLock { $0.next() } }

    func read<Result: Sendable>(_ body: @Sendable (DeviceState) -> Result) -> Result {
        effects.read(body)
    }

    @discardableResult
    func update<Result: Sendable>(_ body: (inout DeviceState, inout [DeviceEffect]) -> Result) -> Result {
        let date = clock.date
        return effects.update(perform: perform) { state, effects in
            state.date = date
            return body(&state, &effects)
        }
    }
}
