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
