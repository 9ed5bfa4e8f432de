public import Foundation

/// A trigger in text form: `weekday=2 hour=8`, or `interval=3600`.
///
/// Terms are separated by spaces or commas; each is Apple's name of a component, an equals sign and a whole number. `interval`
/// takes seconds and must be the only term.
public enum TriggerText: Hashable, Sendable {
    /// At the next date that matches the components.
    case calendar(DateComponents)
    /// After an interval.
    case interval(RepeatingInterval)

    /// The reason why a text is not a trigger, as a sentence.
    public struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
        /// The component, or the whole term if it names none.
        public var component: String
        /// The value that was found.
        public var found: String
        /// The value that was expected.
        public var expected: String

        public var description: String { "'\(component)' is '\(found)'; expected \(expected)." }
    }

    /// Parses a trigger such as `weekday=2 hour=8`.
    ///
    /// - Throws: ``Problem`` for an unknown component, a number out of range, a repeated component, or an empty text.
    public init(parsing text: String, repeats: Bool) throws(Problem) {
        let words = text.split { $0 == " " || $0 == "," || $0.isNewline }
        var components = DateComponents()
        for word in words {
            let (name, value) = try Self.parts(of: word)
            if name == "interval" {
                guard words.count == 1 else {
                    throw Problem(component: name, found: text, expected: "nothing beside it")
                }
                self = .interval(try Self.interval(value, repeats: repeats))
                return
            }
            try Self.add(name, value, to: &components)
        }
        guard !words.isEmpty else {
            throw Problem(component: "trigger", found: text, expected: "components such as 'weekday=2 hour=8'")
        }
        self = .calendar(components)
    }

    private static func parts(of word: Substring) throws(Problem) -> (name: String, value: String) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw Problem(component: String(word), found: String(word), expected: "a name, '=' and a number")
        }
        return (String(parts[0]), String(parts[1]))
    }

    private static func add(_ name: String, _ value: String, to components: inout DateComponents) throws(Problem) {
        guard let component = CalendarComponent(rawValue: name) else {
            let names = CalendarComponent.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem(component: name, found: value, expected: "one of the components \(names), or interval")
        }
        guard component.value(in: components) == nil else {
            throw Problem(component: name, found: value, expected: "each component once")
        }
        guard let number = Int(value), component.range.contains(number) else {
            throw Problem(component: name, found: value, expected: "a whole number, \(component.rangeText)")
        }
        component.set(number, in: &components)
    }

    private static func interval(_ value: String, repeats: Bool) throws(Problem) -> RepeatingInterval {
        guard let seconds = Double(value), seconds.isFinite else {
            throw Problem(component: "interval", found: value, expected: "seconds, a number greater than 0")
        }
        let expected: String
        do {
            return try RepeatingInterval(seconds: seconds, repeats: repeats)
        } catch {
            switch error {
            case .notPositive: expected = "seconds greater than 0"
            case .tooShortToRepeat: expected = "at least 60 seconds if it repeats"
            }
        }
        throw Problem(component: "interval", found: value, expected: expected)
    }
}
