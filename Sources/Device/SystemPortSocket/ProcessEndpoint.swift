import DeviceLink
import Foundation
import Glibc
import ProcessSpawn
import PushClock
package import PushModel
import Synchronization
package import SystemPort

/// The device's end of an app in a process of its own: starts it, sends it events, handles its calls, and detects its
/// end.
package final class ProcessEndpoint: AppEndpoint {
    /// The real time within which a program must send its first frame. The device's own clock may stand still.
    private static let connectTime = DispatchTimeInterval.seconds(30)
    /// The time a process has to exit after it closed the port, before it is killed.
    private static let exitTime = DispatchTimeInterval.seconds(2)
    /// The time to wait for the last lines of a process; one of its children may keep the output open.
    private static let lastLineTime = DispatchTimeInterval.seconds(1)
    /// The number of events whose replies are awaited; older ones have timed out.
    private static let awaitedReplies = 1000

    struct State {
        var order = AppFrameOrder()
        var replies: [Int: EventReplyHandler] = [:]
        var alarms: [Int: Alarm] = [:]
        var links: [Int: any LinkConnection] = [:]
        /// Whether the device has ended it.
        var isTerminated = false
        var end: ProcessEnd?
        /// The reason the device has to end it, or why it could not be started.
        var problem: PortProblem?
        var whenEnded: (@Sendable (ProcessEnd) -> Void)?
    }

    let port: any SystemPort
    let face: ClockFace
    let state = Mutex(State())
    private let program: AppProgram
    private let socket: FrameSocket?
    private let outbox: FrameOutbox?
    private let child: ChildProcess?
    private let hasExited = DispatchSemaphore(value: 0)
    private let hasReadAll = DispatchSemaphore(value: 0)
    private let hasPrintedAll = DispatchSemaphore(value: 0)

    package var isOwnProcess: Bool { true }

    /// Starts the program, an executable file, on the process that the device created for the app.
    package init(_ program: AppProgram, port: any SystemPort) {
        self.port = port
        self.program = program
        face = ClockFace(port.clock)
        do throws(PortProblem) {
            let sockets = try FilePair.sockets()
            let socket = FrameSocket(descriptor: sockets.first)
            defer { close(sockets.second) }
            let pipe = try FilePair.pipe()
            let output = FileHandle(fileDescriptor: pipe.first, closeOnDealloc: true)
            defer { close(pipe.second) }
            var environment = ProcessInfo.processInfo.environment.merging(program.environment) { $1 }
            environment[PortProtocol.variable] = String(PortProtocol.descriptor)
            let launch = ProcessSpawn(
                path: program.path,
                arguments: [program.path],
                environment: environment,
                descriptors: [pipe.second, pipe.second, sockets.second]
            )
            child = ChildProcess(id: try Spawner.shared.start(launch))
            self.socket = socket
            outbox = FrameOutbox(socket)
            run(output)
        } catch {
            socket = nil
            outbox = nil
            child = nil
            state.withLock { $0.end = .failed("\(error)") }
        }
    }

    // MARK: To the app

    package func deliver(_ event: SystemEvent, reply: @escaping EventReplyHandler) {
        let id = state.withLock { state -> Int? in
            guard !state.isTerminated, state.end == nil else { return nil }
            let id = state.order.nextEvent()
            state.replies[id] = reply
            state.replies[id - Self.awaitedReplies] = nil
            return id
        }
        if let id { send(.event(id: id, event)) }
    }

    package func factsChanged(_ facts: AppFacts) { send(.facts(own(facts))) }

    package func suspend() { child?.signal(SIGSTOP) }

    package func resume() { child?.signal(SIGCONT) }

    package func terminate() {
        state.withLock { $0.isTerminated = true }
        child?.signal(SIGKILL)
        letGo()
    }

    package func whenEnded(_ ended: @escaping @Sendable (ProcessEnd) -> Void) {
        let end = state.withLock { state in
            if state.end == nil { state.whenEnded = ended }
            return state.end
        }
        if let end { ended(end) }
    }

    func send(_ frame: DeviceFrame) {
        do throws(PortProblem) { try outbox?.send(frame) } catch { fail(error) }
    }

    /// Returns the facts with the extension's own Info.plist, if it has one.
    func own(_ facts: AppFacts) -> AppFacts {
        var facts = facts
        if let info = program.info { facts.info = info }
        return facts
    }

    // MARK: Life cycle

    /// Runs the process with two threads, and a third for its output: each waits for one thing, and ends with the
    /// process.
    private func run(_ output: FileHandle) {
        send(.start(version: PortProtocol.version, own(port.facts), seed: port.randomNumber()))
        Thread.detachNewThread { [program, hasPrintedAll] in
            var lines = LineSplitter()
            while true {
                let data = output.availableData
                if data.isEmpty { break }
                for line in lines.append(data) { program.output("\(program.name): \(line)") }
            }
            if let line = lines.last() { program.output("\(program.name): \(line)") }
            hasPrintedAll.signal()
        }
        Thread.detachNewThread { [self] in read() }
        Thread.detachNewThread { [self] in wait() }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.connectTime) { [weak self] in
            guard let self, !self.state.withLock(\.order.isGreeted) else { return }
            self.fail(PortProblem("it sent nothing to its device within 30 seconds; \(Self.expected)"))
        }
    }

    private func read() {
        guard let socket else { return }
        var buffer = FrameBuffer()
        var problem = PortProblem("it closed the connection to its device")
        do throws(PortProblem) {
            try socket.readFrames(&buffer, as: AppFrame.self) { frame throws(PortProblem) in
                try receive(frame)
                return true
            }
        } catch {
            if error != .cutShort { fail(error) }
            problem = error
        }
        hasReadAll.signal()
        // It closed the port, usually because it exited, perhaps while writing: its exit status then says more.
        if hasExited.wait(timeout: .now() + Self.exitTime) == .timedOut { fail(problem) }
    }

    private func wait() {
        guard let child else { return }
        let end = child.wait()
        hasExited.signal()
        // Its last frames and output are handled before that.
        socket?.shut()
        hasReadAll.wait()
        _ = hasPrintedAll.wait(timeout: .now() + Self.lastLineTime)
        finish(end)
    }

    private func finish(_ end: ProcessEnd) {
        let (listener, reported) = state.withLock { state -> ((@Sendable (ProcessEnd) -> Void)?, ProcessEnd) in
            var reported = end
            if let problem = state.problem {
                reported = .failed(problem.description)
            } else if !state.order.isGreeted {
                reported = .failed("\(end) before it sent anything to its device; \(Self.expected)")
            }
            state.end = reported
            state.replies = [:]
            defer { state.whenEnded = nil }
            return (state.isTerminated ? nil : state.whenEnded, reported)
        }
        letGo()
        listener?(reported)
    }

    private static let expected =
        "expected a program built with Posthorn's UIKit that starts in its app delegate's @main, or in NSExtensionMain()"

    private func fail(_ problem: PortProblem) {
        let isFirst = state.withLock { state in
            guard state.problem == nil, state.end == nil, !state.isTerminated else { return false }
            state.problem = problem
            return true
        }
        if isFirst { child?.signal(SIGKILL) }
    }

    private func letGo() {
        let (alarms, links) = state.withLock { state in
            defer {
                state.alarms = [:]
                state.links = [:]
                state.replies = [:]
            }
            return (Array(state.alarms.values), Array(state.links.values))
        }
        for alarm in alarms { alarm.cancel() }
        for link in links { link.close() }
    }
}

/// An executable that is an app, or an extension of one.
package struct AppProgram: Sendable {
    package var path: String
    /// The prefix of each line that it prints.
    package var name: String
    /// Its own Info.plist, if it differs from the app's: an extension has one.
    package var info: JSONObject?
    /// Variables added to the environment of the device's own process.
    package var environment: [String: String] = [:]
    /// Receives each line that it prints, after the name, on any thread.
    package var output: @Sendable (String) -> Void

    package init(path: String, name: String, info: JSONObject? = nil, output: @escaping @Sendable (String) -> Void) {
        self.path = path
        self.name = name
        self.info = info
        self.output = output
    }
}

/// Splits a program's output into lines.
package struct LineSplitter: Sendable {
    /// The maximum length of a line; a longer one is split.
    static let limit = 1 << 16

    private var rest: [UInt8] = []

    package init() {}

    /// - Returns: the lines that are now complete, without line endings.
    package mutating func append(_ bytes: some Sequence<UInt8>) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") || rest.count == Self.limit {
                lines.append(String(decoding: rest, as: UTF8.self))
                rest = []
            }
            if byte != UInt8(ascii: "\n") { rest.append(byte) }
        }
        return lines
    }

    /// Returns the rest after the last line ending; nil if it is empty.
    package mutating func last() -> String? {
        defer { rest = [] }
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }
}
