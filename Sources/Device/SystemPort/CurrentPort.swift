package import PushClock
import Synchronization

/// The device used where Apple's API names none, as in `UNUserNotificationCenter.current()`.
///
/// The port bound to the task takes precedence: the system binds it around every callback. Otherwise the only app
/// running in the process is used; without one, `withoutDevice` answers; with several, the running test fails with the reason, and outside
/// of tests the process ends.
public enum CurrentPort {
    @TaskLocal package static var bound: (any SystemPort)?
    /// The piece of work that the current task is a part of.
    @TaskLocal private static var piece: AppWork.Piece?

    /// The device and the work of a task, for a block that it starts.
    package struct Context: Sendable {
        private let port = CurrentPort.bound
        private let piece = CurrentPort.piece

        /// Takes those of the current task.
        package init() {}

        /// Runs `body` with them.
        package func run<Result>(_ body: () throws -> Result) rethrows -> Result {
            try $piece.withValue(piece) { try $bound.withValue(port, operation: body) }
        }

        /// Runs `body` with them, and waits for it.
        package func run<Result>(
            isolation: isolated (any Actor)? = #isolation,
            _ body: () async throws -> Result
        ) async rethrows -> Result {
            try await $piece.withValue(piece) { try await $bound.withValue(port, operation: body) }
        }
    }

    /// The ports of the running apps.
    private struct Live {
        private struct Weak {
            weak var port: (any SystemPort)?
            /// The place in the order of the starts.
            let number: Int
        }

        private var entries: [ObjectIdentifier: Weak] = [:]
        private var lastNumber = 0

        /// In the order of their starts.
        var ports: [any SystemPort] {
            entries.values.sorted { $0.number < $1.number }.compactMap(\.port)
        }

        mutating func add(_ port: any SystemPort) {
            lastNumber += 1
            entries[ObjectIdentifier(port)] = Weak(port: port, number: lastNumber)
        }

        mutating func remove(_ port: any SystemPort) { entries[ObjectIdentifier(port)] = nil }
    }

    private static let live = Mutex(Live())
    private static var ports: [any SystemPort] { live.withLock(\.ports) }

    /// Runs `body` as code of the app behind `port`.
    public static func with<Result>(_ port: any SystemPort, _ body: () throws -> Result) rethrows -> Result {
        try with(port, in: AppWork.of(port).begin(), body)
    }

    /// Runs `body` as code of the app behind `port`, as a part of work that has begun earlier.
    package static func with<Result>(
        _ port: any SystemPort,
        in piece: AppWork.Piece,
        _ body: () throws -> Result
    ) rethrows -> Result { try $piece.withValue(piece) { try $bound.withValue(port, operation: body) } }

    /// Runs `body` as code of the app behind `port`, and waits for it.
    package static func with<Result>(
        _ port: any SystemPort,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await $piece.withValue(AppWork.of(port).begin()) { try await $bound.withValue(port, operation: body) }
    }

    /// Runs `body` as the system's own code: what it starts belongs to no app, and is no work of the one that is running.
    package static func outside<Result>(_ body: () throws -> Result) rethrows -> Result {
        try $piece.withValue(nil) { try $bound.withValue(nil, operation: body) }
    }

    /// Registers a port when its process starts.
    public static func enter(_ port: any SystemPort) { live.withLock { $0.add(port) } }

    /// Removes a port when its process ends.
    public static func leave(_ port: any SystemPort) { live.withLock { $0.remove(port) } }

    package static func find() -> any SystemPort { bound ?? choose(among: ports) }

    /// The facts of the running code's app.
    package static var facts: AppFacts { find().facts }

    /// The clock to use. Unlike ``find()`` it never traps, as values may be created outside of any app: with several
    /// apps running, it is the system clock.
    package static var clock: any CivilClock { ifKnown.clock }

    /// The device like ``find()``; with several apps running, none, instead of an error. For values whose place does not matter.
    package static var ifKnown: any SystemPort {
        known ?? (ports.isEmpty ? withoutDevice : NoDevice.shared)
    }

    private static let deviceless = Mutex<(@Sendable () -> any SystemPort)?>(nil)

    /// The port of a process without an emulated app: ``NoDevice``, unless ``useWithoutDevice(_:)`` has set another.
    package static var withoutDevice: any SystemPort { deviceless.withLock { $0 }?() ?? NoDevice.shared }

    /// Sets the port of a process without an emulated app.
    ///
    /// - Parameter port: returns it; called at each use, on any thread.
    package static func useWithoutDevice(_ port: @escaping @Sendable () -> any SystemPort) {
        deviceless.withLock { $0 = port }
    }

    /// The port of the running code, for what may also happen outside of any app; nil if there is none, or several.
    package static var known: (any SystemPort)? {
        if let bound { return bound }
        let ports = ports
        return ports.count == 1 ? ports[0] : nil
    }

    private static let lossReporter = Mutex<(@Sendable (String) -> Bool)?>(nil)

    /// Sets the receiver of the reason why code has no device, on any thread. If it returns true, the code goes on without a device
    /// (``NoDevice``); without a receiver, or if it returns false, the process ends.
    package static func reportLosses(to receiver: (@Sendable (String) -> Bool)?) {
        lossReporter.withLock { $0 = receiver }
    }

    package static func choose(among ports: [any SystemPort]) -> any SystemPort {
        guard let first = ports.first else { return withoutDevice }
        guard ports.count > 1 else { return first }
        let names = ports.map { "\($0.facts.bundleID) on \($0.facts.deviceName)" }.joined(separator: ", ")
        let reason = """
            \(ports.count) emulated apps run in this process (\(names)), and this code runs outside of all of them. \
            Call it from one of the app's callbacks, or wrap it in `device.inside(bundleID) { … }` (PosthornTesting). \
            What Timer, OperationQueue and URLSession's completion handlers call has lost its device; Task, DispatchQueue, \
            DispatchWorkItem, DispatchSource and NotificationCenter's observers keep it.
            """
        if let report = lossReporter.withLock({ $0 }), report(reason) { return NoDevice.shared }
        // Which app is meant cannot be told, and another one's answer would be wrong.
        RaisedException.end(reason)
    }
}
