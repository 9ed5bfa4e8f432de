import Foundation
import PushModel

/// A bar for long work: drawn on a terminal, plain lines elsewhere.
final class ProgressBar {
    private let isQuiet: Bool
    private let isTerminal = isatty(STDERR_FILENO) == 1
    /// The time of the last line; nil before the first one on a terminal, which is drawn at once.
    private var last: ContinuousClock.Instant?
    private var isDrawn = false
    private var hasPrinted = false

    /// Creates a bar, which shows nothing if it is quiet.
    init(isQuiet: Bool) {
        self.isQuiet = isQuiet
        last = isTerminal ? nil : .now
    }

    /// Shows the share of the work that is done, ten times a second at most.
    func show(_ done: Int, of all: Int) {
        let share = all == 0 ? 1 : Double(done) / Double(all)
        show(bar: Self.text(share), line: "\(Int(share * 100)) %")
    }

    /// Shows the amount of work that is done, such as `2000 devices`, if nobody knows how much there is.
    func show(_ done: String) { show(bar: done, line: done) }

    /// Shows a step of unknown length, such as `checking`, at once. Off a terminal, short work stays silent.
    func show(step: String) {
        guard !isQuiet, isTerminal || hasPrinted else { return }
        draw(bar: step, line: step)
    }

    /// Shows text: as a bar on a terminal, as a line elsewhere.
    func show(bar: @autoclosure () -> String, line: @autoclosure () -> String) {
        let pause: Duration = isTerminal ? .milliseconds(100) : .seconds(5)
        guard !isQuiet, last.map({ .now - $0 >= pause }) ?? true else { return }
        draw(bar: bar(), line: line())
    }

    private func draw(bar: String, line: String) {
        last = .now
        hasPrinted = true
        guard isTerminal else { return printNote(line) }
        isDrawn = true
        printBar("\r\u{1B}[K" + bar)
    }

    /// Removes the bar from the terminal, until it is shown again.
    func clear() {
        guard isDrawn else { return }
        isDrawn = false
        last = nil
        printBar("\r\u{1B}[K")
    }

    /// `[###...] 50 %`, for a share from 0 to 1.
    static func text(_ share: Double) -> String {
        let filled = Int(share * 30)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled)
        return "[\(bar)] \(Int(share * 100)) %"
    }
}

extension ProgressBar {
    /// Shows the progress of concurrent work from a task of its own, so that the work does not wait for the terminal. `done` returns the part
    /// of the work that is done, as a number up to `all`.
    static func follow<Result: Sendable>(
        isQuiet: Bool,
        of all: Int,
        done: @escaping @Sendable () -> Int,
        _ work: () async throws -> Result
    ) async rethrows -> Result {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if !isQuiet {
                group.addTask {
                    let bar = ProgressBar(isQuiet: false)
                    defer { bar.clear() }
                    // Once at least, also for work that ends at once.
                    repeat {
                        bar.show(done(), of: all)
                        try? await Task.sleep(for: .milliseconds(100))
                    } while !Task.isCancelled
                }
            }
            let result = try await work()
            group.cancelAll()
            return result
        }
    }
}

/// The time that rows of a file took, and the number of rows a second.
struct Pace {
    let seconds: Double
    let rate: Int

    init(of rows: Int, since start: ContinuousClock.Instant) {
        let time = max((ContinuousClock.now - start) / .seconds(1), 0.001)
        seconds = (time * 1000).rounded() / 1000
        rate = Int(Double(rows) / time)
    }

    /// Adds both to a result in JSON.
    func add(to object: inout JSONMembers) {
        object["seconds"] = JSONValue.double(seconds)
        object["rows_per_second"] = rate
    }

    var text: String { "That took \(seconds) seconds: \(rate) rows a second." }
}
