import PushClock
public import PushDevice
import SystemPort

// Waits, and expectations that fail with the phone's story.

extension TestPhone {
    /// Waits until the app has done what it has begun.
    ///
    /// That is: every event has been handled, every call of the app's has been answered, and the `Task`s and blocks of
    /// `DispatchQueue` that the app's callbacks have started have ended, with those that they have started. An action such as
    /// ``open(_:)`` waits for the events and the calls alone.
    ///
    /// Not awaited are: work that ends with an event that has not come, such as a `for await` without end, a sleep, or a block in
    /// `asyncAfter` that is due later than `limit`; and what Foundation calls by itself (`Timer`, `OperationQueue`, a completion handler
    /// of `URLSession`). Work that was not done within `limit` is not awaited again by later calls.
    ///
    /// - Parameter limit: the real time that the app's work may take.
    /// - Returns: whether all work ended within it.
    @discardableResult
    public func settle(within limit: Duration = .seconds(1)) async -> Bool {
        var isDone = true
        while !Task.isCancelled {
            await device.settled()
            let busy = device.works.filter(\.isBusy)
            if busy.isEmpty { return isDone }
            let ended: Void?? = try? await withTimeout(limit) { for work in busy { try await work.ended() } }
            if case .some(.some) = ended { continue }
            isDone = false
            for work in busy { work.leaveOpen() }
        }
        return isDone
    }

    /// Waits until a condition holds, and fails the test with the phone's story if it does not.
    ///
    /// The phone's clock advances from one event to the next, up to `limit`; the condition is examined first at once, and then after
    /// each event, when the app has handled it (``settle(within:)``). So the clock stops at the event that fulfils it:
    ///
    /// ```swift
    /// await phone.wait(for: .seconds(30), "the reminder is listed") { !$0.device.screen.list.isEmpty }
    /// ```
    ///
    /// - Parameters:
    ///   - limit: the time on the phone's clock within which the condition has to hold.
    ///   - expected: the condition in words, for the message of the failure.
    ///   - realLimit: the time on the machine's clock, against an app or a condition that hangs.
    ///   - fileID: the module and the file of the test.
    ///   - filePath: the path of the file.
    ///   - line: the line at which a failure is shown.
    ///   - column: the column.
    ///   - condition: the condition.
    /// - Returns: whether the condition held in time. If not, a failure has been recorded.
    @discardableResult
    public func wait(
        for limit: Duration = .seconds(60),
        _ expected: String = "the condition holds",
        realLimit: Duration = .seconds(60),
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column,
        until condition: @escaping @Sendable (TestPhone) async throws -> Bool
    ) async -> Bool {
        let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        let start = clock.now
        let outcome: Result<Bool?, any Error>
        do {
            outcome = .success(
                try await withTimeout(realLimit) { try await self.holds(within: limit, since: start, condition) }
            )
        } catch {
            outcome = .failure(error)
        }
        let passed = "\(start.duration(to: clock.now)) on the phone's clock"
        switch outcome {
        case .success(true?): return true
        case .success(false?): fail("Waited \(passed) until \(expected), in vain.", at: location)
        case .success(nil):
            fail("Waited \(realLimit) of real time (\(passed)) until \(expected): something hangs.", at: location)
        case .failure(is CancellationError): fail("The wait until \(expected) was cancelled.", at: location)
        case .failure(let error): fail("The wait until \(expected) ended with an error: \(error)", at: location)
        }
        return false
    }

    private func holds(
        within limit: Duration,
        since start: VirtualClock.Instant,
        _ condition: @Sendable (TestPhone) async throws -> Bool
    ) async throws -> Bool {
        let target = start.advanced(by: limit)
        while true {
            await settle()
            try Task.checkCancellation()
            if try await condition(self) { return true }
            guard await step(to: target) else { break }
        }
        // Work that took longer than `settle()` waits may only have waited for the main thread, on a busy machine.
        for _ in 0..<Self.turns where device.works.contains(where: \.isLeftOpen) {
            try await Self.mainThreadTurn()
            await settle()
            if try await condition(self) { return true }
        }
        // It may have ended just before it was asked for.
        return try await condition(self)
    }

    /// The turns of the main thread that slow work has at the end of a wait: enough for a few callbacks, each of which sets off the next.
    private static let turns = 20

    /// Returns when what waits for the main thread now has run.
    private static func mainThreadTurn() async throws {
        let turn = Announcement<Void>()
        MainThread.async { turn.make(.success(())) }
        try await turn.value
    }

    /// Waits for a notification on the phone's banner, and fails the test with the phone's story if none comes.
    ///
    /// ```swift
    /// await phone.expectBanner(titled: "Time to write", within: .seconds(86_400))
    /// ```
    ///
    /// - Parameters:
    ///   - title: the title that the banner has to have; nil for any.
    ///   - body: the body that the banner has to have; nil for any.
    ///   - limit: the time on the phone's clock within which it has to come. A banner that is on the screen counts.
    ///   - fileID: the module and the file of the test.
    ///   - filePath: the path of the file.
    ///   - line: the line at which a failure is shown.
    ///   - column: the column.
    /// - Returns: the notification; nil after a failure.
    @discardableResult
    public func expectBanner(
        titled title: String? = nil,
        saying body: String? = nil,
        within limit: Duration = .seconds(60),
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) async -> ShownNotification? {
        let parts = ["a banner", title.map { "titled '\($0)'" }, body.map { "saying '\($0)'" }]
        let holds = await wait(
            for: limit,
            "\(parts.compactMap(\.self).joined(separator: " ")) is on the screen",
            fileID: fileID,
            filePath: filePath,
            line: line,
            column: column
        ) { Self.matches($0.device.screen.banner, title: title, body: body) }
        return holds ? device.screen.banner : nil
    }

    /// Advances the phone's clock, and fails the test with the phone's story if a banner comes, or is on the screen.
    ///
    /// - Parameters:
    ///   - limit: the time on the phone's clock.
    ///   - fileID: the module and the file of the test.
    ///   - filePath: the path of the file.
    ///   - line: the line at which a failure is shown.
    ///   - column: the column.
    public func expectNoBanner(
        for limit: Duration = .seconds(60),
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) async {
        let target = clock.now.advanced(by: limit)
        while true {
            await settle()
            if let banner = device.screen.banner {
                let location = TestLocation(fileID: fileID, filePath: filePath, line: line, column: column)
                return fail("Expected no banner; found \(Self.words(for: banner)).", at: location)
            }
            guard !Task.isCancelled, await step(to: target) else { return }
        }
    }

    /// Advances the clock to its next deadline, and not beyond the target. Returns false if it is there already.
    private func step(to target: VirtualClock.Instant) async -> Bool {
        let now = clock.now
        guard now < target else { return false }
        await clock.advance(by: now.duration(to: min(clock.nextDeadline ?? target, target)))
        return true
    }

    private static func matches(_ shown: ShownNotification?, title: String?, body: String?) -> Bool {
        guard let shown else { return false }
        return (title ?? shown.title) == shown.title && (body ?? shown.body) == shown.body
    }

    /// Records a failure with the phone's story.
    func fail(_ reason: String, at location: TestLocation) { TestIssues.record("\(reason)\n\(story)", at: location) }

    static func words(for shown: ShownNotification) -> String {
        let texts = [shown.title, shown.subtitle, shown.body].filter { !$0.isEmpty }
        return "'\(texts.joined(separator: " / "))' of \(shown.appName) (\(shown.id))"
    }
}
