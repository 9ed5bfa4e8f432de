import ActivityKit
import CoreLocation
import PushModel
import Synchronization
package import SystemPort
import UserNotifications

/// Runs an app: creates its delegate, and calls it on the main actor, one event at a time, with its device bound.
package final class AppHost: AppEndpoint {
    private struct Waiting: Sendable {
        var event: SystemEvent
        var reply: EventReplyHandler
    }

    private struct State {
        var waiting: [Waiting] = []
        var isRunning = false
        var isTerminated = false
    }

    private let port: any SystemPort
    private let makeDelegate: @MainActor @Sendable () -> any UIApplicationDelegate
    private let state = Mutex(State())

    /// Creates the host of an app on its process. The delegate is made before the first event.
    package init(port: any SystemPort, makeDelegate: @escaping @MainActor @Sendable () -> any UIApplicationDelegate) {
        self.port = port
        self.makeDelegate = makeDelegate
    }

    package func deliver(_ event: SystemEvent, reply: @escaping EventReplyHandler) {
        let mustRun = state.withLock { state in
            if state.isTerminated { return false }
            state.waiting.append(Waiting(event: event, reply: reply))
            defer { state.isRunning = true }
            return !state.isRunning
        }
        // Not awaited: it ends when no event is waiting, and each event has its reply.
        if mustRun { Task { @MainActor in await run() } }
    }

    package func terminate() {
        state.withLock { state in
            state.isTerminated = true
            state.waiting = []
        }
    }
}

@MainActor
extension AppHost {
    private func run() async {
        while true {
            let next = state.withLock { state -> Waiting? in
                guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                state.isRunning = false
                return nil
            }
            guard let next else { return }
            if await !handleByFramework(next) {
                CurrentPort.with(port) { Transitions.of(port).during { notingLaunch(next) } }
            }
            // An async method of the app runs its first step before the next event.
            await Task.yield()
            next.reply(.returned)
        }
    }

    /// Handles an event; those of a launch decide which delegate of the notification centre is in time for the user's response.
    private func notingLaunch(_ next: Waiting) {
        let centre = DelegateSlot.of(port)
        switch next.event.kind {
        case .launch, .sceneWillConnect, .sceneWillEnterForeground: centre.launch { handle(next.event, next.reply) }
        default:
            handle(next.event, next.reply)
            centre.launched()
        }
    }

    /// Passes an event to PushKit or CallKit.
    ///
    /// - Returns: false for the event of another framework.
    private func handleByFramework(_ next: Waiting) async -> Bool {
        switch next.event.kind {
        case .pushKit, .callKit: break
        default: return false
        }
        AppSlot.of(port).state = next.event.state
        if next.event.state == .background { BackgroundTasks.of(port).woke() }
        return await CurrentPort.with(port) { await EventHandlers.of(port).handle(next.event, next.reply) }
    }

    private func handle(_ event: SystemEvent, _ reply: @escaping EventReplyHandler) {
        let slot = AppSlot.of(port)
        slot.state = event.state
        if case .launch = event.kind { slot.launch(makeDelegate(), on: port) }
        guard let delegate = slot.delegate else { return reply(.notImplemented) }
        let call = AppDelegateCall(delegate: delegate, port: port, reply: reply)
        let scene = SceneCall(slot: slot, call: call)
        switch event.kind {
        case .launch: launch(event, through: call, in: slot)
        case .sceneWillConnect(let response, let item): scene.connect(for: response, opening: item)
        case .sceneWillEnterForeground: scene.lifeCycle(event.kind)
        case .didEnterBackground:
            scene.step(event.kind, posting: "DidEnterBackground") { $0.applicationDidEnterBackground($1) }
            BackgroundTasks.of(port).enteredBackground()
        case .willEnterForeground:
            BackgroundTasks.of(port).leftBackground()
            scene.step(event.kind, posting: "WillEnterForeground") { $0.applicationWillEnterForeground($1) }
        case .didBecomeActive:
            BackgroundTasks.of(port).leftBackground()
            scene.step(event.kind, posting: "DidBecomeActive") { $0.applicationDidBecomeActive($1) }
        case .willResignActive:
            scene.saveActivities()
            scene.step(event.kind, posting: "WillResignActive") { $0.applicationWillResignActive($1) }
        case .significantTimeChange: call.significantTimeChange()
        case .protectedData(let isAvailable): call.protectedData(isAvailable: isAvailable)
        case .willTerminate: scene.willTerminate(event.kind)
        case .open(let item):
            let isSettled = slot.settledItem == item
            slot.settledItem = nil
            if !isSettled { scene.open(item) }
        case .activityFailed(let type, let error): scene.failToContinue(type, error)
        case .performFetch:
            BackgroundTasks.of(port).woke()
            call.performFetch()
        case .backgroundSession(let identifier):
            BackgroundTasks.of(port).woke()
            call.backgroundSession(identifier)
        case .memoryWarning: call.memoryWarning()
        case .didRegisterForRemoteNotifications(let token): call.registered(token)
        case .didFailToRegisterForRemoteNotifications(let error): call.failed(error)
        case .didRegisterUserNotificationSettings(let types): call.registered(types: types)
        case .location(let event): LocationCalls.deliver(event, on: port, reply: reply)
        case .liveActivity(let event): LiveActivityCalls.deliver(event, on: port, reply: reply)
        case .remoteNotification(let payload):
            if event.state == .background { BackgroundTasks.of(port).woke() }
            call.fetch(payload)
        case .willPresent(let record, let alsoFetched): call.willPresent(record, alsoFetched: alsoFetched)
        case .didReceive(let record):
            if event.state == .background { BackgroundTasks.of(port).woke() }
            didReceive(record, through: call, in: slot)
        case .openSettings(let record): call.openSettings(record)
        case .alertEdited, .alertAnswered: PresentedAlerts.of(port).deliver(event.kind, reply)
        case .serviceExtension, .serviceExtensionTimeWillExpire, .contentExtension, .contentExtensionResponse,
            .contentExtensionMedia, .pushKit, .callKit:
            reply(.notImplemented)
        }
    }

    private func launch(_ event: SystemEvent, through call: AppDelegateCall, in slot: AppSlot) {
        guard case .launch(let payload, let local, let isForLocation, let item) = event.kind else { return }
        if event.state == .background { BackgroundTasks.of(port).enteredBackground() }
        let options = call.launchOptions(
            payload: payload,
            local: local,
            isForLocation: isForLocation,
            item: item,
            hasSceneAhead: event.state != .background
        )
        slot.launchedFor = local
        slot.settledItem = call.launch(options) ? nil : item
    }

    private func didReceive(_ record: ResponseRecord, through call: AppDelegateCall, in slot: AppSlot) {
        ActedOn.of(port).note(record)
        let isLaunchedFor = slot.launchedFor == record.notification
        call.didReceive(record, isKnown: slot.connectedFor == record, isLaunchedFor: isLaunchedFor)
        slot.connectedFor = nil
        slot.launchedFor = nil
    }
}
