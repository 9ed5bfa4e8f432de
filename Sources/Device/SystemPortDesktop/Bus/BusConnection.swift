internal import CDBus
import Dispatch
package import Foundation
import Glibc
import PushModel
import Synchronization
import SystemPort

/// A connection to the session bus, with an alarm on the machine's clock. All its work runs on one thread, which ends with the
/// connection.
package final class BusConnection: Sendable {
    /// Answers a method call; nil for other events, and for a method that does not exist.
    package typealias Handler = @Sendable (BusEvent) -> BusAnswer?
    package typealias Completion = @Sendable (BusAnswer) -> Void

    private enum Command: Sendable {
        case call(BusMessage, Completion)
        case emit(BusMessage)
        case close
    }

    private struct State {
        var commands: [Command] = []
        var hasEnded = false
        /// The connection's thread.
        var thread: pthread_t?
        /// The threads that wait until their commands are written.
        var writers: [DispatchSemaphore] = []
        /// Calls that arrive before there is a handler wait here.
        var handler: Handler?
    }

    private let state = Mutex(State())
    private let wake: Int32
    private let timer: Int32

    /// Connects to the session bus.
    ///
    /// - Parameters:
    ///   - address: the address of the bus; nil to find it as libdbus does.
    ///   - matches: rules for the broadcast signals to receive, as D-Bus writes them.
    ///   - handler: called on the connection's thread, one event at a time.
    /// - Throws: the reason if the bus cannot be reached.
    package init(_ address: String?, matches: [String] = [], handler: @escaping Handler) throws(BusProblem) {
        wake = event_create()
        timer = alarm_create()
        state.withLock { $0.handler = handler }
        let startup = BlockingAnswer<BusProblem?>(nil)
        Thread.detachNewThread { [self] in run(on: address, matches: matches, startup: startup) }
        if let problem = startup.wait() { throw problem }
    }

    deinit {
        Glibc.close(wake)
        Glibc.close(timer)
    }

    /// Calls a method. `completion` is called once, on the connection's thread.
    package func call(_ call: BusMessage, completion: @escaping Completion = { _ in }) {
        if !post(.call(call, completion)) { completion(.failure(Self.closed)) }
    }

    /// Calls a method and waits for its answer; not from the connection's own thread.
    ///
    /// - Throws: the error in the answer, or the reason why there is none.
    package func ask(_ call: BusMessage) throws(BusProblem) -> [BusValue] {
        let answer = BlockingAnswer(BusAnswer.failure(Self.closed))
        self.call(call) { answer.settle($0) }
        return try answer.wait().get()
    }

    /// Asks for a well-known name; not from the connection's own thread.
    ///
    /// - Throws: the reason if another process has it.
    package func own(_ name: String) throws(BusProblem) {
        let doNotQueue: UInt32 = 4
        // Source: D-Bus Specification, `RequestName`: 1 is the primary owner.
        guard try ask(.bus("RequestName", [.string(name), .uint32(doNotQueue)])).first?.number == 1 else {
            throw BusProblem("Another process has the name \(name) on the session bus.")
        }
    }

    package func emit(_ signal: BusMessage) { _ = post(.emit(signal)) }

    /// Sets the date of the alarm, which replaces an earlier one; nil for none. A date that has passed rings at once.
    package func setAlarm(_ date: Date?) {
        let seconds = date.map { min(max($0.timeIntervalSince1970, 0.001), 8e9) } ?? 0
        alarm_set(timer, Int64(seconds * 1_000_000_000))
    }

    /// Writes what is waiting, and ends the connection.
    package func close() { _ = post(.close) }

    private static let closed = BusProblem("The connection to the session bus has ended.")

    /// Returns when the command is on its way, so that a program may end right after a call. The connection's own thread does not wait.
    private func post(_ command: Command) -> Bool {
        let written = DispatchSemaphore(value: 0)
        let (isOpen, mustWait) = state.withLock { state in
            guard !state.hasEnded else { return (false, false) }
            state.commands.append(command)
            let isOwn = state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
            if !isOwn { state.writers.append(written) }
            return (true, !isOwn)
        }
        if isOpen { event_announce(wake) }
        if mustWait { written.wait() }
        return isOpen
    }

    // MARK: The thread

    private func run(on address: String?, matches: [String], startup: BlockingAnswer<BusProblem?>) {
        state.withLock { $0.thread = pthread_self() }
        do throws(BusProblem) {
            let bus = try LibDBus(address)
            for rule in matches { bus.addMatch(rule) }
            startup.settle(nil)
            loop(bus)
        } catch {
            state.withLock { $0.hasEnded = true }
            startup.settle(error)
        }
    }

    private func loop(_ bus: LibDBus) {
        var waiting: [UInt32: Completion] = [:]
        let handler = state.withLock { $0.handler }
        var isOpen = true
        while isOpen {
            let writers = takeWriters()
            isOpen = carryOut(on: bus, &waiting)
            bus.flush()
            for writer in writers { writer.signal() }
            bus.read()
            var hasReceived = false
            while bus.next({ receive($0, waiting: &waiting, handler: handler) }) { hasReceived = true }
            if !isOpen || !bus.isConnected { break }
            // Answers are still to be written, and writing them reads too.
            if hasReceived { continue }
            let ready = wait_for_three(bus.descriptor, wake, timer)
            if ready & 2 != 0 { event_clear(wake) }
            if ready & 4 != 0 {
                alarm_clear(timer)
                _ = handler?(.alarm)
            }
        }
        end(&waiting)
        if isOpen { _ = handler?(.lost) }
    }

    /// Returns the threads whose commands are carried out next. A command that comes right after is carried out too, and its thread waits
    /// for one turn more.
    private func takeWriters() -> [DispatchSemaphore] {
        state.withLock { $0.writers.takeAll() }
    }

    /// - Returns: false if the connection is to be closed.
    private func carryOut(on bus: LibDBus, _ waiting: inout [UInt32: Completion]) -> Bool {
        let commands = state.withLock { $0.commands.takeAll() }
        var isOpen = true
        for command in commands {
            switch command {
            case .call(let call, let completion): waiting[bus.send(call)] = completion
            case .emit(let signal): bus.emit(signal)
            case .close: isOpen = false
            }
        }
        return isOpen
    }

    private func receive(_ arrived: LibDBus.Arrived, waiting: inout [UInt32: Completion], handler: Handler?) {
        switch arrived {
        case .answer(let serial, let result): waiting.removeValue(forKey: serial)?(result)
        case .signal(let message): _ = handler?(.signal(message))
        case .call(let message, let answer):
            let unknown = BusProblem(
                name: "org.freedesktop.DBus.Error.UnknownMethod",
                "\(message.interface) has no method \(message.member) at \(message.path)."
            )
            answer(handler?(.call(message)) ?? .failure(unknown))
        }
    }

    private func end(_ waiting: inout [UInt32: Completion]) {
        let late = state.withLock { state in
            state.hasEnded = true
            state.handler = nil
            return state.commands.takeAll()
        }
        for writer in takeWriters() { writer.signal() }
        for completion in waiting.values { completion(.failure(Self.closed)) }
        for case .call(_, let completion) in late { completion(.failure(Self.closed)) }
    }
}
