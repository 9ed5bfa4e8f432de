import PushModel

/// An app in its life cycle: its condition, and the process in which it runs.
struct AppRun: Sendable {
    private(set) var condition = AppCondition.notRunning
    /// The process in which it runs.
    private(set) var process: Int?
    /// Whether it is in the foreground and inactive, because a prompt is in front of it.
    private(set) var isInterrupted = false
    /// Whether the current process has been in the foreground before, so that its scene is connected.
    private var hasConnectedScene = false
    /// The time as its process last knew it.
    private var knownTime: WallTime?

    mutating func start(_ process: Int, at time: WallTime) {
        self.process = process
        hasConnectedScene = false
        knownTime = time
    }

    /// Forgets the process, and returns it.
    mutating func stop() -> Int? { process.take() }

    mutating func enter(_ condition: AppCondition) {
        self.condition = condition
        isInterrupted = false
    }

    /// Makes an active app inactive. Returns whether it was active.
    mutating func interrupt() -> Bool {
        guard condition == .active, !isInterrupted else { return false }
        isInterrupted = true
        return true
    }

    /// Makes an interrupted app active again. Returns whether it was interrupted.
    mutating func endInterruption() -> Bool {
        defer { isInterrupted = false }
        return isInterrupted
    }

    /// Connects the scene. Returns false if it is connected already.
    mutating func connectScene() -> Bool {
        defer { hasConnectedScene = true }
        return !hasConnectedScene
    }

    /// Takes the current time. Returns whether it is a change for the process.
    mutating func learn(_ time: WallTime) -> Bool {
        guard process != nil, let known = knownTime, known != time else { return false }
        knownTime = time
        return true
    }
}

/// The suspension state of an app in the background.
struct Suspension: Sendable {
    /// Whether the process is suspended.
    private(set) var isSuspended = false
    /// Whether the app has work that it finishes in the background.
    var isAskedToWait = false
    /// Whether the alarm for suspending it is set.
    private var isPlanned = false

    mutating func plan() { isPlanned = true }

    /// Suspends the process, as planned.
    mutating func begin() {
        isSuspended = true
        isPlanned = false
    }

    /// Forgets the plan. Returns whether there was one.
    mutating func takePlan() -> Bool {
        defer { isPlanned = false }
        return isPlanned
    }

    /// Resumes the process. Returns whether it was suspended.
    mutating func end() -> Bool {
        defer { isSuspended = false }
        return isSuspended
    }
}

/// An app's device token.
struct AppToken: Sendable {
    /// The token, from the gateway's answer until the app unregisters.
    private(set) var value: DeviceToken?
    /// Whether the app requested it and has not received it yet.
    private var isAwaited = false

    /// Records a request of the app.
    mutating func request() { isAwaited = true }

    /// Takes a token of the gateway. Returns whether the app has to receive it: because it asked, or because the token is new.
    mutating func take(_ token: DeviceToken) -> Bool {
        guard isAwaited || value != token else { return false }
        value = token
        return true
    }

    /// Records that the app receives it.
    mutating func sent() { isAwaited = false }
}
