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
        let pause: Duration = isTerminal ? .milliseconds(100) : .seconds(5)
        let now = ContinuousClock.now
        guard !isQuiet, last.map({ now - $0 >= pause }) ?? isTerminal else {
            last = last ?? now
            return
        }
        last = now
        let share = all == 0 ? 1 : Double(done) / Double(all)
        guard isTerminal else { return printNote("\(Int(share * 100)) %") }
        isDrawn = true
        printBar("\r\u{1B}[K" + Self.text(share))
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
