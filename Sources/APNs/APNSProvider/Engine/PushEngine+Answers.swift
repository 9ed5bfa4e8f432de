import APNSTransport
import PushModel
import Synchronization

extension PushEngine {
    /// Handles outcomes on a connection's event loop.
    func receive(_ outcomes: HTTP2Outcomes, from number: Int) {
        let now = time.elapsed
        var ranges: [(BatchRun, Range<Int>)] = []
        change { state in
            state.effects.accepted.reserveCapacity(outcomes.outcomes.count)
            state.effects.latencies.reserveCapacity(outcomes.outcomes.count)
            let inFlight = state.slots.count
            var answers = 0
            var sum = Duration.zero
            var place = 0
            while place < outcomes.outcomes.count {
                let outcome = outcomes.outcomes[place]
                if outcome.tag & PushSlots<Waiter>.bit == 0 {
                    let start = place
                    let run = BatchRun.number(outcome.tag)
                    repeat {
                        if outcomes.outcomes[place].status != nil { answers += 1 }
                        place += 1
                    } while place < outcomes.outcomes.count && BatchRun.number(outcomes.outcomes[place].tag) == run
                    if let found = state.runs[run]?.run { ranges.append((found, start..<place)) }
                    continue
                }
                place += 1
                guard let index = state.slots.index(of: outcome.tag) else {
                    if outcome.status != nil { answers += 1 }
                    continue
                }
                if outcome.status != nil {
                    let latency = now - state.slots[index].sentAt
                    answers += 1
                    sum += latency
                    state.effects.latencies.append(latency)
                }
                if outcome.status == 200 {
                    state.gate.accepted()
                    if let waiter = state.slots.remove(index) { state.effects.accepted.append(waiter) }
                } else {
                    let judged = state.slots[index].attempts.judge(outcome, of: outcomes, at: now, configuration)
                    note(judged, &state, at: now)
                    apply(judged.step, of: index, &state, at: now)
                }
            }
            if answers > 0 {
                let commands = state.pool.answered(number, count: answers, sum: sum, inFlight: inFlight, at: now)
                obey(commands, &state)
            }
            settle(&state, at: now)
        }
        for (run, range) in ranges {
            let (said, waiter) = run.receive(outcomes, in: range, at: now, configuration)
            apply(said, of: run, from: number)
            // The resumed caller then finds a renewed token, and no connection that was left.
            waiter?.resume()
        }
    }

    /// Records what an outcome says about the credential.
    private func note(_ judged: Attempts.Judged, _ state: inout State, at now: Duration) {
        guard case .done = judged.step, let refusal = judged.refusal,
            refusal.advice.action == .pauseCredential
        else { return }
        state.gate.refused(refusal, at: now, configuration)
    }

    /// Applies the outcomes of a batch to connection and credential.
    private func apply(_ judged: [Attempts.Judged], of run: BatchRun, from number: Int) {
        guard !judged.isEmpty else { return }
        let now = time.elapsed
        change { state in
            for one in judged {
                note(one, &state, at: now)
                if case .again(let next) = one.step {
                    apply(next, connection: number, tokenNumber: run.tokenNumber, &state)
                }
            }
        }
    }
}
