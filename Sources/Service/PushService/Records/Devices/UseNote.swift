package import PushModel

/// A note that devices were active, stored together with the change that shows it.
package struct UseNote: Hashable, Sendable {
    package var measures: [UseMeasure]
    /// The current periods by name.
    package var times: [ReportUnit: String]

    package init(measures: [UseMeasure], times: [ReportUnit: String]) {
        self.measures = measures
        self.times = times
    }
}
