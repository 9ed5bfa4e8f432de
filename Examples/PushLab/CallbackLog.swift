import Foundation
import UIKit

/// A log line for each callback, as the app received it: shown by the screens, the demo and the tests.
@MainActor
public final class CallbackLog {
    /// The number of lines to keep.
    public static let limit = 1000

    public struct Line: Hashable, Sendable, CustomStringConvertible {
        /// The method, in Apple's or JPush's spelling, or another event.
        public var name: String
        /// The app's state: `active`, `inactive` or `background`.
        public var state: String
        /// The details of the event.
        public var detail: String

        public init(name: String, state: String, detail: String) {
            self.name = name
            self.state = state
            self.detail = detail
        }

        /// Always a single line: otherwise the contents of a push could forge another.
        public var description: String {
            detail.isEmpty ? "\(name) [\(state)]" : "\(name) [\(state)] \(detail.withoutControls)"
        }
    }

    /// The lines, oldest first.
    public private(set) var lines: [Line] = []
    /// Called with each new line.
    public var onLine: ((Line) -> Void)?
    /// The recording for a comparison with the callback matrix.
    public let recorder: CalibrationRecorder
    private let echo: (@Sendable (String) -> Void)?

    init(in folder: URL, echo: (@Sendable (String) -> Void)? = nil) {
        recorder = CalibrationRecorder(in: folder)
        self.echo = echo
    }

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
        recorder.add(callback: name, in: state)
        echo?(line.description)
        onLine?(line)
    }
}

extension Data {
    /// The bytes of a token as hexadecimal digits.
    var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }
}

extension String {
    /// The text with control characters escaped (`\n`, `\u{1B}`), as they could end the line or control a terminal.
    fileprivate var withoutControls: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: text += scalar.escaped(asASCII: true)
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
