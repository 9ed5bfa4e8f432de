import APNSTransport
import PushClock
import Synchronization

/// Timing: one task handles the deadlines of all pushes, so no push has its own timer.
extension PushEngine {
    /// Handles all deadlines that have passed.
    func deadlineTimer(_ number: Int) {
        let now = time.elapsed
        change { state in
            guard state.deadlineTimer.arrive(number) else { return }
            for index in state.slots.indices where state.slots[index].stage != .free {
                guard state.slots[index].moment <= now else { continue }
                look(at: index, &state, at: now)
            }
            for key in state.runs.keys { look(atRun: key, &state, at: now) }
            if state.hasLimits {
                for entry in state.line.removeAll(where: { $0.limit.map { $0 <= now } ?? false }) {
                    state.effects.finished.append((entry.waiter, PushEnding(.failed("Its turn did not come in time."))))
                }
            }
            for (ticket, guest) in state.waitingBatches where guest.moment <= now {
                state.waitingBatches[ticket] = nil
                state.effects.woken.append(guest.waiter)
            }
            settle(&state, at: now)
            let next = [
                state.slots.earliest, state.runs.values.map(\.moment).min(),
                state.hasLimits ? state.line.min { $0.limit.map(Self.grid) } : nil,
                state.waitingBatches.values.map(\.moment).min(),
            ]
            if let next = next.compactMap(\.self).min() { watch(next, &state) }
        }
    }

    private func look(at index: Int, _ state: inout State, at now: Duration) {
        let deadline = state.slots[index].attempts.deadline
        switch state.slots[index].stage {
        case .free: break
        case .parked:
            let peer = "\(endpoint.host):\(endpoint.port)"
            let text = "No connection to \(peer) in time: \(state.pool.lastError)."
            finish(index, with: .failed(text), &state)
        case .pausing:
            guard now < deadline else {
                let outcome = state.slots[index].attempts.gaveUp("its pause was cut short", configuration)
                finish(index, with: outcome, &state)
                return
            }
            resend(index, &state, at: now)
        case .sent:
            let connection = state.slots[index].connection
            let sentAt = state.slots[index].sentAt
            let reason = "no answer within \(now - sentAt)"
            // A connection that was silent for all that time may be dead without anyone noticing.
            if state.pool.lastAnswer(on: connection).map({ $0 < sentAt }) ?? true {
                retire(connection, because: reason, &state)
            }
            abandon(index, because: reason, &state)
            let step = state.slots[index].attempts.lost(APNSStreamFailure(.undecided, reason), at: now, configuration)
            apply(step, of: index, &state, at: now)
        }
    }

    private func look(atRun key: UInt64, _ state: inout State, at now: Duration) {
        guard var run = state.runs[key], run.moment <= now else { return }
        let progress = run.run.progress
        if progress == run.seen {
            let reason = "no answer within \(configuration.answerTimeout)"
            let start = now - configuration.answerTimeout
            for link in run.links {
                // A connection that answers others is alive.
                if state.pool.lastAnswer(on: link.number).map({ $0 < start }) ?? true {
                    retire(link.number, because: reason, &state)
                }
                state.effects.abandoned.append((link.connection, BatchRun.tags(key), reason))
            }
        }
        run.seen = progress
        run.moment = now + configuration.answerTimeout
        state.runs[key] = run
    }

    /// Ensures that a timer fires at `moment` at the latest.
    func watch(_ moment: Duration, _ state: inout State) {
        guard let number = state.deadlineTimer.needs(moment) else { return }
        // Unstructured: it belongs to no single push. It ends at its deadline, or when nothing is in flight.
        state.deadlineTimer.task = Task {
            do { try await time.sleep(until: moment) } catch { return }
            deadlineTimer(number)
        }
    }
}

/// The bookkeeping of the next deadline: at most one timer task waits at a time.
struct DeadlineTimer {
    var task: Task<Void, Never>?
    private var wakes: Duration?
    private var number = 0

    /// - Returns: the number of a new timer, if the current one fires too late.
    mutating func needs(_ moment: Duration) -> Int? {
        if let wakes, wakes <= moment { return nil }
        task?.cancel()
        wakes = moment
        number += 1
        return number
    }

    /// - Returns: whether this is still the current timer.
    mutating func arrive(_ number: Int) -> Bool {
        guard number == self.number, wakes != nil else { return false }
        wakes = nil
        task = nil
        return true
    }

    mutating func stop() {
        guard wakes != nil else { return }
        wakes = nil
        task?.cancel()
        task = nil
    }
}

/// The elapsed time on any clock as a plain duration; it erases the clock's type.
struct ElapsedTime: Sendable {
    private let read: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    init(clock: some CivilClock) {
        let start = clock.now
        read = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    var elapsed: Duration { read() }

    /// - Throws: `CancellationError`.
    func sleep(until moment: Duration) async throws { try await wait(moment) }
}
