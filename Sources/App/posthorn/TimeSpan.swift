/// A time as options take it: a number with s, m, h or d, such as `24h`.
enum TimeSpan {
    private static let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]

    /// Returns the seconds; nil for another text, and for a time that is too long to be counted.
    static func seconds(_ text: some StringProtocol) -> Int? {
        guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()), number >= 0 else {
            return nil
        }
        let (seconds, isTooLong) = number.multipliedReportingOverflow(by: unit)
        return isTooLong ? nil : seconds
    }
}
