package import Foundation
package import PushModel

/// The faults that are set; decides for each request and each delivery which fault applies.
///
/// Time arrives as a value, and randomness comes from seeds: the same faults with the same seeds have the same effect on the
/// same requests.
package struct ActiveFaults: Sendable {
    /// The number of records that are kept.
    package static let logSize = 10_000

    package private(set) var faults: [ActiveFault] = []
    package private(set) var log: [FaultRecord] = []
    private var recorded = 0
    private var nextID = 1
    private var nextScript = 1

    // MARK: - Setting and lifting

    package mutating func add(_ fault: Fault, seed: UInt64, at now: Date) -> ActiveFault {
        append(fault, script: nil, seed: seed, now)
    }

    /// Starts faults. Each fault draws from its own seed, so that its choices do not affect another fault.
    package mutating func run(_ faults: [Fault], seed: UInt64, at now: Date) -> RunningScript {
        defer { nextScript += 1 }
        var seeds = SplitMix(seed: seed)
        let active = faults.map { append($0, script: nextScript, seed: seeds.next(), now) }
        return RunningScript(id: nextScript, seed: seed, start: now, faults: active.map(\.id))
    }

    private mutating func append(_ fault: Fault, script: Int?, seed: UInt64, _ now: Date) -> ActiveFault {
        defer { nextID += 1 }
        let active = ActiveFault(id: nextID, fault, script: script, seed: seed, at: now)
        faults.append(active)
        return active
    }

    /// - Returns: the number of lifted faults.
    package mutating func lift(where isMeant: (ActiveFault) -> Bool) -> Int {
        let before = faults.count
        faults.removeAll(where: isMeant)
        return before - faults.count
    }

    /// Removes faults that have ended or have nothing left to do.
    mutating func tidy(at now: Date) { faults.removeAll { $0.isSpent(at: now) || $0.isOver(at: now) } }

    /// The next date when a fault begins or ends by the clock; nil if there is none.
    package func nextMoment(after now: Date) -> Date? {
        faults.flatMap { fault -> [Date] in
            var moments = [fault.end].compactMap(\.self)
            if case .streamLimit = fault.fault.kind { moments.append(fault.begin) }
            return moments.filter { $0 > now }
        }.min()
    }

    // MARK: - Asking

    /// Decides on a request. If several faults end a request, the one that was set first is carried out, and the others do not
    /// count the request.
    package mutating func decide(_ request: FaultRequest, at now: Date) -> FaultDecision {
        var decision = FaultDecision()
        for place in faults.indices where faults[place].fault.kind.concerns(decision) {
            guard faults[place].takes(request, at: now) else { continue }
            faults[place].carryOut(on: &decision)
            record(faults[place], of: request.apnsID, request.environment, on: request.connection, at: now)
        }
        keepStall(of: decision, at: now)
        tidy(at: now)
        return decision
    }

    /// Keeps a fault that stalls a request for a fixed time until that time has passed.
    private mutating func keepStall(of decision: FaultDecision, at now: Date) {
        guard let stall = decision.stall, let seconds = stall.seconds,
            let place = faults.firstIndex(where: { $0.id == stall.fault })
        else { return }
        faults[place].stall(until: now.addingTimeInterval(decision.delay + seconds))
    }

    /// Decides on a delivery; the fault that was set first is carried out.
    package mutating func deliver(_ delivery: FaultDelivery, at now: Date) -> FaultyDelivery {
        defer { tidy(at: now) }
        for place in faults.indices {
            let delivered: FaultyDelivery
            switch faults[place].fault.kind {
            case .dropDelivery(let isForGood): delivered = isForGood ? .lost : .dropped
            case .duplicateDelivery(let copies): delivered = .copies(copies)
            default: continue
            }
            guard faults[place].takes(delivery, at: now) else { continue }
            record(faults[place], of: delivery.apnsID, delivery.environment, at: now)
            return delivered
        }
        return .copies(1)
    }

    /// The smallest stream limit in force for a connection; nil if there is none.
    package func streamLimit(_ environment: APNSEnvironment, connection: Int, at now: Date) -> Int? {
        let connection = FaultRequest(environment: environment, connection: connection, path: "")
        return faults.compactMap { fault in
            guard case .streamLimit(let limit) = fault.fault.kind, fault.isOn(at: now),
                fault.fault.conditions.hold(for: connection, first: nil)
            else { return nil }
            return limit
        }.min()
    }

    /// The smallest number of new provider tokens in force for a key; nil if there is none.
    package func providerTokenLimit(_ environment: APNSEnvironment, at now: Date) -> Int? {
        faults.compactMap { fault in
            guard case .providerTokens(let limit) = fault.fault.kind, fault.isOn(at: now) else { return nil }
            let wanted = fault.fault.conditions.environment
            return wanted == nil || wanted == environment ? limit : nil
        }.min()
    }

    private mutating func record(
        _ fault: ActiveFault,
        of apnsID: String?,
        _ environment: APNSEnvironment,
        on connection: Int? = nil,
        at now: Date
    ) {
        recorded += 1
        if log.count >= Self.logSize { log.removeFirst(Self.logSize / 10) }
        log.append(
            FaultRecord(
                number: recorded,
                date: now,
                seconds: now.timeIntervalSince(fault.start),
                fault: fault.id,
                kind: fault.fault.kind.word.rawValue,
                environment: environment,
                connection: connection,
                apnsID: apnsID
            )
        )
    }
}

extension Fault.Kind {
    /// Whether the fault can add something to the decision about a request.
    fileprivate func concerns(_ decision: FaultDecision) -> Bool {
        switch self {
        case .answer, .reset, .close: decision.ending == .judged
        case .stall: decision.stall == nil
        case .latency, .goAway: true
        case .streamLimit, .providerTokens, .dropDelivery, .duplicateDelivery: false
        }
    }
}

extension ActiveFault {
    fileprivate mutating func carryOut(on decision: inout FaultDecision) {
        switch fault.kind {
        case .answer(let answer): decision.ending = .answered(answer)
        case .reset(let code, let isTaken): decision.ending = .reset(code: code, isTaken: isTaken)
        case .close(let isTaken): decision.ending = .closed(isTaken: isTaken)
        case .latency(let range): decision.delay += draw(range)
        case .stall(let seconds): decision.stall = FaultDecision.Stall(fault: id, seconds: seconds)
        case .goAway(let goAway): decision.goAways.append(goAway)
        case .streamLimit, .providerTokens, .dropDelivery, .duplicateDelivery: break
        }
    }
}

/// A fault that is set, and its progress.
package struct ActiveFault: Sendable {
    package let id: Int
    package let fault: Fault
    /// The script that the fault belongs to.
    package let script: Int?
    /// The seed of the fault's random choices; the same seed gives the same choices.
    package let seed: UInt64
    /// The date when the fault was set, or its script began.
    let start: Date
    private var random: SplitMix
    /// The first connection that met the fault's conditions.
    private var first: Int?
    /// The number of requests or deliveries that met its conditions in its time.
    package private(set) var met = 0
    /// The number of times it was carried out.
    package private(set) var carriedOut = 0
    /// The end of the longest wait of a request that the fault stalls for a fixed time.
    private var stallsUntil: Date?

    init(id: Int, _ fault: Fault, script: Int? = nil, seed: UInt64, at start: Date) {
        self.id = id
        self.fault = fault
        self.script = script
        self.seed = seed
        self.start = start
        random = SplitMix(seed: seed)
    }

    var begin: Date { start.addingTimeInterval(fault.from) }
    var end: Date? { fault.until.map { start.addingTimeInterval($0) } }

    func isOver(at now: Date) -> Bool { end.map { $0 <= now } ?? false }
    func isOn(at now: Date) -> Bool { begin <= now && !isOver(at: now) }

    /// Whether the fault has nothing left to do. A stall is kept as long as requests may wait because of it.
    func isSpent(at now: Date) -> Bool {
        guard !hasTurnsLeft, fault.kind != .stall(nil) else { return false }
        return stallsUntil.map { $0 <= now } ?? true
    }

    /// Keeps the fault until `date`, even if it has no turns left.
    mutating func stall(until date: Date) { stallsUntil = max(stallsUntil ?? date, date) }

    private var hasTurnsLeft: Bool { fault.next.map { carriedOut < $0 } ?? true }

    /// Whether the fault applies to this request, which then counts.
    mutating func takes(_ request: FaultRequest, at now: Date) -> Bool {
        guard isOn(at: now), hasTurnsLeft, fault.conditions.hold(for: request, first: first) else { return false }
        guard isTurn() else { return false }
        first = first ?? request.connection
        return true
    }

    mutating func takes(_ delivery: FaultDelivery, at now: Date) -> Bool {
        isOn(at: now) && hasTurnsLeft && fault.conditions.hold(for: delivery) && isTurn()
    }

    private mutating func isTurn() -> Bool {
        met += 1
        guard met % fault.every == 0 else { return false }
        if fault.chance < 1, Double.random(in: 0..<1, using: &random) >= fault.chance { return false }
        carriedOut += 1
        return true
    }

    mutating func draw(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound == range.upperBound ? range.lowerBound : .random(in: range, using: &random)
    }
}
