extension CalendarRule.Advice: CustomStringConvertible {
    /// The advice as a sentence.
    public var description: String {
        switch self {
        case .empty: "It never fires: no component is set."
        case .outOfRange(let component, let found):
            "It never fires: '\(component.rawValue)' is \(found); expected \(component.rangeText)."
        case .never: "It never fires: the components do not meet after this date."
        case .yearly(let components):
            """
            It fires once a year only, at the first moment that matches, because '\(components[0].rawValue)' is given beside \
            \(Self.list(components.dropFirst())). Leave '\(components[0].rawValue)' out if that is too seldom.
            """
        case .onlyInYear(let year): "It repeats in \(year) only."
        case .missingDay(let day): "Where a month has no day \(day), it fires as the next month begins."
        }
    }

    private static func list(_ components: some Collection<CalendarComponent>) -> String {
        components.map { "'\($0.rawValue)'" }.joined(separator: " and ")
    }
}
