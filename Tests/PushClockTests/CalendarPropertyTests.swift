import Foundation
import PushClock
import TestSupport
import Testing

/// One question to a rule.
private struct Question: CustomTestStringConvertible {
    var components: DateComponents
    var start: Date
    var zone: TimeZone

    var testDescription: String { "\(zone.identifier), after \(text(start, in: zone)): \(components)" }
}

@Suite("Calendar rule: properties")
struct CalendarPropertyTests {
    private static let zones = [
        "UTC", "America/New_York", "Europe/Berlin", "Asia/Shanghai", "Australia/Lord_Howe", "Pacific/Apia",
        "Asia/Kolkata",
        "America/Sao_Paulo", "America/Nuuk",
    ]

    /// Components that Foundation treats alike wherever a search begins; `FoundationDifferencesTests` has the others.
    private static let consistent: [[CalendarComponent]] = [
        [.hour], [.minute], [.second], [.hour, .minute], [.minute, .second], [.hour, .second],
        [.hour, .minute, .second],
        [.day], [.day, .hour], [.day, .minute], [.day, .hour, .minute], [.day, .hour, .minute, .second],
        [.month], [.month, .day], [.month, .hour], [.month, .minute], [.month, .day, .hour],
        [.month, .day, .hour, .minute],
        [.weekday], [.weekday, .hour], [.weekday, .minute], [.weekday, .hour, .minute],
        [.weekday, .hour, .minute, .second],
        [.weekdayOrdinal], [.weekdayOrdinal, .hour], [.weekOfMonth], [.weekOfMonth, .hour],
        [.weekOfYear], [.weekOfYear, .weekday], [.weekOfYear, .weekday, .hour], [.weekOfYear, .hour], [.quarter],
        [.quarter, .hour],
        [.year], [.year, .month], [.year, .month, .day], [.year, .month, .day, .hour, .minute],
        [.year, .month, .day, .hour, .minute, .second], [.yearForWeekOfYear, .weekOfYear, .weekday],
    ]

    @Test("Equals Foundation, where Foundation is one with itself", .suiteLimit, arguments: zones)
    func equalsFoundation(_ name: String) async throws {
        let zone = try zone(name)
        let seeds = rounds(5, release: 16)
        var count = 0
        for seed in 0..<seeds {
            await Task.yield()
            for set in Self.consistent {
                var random = SplitMix(seed: seed * 1_000 + set.count)
                let components = Self.components(set, in: zone, using: &random)
                let rule = CalendarRule(components, in: zone)
                var start = Self.start(in: zone, using: &random)
                for _ in 0..<3 {
                    let expected = foundationNext(components, after: start, in: zone)
                    let question = Question(components: components, start: start, zone: zone)
                    if !Self.isKnownDifference(question) {
                        let found = rule.next(after: start)
                        #expect(found == expected, "\(question.testDescription)")
                        count += 1
                    }
                    guard let expected else { break }
                    start = expected
                }
            }
        }
        #expect(count > 62 * seeds)
    }

    /// The differences that `FoundationDifferencesTests` writes down.
    private static func isKnownDifference(_ question: Question) -> Bool {
        let components = question.components
        let zone = question.zone
        let found = CalendarRule(components, in: zone).next(after: question.start)
        // A date that is past, or that there is not.
        if components.year != nil, found == nil || components.day ?? 1 > 28 { return true }
        guard components.hour != nil else { return false }
        // Asked within an hour that the clocks show twice, or shortly after they jumped.
        let near = stride(from: -7_200.0, through: 1_800, by: 1_800).map { question.start.addingTimeInterval($0) }
        if Set(near.map(zone.secondsFromGMT)).count > 1 { return true }
        switch zone.identifier {
        case "Pacific/Apia": return components.weekOfYear != nil
        case "America/Sao_Paulo": return components.hour == 0
        case "Australia/Lord_Howe", "America/Nuuk":
            // The missing time is a part of its hour, or runs up to midnight.
            guard let found else { return false }
            return zone.secondsFromGMT(for: found) != zone.secondsFromGMT(for: found.addingTimeInterval(-1))
        default: return false
        }
    }

    @Test("Each firing is the next: nothing between two firings fires", arguments: zones)
    func firingsAreTheNext(_ name: String) async throws {
        let zone = try zone(name)
        for seed in 0..<rounds(500, release: 2_000) {
            await Task.yield()
            var random = SplitMix(seed: seed)
            let set = CalendarComponent.allCases.filter { $0 != .era && Int.random(in: 0..<4, using: &random) == 0 }
            let rule = CalendarRule(Self.components(set, in: zone, using: &random), in: zone)
            let start = Self.start(in: zone, using: &random)
            guard let next = rule.next(after: start) else { continue }
            #expect(next > start)
            let between = start.addingTimeInterval(
                next.timeIntervalSince(start) * Double.random(in: 0..<1, using: &random)
            )
            #expect(
                rule.next(after: between) == next,
                "\(rule.components) \(text(start, in: zone)) \(text(between, in: zone))"
            )
        }
    }

    @Test("Day and week components all match, and no earlier day does")
    func daysByExhaustion() async throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let units: [CalendarComponent] = [.weekday, .weekdayOrdinal, .weekOfMonth, .weekOfYear]
        for seed in 0..<rounds(40, release: 120) {
            await Task.yield()
            var random = SplitMix(seed: seed)
            var components = Self.components(
                units.filter { _ in Bool.random(using: &random) },
                in: .gmt,
                using: &random
            )
            components.hour = 0
            let start = try date("2026-01-01T00:00:00Z").addingTimeInterval(Double(seed) * 86_400)
            let byHand = (1...800).lazy.map { start.addingTimeInterval(Double($0) * 86_400) }
                .first { calendar.date($0, matchesComponents: components) }
            let found = CalendarRule(components, in: calendar).next(after: start)
            if let byHand { #expect(found == byHand, "\(components)") }
            if let found, byHand == nil { #expect(found > start.addingTimeInterval(800 * 86_400)) }
        }
    }

    // MARK: Chance

    private static func components(
        _ set: [CalendarComponent],
        in zone: TimeZone,
        using random: inout SplitMix
    ) -> DateComponents {
        var components = DateComponents()
        for component in set {
            let range: ClosedRange<Int>
            switch component {
            case .year, .yearForWeekOfYear: range = firstYear(in: zone)...(firstYear(in: zone) + 3)
            case .day: range = Bool.random(using: &random) ? 28...31 : 1...31
            case .hour: range = Bool.random(using: &random) ? 0...3 : 0...23
            case .weekOfMonth: range = 1...6
            default: range = component.range
            }
            component.set(.random(in: range, using: &random), in: &components)
        }
        return components
    }

    /// Half the time near a change of the clocks.
    private static func start(in zone: TimeZone, using random: inout SplitMix) -> Date {
        let year = Double(firstYear(in: zone) - 1_970) * 31_556_952
        let start = Date(timeIntervalSince1970: (year + .random(in: 0..<94_000_000, using: &random)).rounded())
        guard Bool.random(using: &random), let change = zone.nextDaylightSavingTimeTransition(after: start),
            change < start.addingTimeInterval(40_000_000)
        else { return start }
        return change.addingTimeInterval(Double.random(in: -100_000...20_000, using: &random).rounded())
    }

    private static func firstYear(in zone: TimeZone) -> Int {
        switch zone.identifier {
        case "Pacific/Apia": 2_011
        case "America/Sao_Paulo": 2_016
        default: 2_026
        }
    }
}
