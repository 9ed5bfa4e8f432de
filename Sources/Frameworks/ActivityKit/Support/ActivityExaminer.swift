import SystemPort

/// Examines whether values of a push fit a type of an app.
struct ActivityExaminer<Attributes: ActivityAttributes> {
    func problem(with values: LiveActivityValues) -> String? {
        ActivityCoding.problem(with: values.attributes, as: Attributes.self, at: "attributes")
            ?? ActivityCoding.problem(with: values.state, as: Attributes.ContentState.self, at: "content-state")
    }
}
