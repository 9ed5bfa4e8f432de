import CHotRoads

/// Marks for callgrind the part of the program that is measured.
struct Meter: Sendable {
    /// The road that is measured.
    let road: String

    /// Runs `body` without counting, then once more and counts. One call of it does `units`. `prepare` runs before each run, not counted.
    func measure<Prepared>(
        units: Int,
        prepare: () async throws -> Prepared,
        _ body: (Prepared) async throws -> Void
    ) async throws {
        let isCounting = callgrind_is_running()
        if isCounting { callgrind_start() }
        // Makes the caches, pools and metadata that later runs find.
        try await body(try await prepare())
        let prepared = try await prepare()
        let start = ContinuousClock.now
        if isCounting { callgrind_zero() }
        try await body(prepared)
        if isCounting { unsafe "\(road) \(units)".withCString { unsafe callgrind_dump($0) } }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        if !isCounting { print("\(road): \(units) units, \(seconds / Double(units) * 1_000_000) µs each") }
    }

    /// Runs `body` without counting, then once more and counts.
    func measure(units: Int, _ body: () async throws -> Void) async throws {
        try await measure(units: units, prepare: {}, body)
    }
}
