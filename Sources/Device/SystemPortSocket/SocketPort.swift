import CProcess
package import DeviceLink
import Foundation
import Glibc
package import PushClock
import PushModel
import Synchronization
package import SystemPort

/// The port of an app in a process of its own: all calls go over a socket to its device.
package final class SocketPort: SystemPort {
    /// The device's answer to a question, which it gives at once.
    enum Answer: Sendable {
        case reply(SystemReply)
        case time(ClockReading)
    }

    struct State {
        var facts: AppFacts
        /// The number of calls made, and the number that the facts reflect: a call may change them.
        var calledSoFar = 0
        var factsKnowOf = 0
        var random: SplitMix
        var lastID = 0
        var calls: [Int: SystemReplyHandler] = [:]
        var questions: [Int: BlockingAnswer<Answer>] = [:]
        var sleepers: [Int: CheckedContinuation<Void, any Error>] = [:]
        var lastLink = 0
        var links: [Int: @Sendable (LinkEvent) -> Void] = [:]
        var order: DeviceFrameOrder

        mutating func nextID() -> Int {
            lastID += 1
            return lastID
        }
    }

    package let slots = PortSlots()
    let socket: FrameSocket
    let state: Mutex<State>
    /// The queue on which the app's completions run and its events begin, one at a time. Answers to questions bypass
    /// it, so that a completion may ask.
    let queue = DispatchQueue(label: "posthorn.port")
    private let host = Mutex<(any AppEndpoint)?>(nil)

    /// The port to the device that started this process; nil if none did.
    ///
    /// If the other end is not a device, the process exits: there is nothing to report to.
    package static let ofThisProcess: SocketPort? = {
        guard let text = ProcessInfo.processInfo.environment[PortProtocol.variable] else { return nil }
        // No other thread of the process reads its environment yet.
        _ = unsafe unsetenv(PortProtocol.variable)
        guard let descriptor = Int32(text), fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            leave(PortProblem("\(PortProtocol.variable) is '\(text)'; expected the number of an open file."))
        }
        _ = die_with_parent()
        write_line_by_line()
        do throws(PortProblem) {
            let port = try SocketPort(FrameSocket(descriptor: descriptor))
            CurrentPort.enter(port)
            return port
        } catch {
            leave(error)
        }
    }()

    /// Sends `hello`, and waits for the device's first frame.
    ///
    /// - Throws: when something else arrives.
    package convenience init(_ socket: FrameSocket) throws(PortProblem) {
        socket.write(try FrameCoding.encode(AppFrame.hello(version: PortProtocol.version)))
        var order = DeviceFrameOrder()
        var buffer = FrameBuffer()
        var first: (AppFacts, UInt64)?
        try socket.readFrames(&buffer, as: DeviceFrame.self) { frame throws(PortProblem) in
            try order.check(frame)
            if case .start(_, let facts, let seed) = frame { first = (facts, seed) }
            return false
        }
        guard let first else { throw PortProblem("The device ended the connection before its first frame.") }
        self.init(socket, facts: first.0, random: SplitMix(seed: first.1), order: order, buffer: buffer)
    }

    private init(
        _ socket: FrameSocket,
        facts: AppFacts,
        random: SplitMix,
        order: DeviceFrameOrder,
        buffer: FrameBuffer
    ) {
        self.socket = socket
        state = Mutex(State(facts: facts, random: random, order: order))
        // No code of the app runs before `serve`.
        queue.suspend()
        Thread.detachNewThread { [self] in readAll(buffer) }
    }

    /// Passes the device's events to `host` from now on.
    package func serve(_ host: any AppEndpoint) {
        self.host.withLock { $0 = host }
        queue.resume()
    }

    package var clock: any CivilClock { SocketClock(port: self) }

    package var facts: AppFacts {
        let (facts, made, isStale) = state.withLock { ($0.facts, $0.calledSoFar, $0.factsKnowOf < $0.calledSoFar) }
        guard isStale, case .facts(let new) = read(.facts) else { return facts }
        state.withLock { state in
            state.facts = new
            state.factsKnowOf = max(state.factsKnowOf, made)
        }
        return new
    }

    package func randomNumber() -> UInt64 { state.withLock { $0.random.next() } }

    package func call(_ call: SystemCall, completion: @escaping SystemReplyHandler) {
        let id = state.withLock { state in
            let id = state.nextID()
            state.calls[id] = completion
            return id
        }
        send(.call(id: id, call))
        state.withLock { $0.calledSoFar += 1 }
    }

    package func read(_ call: SystemCall) -> SystemReply {
        guard case .reply(let reply) = ask({ .read(id: $0, call) }) else { return .terminated }
        return reply
    }

    package func openLink(_ url: String, handler: @escaping @Sendable (LinkEvent) -> Void) -> any LinkConnection {
        // Numbered and sent under one lock: the device counts along.
        let number = state.withLock { state in
            state.lastLink += 1
            state.links[state.lastLink] = handler
            send(.openLink(link: state.lastLink, url: url))
            return state.lastLink
        }
        return SocketLink(port: self, number: number)
    }

    // MARK: Inside

    func send(_ frame: AppFrame) {
        do throws(PortProblem) { socket.write(try FrameCoding.encode(frame)) } catch { Self.leave(error) }
    }

    /// Asks a question, and blocks until the device has answered: the answer arrives on the port's own thread.
    func ask(_ frame: (Int) -> AppFrame) -> Answer {
        let question = BlockingAnswer(Answer.reply(.terminated))
        let id = state.withLock { state in
            let id = state.nextID()
            state.questions[id] = question
            return id
        }
        send(frame(id))
        return question.wait()
    }

    /// Reads the device's frames on a thread of its own, as long as the process lives.
    private func readAll(_ begin: FrameBuffer) {
        var buffer = begin
        do throws(PortProblem) {
            try socket.readFrames(&buffer, as: DeviceFrame.self) { frame throws(PortProblem) in
                try receive(frame)
                return true
            }
        } catch {
            Self.leave(error)
        }
        // Without its device an app is useless. Exits at once: nothing that the app would do at exit matters any more.
        _exit(0)
    }

    func deliver(_ event: SystemEvent, _ id: Int) {
        host.withLock(\.self)?.deliver(event) { [weak self] reply in self?.send(.eventReply(event: id, reply)) }
    }

    private static func leave(_ problem: PortProblem) -> Never {
        try? FileHandle.standardError.write(contentsOf: Data("The connection to the device failed. \(problem)\n".utf8))
        _exit(EX_PROTOCOL)
    }
}
