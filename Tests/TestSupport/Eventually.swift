/// A wait that ended before what it waited for had happened.
package struct UnmetCondition: Error, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        case limit(Duration)
        case cancelled
    }

    package var awaited: String
    package var reason: Reason
    /// File and line of the wait.
    package var place: String

    package var description: String {
        switch reason {
        case .limit(let limit): "\(place): waited \(limit.formatted) until \(awaited), which did not happen."
        case .cancelled: "\(place): was cancelled while it waited until \(awaited)."
        }
    }
}

/// The longest wait of a test for one event, ample for a machine that is many times slower than usual.
package let usualLimit = Duration.seconds(100)

/// Waits until `isSo`: the way to wait for what sends no event of its own.
///
/// Between two looks it pauses for 0.1 to 20 milliseconds, so that a test that waits leaves the processor to the others.
/// `awaited` completes "waited until …" in the report of a wait in vain.
///
/// - Throws: ``UnmetCondition`` after `limit`, and as soon as the task is cancelled; the error of `isSo`.
package func eventually(
    _ awaited: String,
    within limit: Duration = usualLimit,
    isolation: isolated (any Actor)? = #isolation,
    file: String = #fileID,
    line: Int = #line,
    _ isSo: () async throws -> Bool
) async throws {
    try await eventual(awaited, within: limit, isolation: isolation, file: file, line: line) {
        try await isSo() ? () : nil
    }
}

/// Waits until `look` finds a value; otherwise as ``eventually(_:within:isolation:file:line:_:)``.
///
/// - Returns: the value.
/// - Throws: ``UnmetCondition`` after `limit`, and as soon as the task is cancelled; the error of `look`.
package func eventual<Value>(
    _ awaited: String,
    within limit: Duration = usualLimit,
    isolation: isolated (any Actor)? = #isolation,
    file: String = #fileID,
    line: Int = #line,
    _ look: () async throws -> Value?
) async throws -> Value {
    let end = ContinuousClock.now + limit
    var pause = Duration.microseconds(100)
    while true {
        if let value = try await look() { return value }
        let isOver = ContinuousClock.now >= end
        if !isOver { try? await Task.sleep(for: pause, tolerance: .zero) }
        if isOver || Task.isCancelled {
            // What has happened in the meantime counts.
            if let value = try await look() { return value }
            let reason = isOver ? UnmetCondition.Reason.limit(limit) : .cancelled
            throw UnmetCondition(awaited: awaited, reason: reason, place: "\(file):\(line)")
        }
        pause = min(pause * 2, .milliseconds(20))
    }
}

/// Waits for an event that announces itself, which `wait` waits for.
///
/// - Returns: the result of `wait`.
/// - Throws: ``UnmetCondition`` after `limit`; the error of `wait`, which has to end once its task is cancelled.
package func event<Value: Sendable>(
    _ awaited: String,
    within limit: Duration = usualLimit,
    file: String = #fileID,
    line: Int = #line,
    _ wait: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let ending = await withTaskGroup(of: Result<Value, any Error>?.self) { group in
        group.addTask {
            do { return .success(try await wait()) } catch is CancellationError { return nil } catch {
                return .failure(error)
            }
        }
        group.addTask {
            try? await Task.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
    if let ending { return try ending.get() }
    let reason = Task.isCancelled ? UnmetCondition.Reason.cancelled : .limit(limit)
    throw UnmetCondition(awaited: awaited, reason: reason, place: "\(file):\(line)")
}

extension Duration {
    fileprivate var formatted: String {
        let (seconds, attoseconds) = components
        return attoseconds == 0 ? "\(seconds) s" : "\(self / .milliseconds(1)) ms"
    }
}
