import Foundation
import UIKit

/// A line for each callback, as the app saw it: what the screens, the demo and the tests show.
@MainActor
public final class CallbackLog {
    /// The last lines are kept.
    public static let limit = 1000

    public struct Line: Hashable, Sendable, CustomStringConvertible {
        /// The method, in Apple's or JPush's spelling, or what else happened.
        public var name: String
        /// `active`, `inactive` or `background`.
        public var state: String
        /// What came with it.
        public var detail: String

        public init(name: String, state: String, detail: String) {
            self.name = name
            self.state = state
            self.detail = detail
        }

        /// Always one line: what a push brings could otherwise forge another.
        public var description: String {
            detail.isEmpty ? "\(name) [\(state)]" : "\(name) [\(state)] \(detail.withoutControls)"
        }
    }

    /// Oldest first.
    public private(set) var lines: [Line] = []
    /// Called with each new line.
    public var onLine: ((Line) -> Void)?
    private let echo: (@Sendable (String) -> Void)?

    init(echo: (@Sendable (String) -> Void)? = nil) { self.echo = echo }

    func add(_ name: String, _ detail: String = "") {
        let state =
            switch UIApplication.shared.applicationState {
            case .active: "active"
            case .inactive: "inactive"
            case .background: "background"
            }
        let line = Line(name: name, state: state, detail: detail)
        if lines.count == Self.limit { lines.removeFirst() }
        lines.append(line)
        echo?(line.description)
        onLine?(line)
    }
}

extension String {
    /// With `\n` and `\u{1B}` written out, as all that ends a line or gives orders to a terminal.
    fileprivate var withoutControls: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: text += scalar.escaped(asASCII: true)
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
