import Foundation
import PushModel

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
