import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A bar for long work: drawn on a terminal, plain lines elsewhere.
final class ProgressBar {
    private let isQuiet: Bool
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var last: ContinuousClock.Instant?
    private var isDrawn = false

    /// * `isQuiet`: whether to show nothing.
    init(isQuiet: Bool) { self.isQuiet = isQuiet }

    /// Shows the share of the work that is done, ten times a second at most.
    func show(_ done: Int, of all: Int) {
        let share = all == 0 ? 1 : Double(done) / Double(all)
        show(bar: Self.text(share), line: "\(Int(share * 100)) %")
    }

    /// Shows the amount of work that is done, such as `2000 devices`, if nobody knows how much there is.
    func show(_ done: String) { show(bar: done, line: done) }

    private func show(bar: String, line: String) {
        let pause: Duration = isTerminal ? .milliseconds(100) : .seconds(5)
        let now = ContinuousClock.now
        guard !isQuiet, last.map({ now - $0 >= pause }) ?? isTerminal else {
            last = last ?? now
            return
        }
        last = now
        guard isTerminal else { return printNote(line) }
        isDrawn = true
        printBar("\r\u{1B}[K" + bar)
    }

    /// Removes the bar from the terminal.
    func clear() {
        guard isDrawn else { return }
        isDrawn = false
        printBar("\r\u{1B}[K")
    }

    /// `[###...] 50 %`, for a share from 0 to 1.
    static func text(_ share: Double) -> String {
        let filled = Int(share * 30)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 30 - filled)
        return "[\(bar)] \(Int(share * 100)) %"
    }
}
