/// A local date and time, without a zone.
package struct WallTime: Hashable, Sendable, Comparable, CustomStringConvertible {
    package var year: Int
    package var month: Int
    package var day: Int
    /// Seconds since midnight in local time.
    package var secondOfDay: Int

    /// Parses `YYYY-MM-DD HH:MM:SS`, each number with all its digits; nil for anything else, or a day that does not exist.
    package init?(_ text: String) {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 2, let seconds = Self.secondOfDay(parts[1]),
            let numbers = Self.numbers(parts[0], separator: "-", digits: [4, 2, 2]),
            numbers[0] > 0, (1...12).contains(numbers[1]),
            (1...Self.daysInMonth(numbers[1], of: numbers[0])).contains(numbers[2])
        else { return nil }
        year = numbers[0]
        month = numbers[1]
        day = numbers[2]
        secondOfDay = seconds
    }

    /// Parses `HH:MM:SS` as seconds since midnight; nil for anything else.
    package static func secondOfDay(_ text: some StringProtocol) -> Int? {
        guard let numbers = numbers(text, separator: ":", digits: [2, 2, 2]), numbers[0] < 24, numbers[1] < 60,
            numbers[2] < 60
        else { return nil }
        return (numbers[0] * 60 + numbers[1]) * 60 + numbers[2]
    }

    /// Returns `HH:MM:SS`.
    package static func text(_ secondOfDay: Int) -> String {
        [secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60].map { digits($0, 2) }.joined(separator: ":")
    }

    /// The form `YYYY-MM-DD HH:MM:SS`.
    package var description: String {
        "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(day, 2)) \(Self.text(secondOfDay))"
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }

    /// The same date and time in the next year; 29 February becomes 1 March.
    package var yearLater: WallTime {
        var later = self
        later.year += 1
        if day > Self.daysInMonth(month, of: later.year) {
            later.month = 3
            later.day = 1
        }
        return later
    }

    package static func < (left: Self, right: Self) -> Bool {
        (left.year, left.month, left.day, left.secondOfDay) < (right.year, right.month, right.day, right.secondOfDay)
    }

    static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func numbers(_ text: some StringProtocol, separator: Character, digits: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == digits else { return nil }
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy(\.isDigit) ? Int(part) : nil
        }
        return numbers.count == digits.count ? numbers : nil
    }
}
