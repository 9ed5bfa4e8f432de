import PushModel

/// The attributes of an app's devices that its segments name, each as a column of the values that they name: a device with another value
/// counts as one without.
///
/// An app without such segments takes no memory, and its devices cost nothing. Columns stay until the next start.
struct AttributeColumns: Sendable {
    private var columns: [String: NameColumn] = [:]
    private var wanted: [String: Set<String>] = [:]
    /// The values of which the devices of the store are known.
    private var read: [String: Set<String>] = [:]

    /// Adds the values that segments name; from now on each change of a device is noted for them.
    ///
    /// - Returns: the values for which the devices of the store have to be read; nil if all are known.
    mutating func want(_ segments: [Segment]) -> [String: Set<String>]? {
        for segment in segments { wanted.merge(segment.attributes) { $0.union($1) } }
        return wanted == read ? nil : wanted
    }

    /// Notes that the devices of the store were read for values that ``want(_:)`` has returned.
    mutating func noteRead(_ values: [String: Set<String>]) { read.merge(values) { $0.union($1) } }

    /// Sets the attributes of a device.
    mutating func set(_ place: Int, _ attributes: [String: String]) {
        guard !wanted.isEmpty else { return }
        for (name, values) in wanted {
            let value = attributes[name].flatMap { values.contains($0) ? $0 : nil }
            columns[name, default: NameColumn()].set(place, value)
        }
    }

    subscript(name: String) -> NameColumn { columns[name] ?? NameColumn() }
}
