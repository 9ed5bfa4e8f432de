import Foundation
import PushClock
import Testing

@Suite("Trigger text")
struct TriggerTextTests {
    @Test(
        "Reads components by Apple's names",
        arguments: ["weekday=2 hour=8", "weekday=2,hour=8", " hour=8  weekday=2 "]
    )
    func components(_ text: String) throws {
        #expect(try TriggerText(parsing: text, repeats: true) == .calendar(DateComponents(hour: 8, weekday: 2)))
    }

    @Test("Reads an interval")
    func interval() throws {
        let expected = try RepeatingInterval(seconds: 3_600, repeats: true)
        #expect(try TriggerText(parsing: "interval=3600", repeats: true) == .interval(expected))
    }

    @Test(
        "Names the component, what was found and what is legal",
        arguments: [
            ("weekday=8", "'weekday' is '8'; expected a whole number, 1 (Sunday) to 7 (Saturday)."),
            ("hour=24", "'hour' is '24'; expected a whole number, 0 to 23."),
            ("minute=half", "'minute' is 'half'; expected a whole number, 0 to 59."),
            ("hour", "'hour' is 'hour'; expected a name, '=' and a number."),
            ("hour=8 hour=9", "'hour' is '9'; expected each component once."),
            ("interval=59", "'interval' is '59'; expected at least 60 seconds if it repeats."),
            ("interval=0", "'interval' is '0'; expected seconds greater than 0."),
            ("interval=soon", "'interval' is 'soon'; expected seconds, a number greater than 0."),
            ("interval=60 hour=8", "'interval' is 'interval=60 hour=8'; expected nothing beside it."),
            ("", "'trigger' is ''; expected components such as 'weekday=2 hour=8'."),
        ]
    )
    func problems(_ text: String, _ sentence: String) throws {
        let problem = #expect(throws: TriggerText.Problem.self) { try TriggerText(parsing: text, repeats: true) }
        #expect(problem?.description == sentence)
    }

    @Test("An unknown component is answered with the known ones")
    func unknown() throws {
        let problem = #expect(throws: TriggerText.Problem.self) { try TriggerText(parsing: "week=2", repeats: false) }
        #expect(problem?.description.hasPrefix("'week' is '2'; expected one of the components era, year") == true)
    }
}

@Suite("Calendar rule: advice")
struct CalendarAdviceTests {
    private static let cases: [(DateComponents, [CalendarRule.Advice])] = [
        (DateComponents(hour: 8, weekday: 2), []),
        (DateComponents(month: 3, hour: 8, weekday: 2), [.yearly([.month, .weekday])]),
        (DateComponents(month: 3, day: 1), []),
        (DateComponents(month: 2, day: 29), [.missingDay(29)]),
        (DateComponents(day: 31), [.missingDay(31)]),
        (DateComponents(day: 13, weekday: 6), []),
        (DateComponents(year: 2026, hour: 8), [.onlyInYear(2026)]),
        (DateComponents(year: 2025, hour: 8), [.never]),
        (DateComponents(month: 2, day: 30, weekday: 2), [.never]),
        (DateComponents(hour: 24), [.outOfRange(.hour, found: 24)]),
        (DateComponents(), [.empty]),
    ]

    @Test("Warns of what fires yearly or never", arguments: cases)
    func advice(_ components: DateComponents, _ expected: [CalendarRule.Advice]) throws {
        let rule = CalendarRule(components, in: .gmt)
        #expect(rule.advice(after: try date("2026-01-01T00:00:00Z"), repeats: true) == expected)
    }

    @Test("The warning says what to leave out")
    func words() {
        #expect(
            CalendarRule.Advice.yearly([.month, .weekday]).description == """
                It fires once a year only, at the first moment that matches, because 'month' is given beside 'weekday'. Leave \
                'month' out if that is too seldom.
                """
        )
    }
}
