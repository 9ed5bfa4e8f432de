package import PushModel

/// The users of an app by period, as the API shows them.
package struct UsersAnswer: Codable, Sendable {
    package struct Item: Codable, Sendable {
        package let time: String
        /// The counts; nil if there are none.
        package let ios: Counts?
    }

    package struct Counts: Codable, Sendable {
        package let new: Int
        package let online: Int
        package let active: Int
    }

    package let timeUnit: ReportUnit
    package let start: String
    package let duration: Int
    package let items: [Item]

    package init(_ query: UsersQuery, _ uses: [String: [UseMeasure: Int]]) {
        timeUnit = query.unit
        start = query.start
        duration = query.duration
        items = query.times.map { time in
            let counts = uses[time].flatMap { $0.isEmpty ? nil : $0 }
            return Item(
                time: time,
                ios: counts.map { Counts(new: $0[.new] ?? 0, online: $0[.online] ?? 0, active: $0[.active] ?? 0) }
            )
        }
    }
}
