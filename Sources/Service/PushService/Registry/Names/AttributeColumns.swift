import PushModel

/// The attributes of an app's devices that its segments name, each as a column of the values that they name: a device with another value
/// counts as one without.
///
/// An app without such segments takes no memory, and its devices cost nothing. A value that no segment names any more is dropped.
struct AttributeColumns: Sendable {
    /// The number of somebody who needs values that no segment of the app names yet, or no more.
    typealias Claim = Int

    private var columns: [String: NameColumn] = [:]
    private var wanted: [String: Set<ExactText>] = [:]
    /// The values of which the devices of the store are known.
    private var read: [String: Set<ExactText>] = [:]
    private var claims: [Claim: [Segment]] = [:]
    private var lastClaim: Claim = 0

    /// Adds the values that segments name; from now on each change of a device is noted for them.
    ///
    /// - Returns: the values for which the devices of the store have to be read; nil if all are known.
    mutating func want(_ segments: [Segment]) -> [String: Set<ExactText>]? {
        wanted.add(segments)
        var own: [String: Set<ExactText>] = [:]
        own.add(segments)
        let isRead = own.allSatisfy { name, values in read[name]?.isSuperset(of: values) ?? false }
        return isRead ? nil : own
    }

    /// Keeps the values that segments name until the claim is released.
    mutating func claim(_ segments: [Segment]) -> Claim {
        lastClaim += 1
        claims[lastClaim] = segments
        return lastClaim
    }

    mutating func release(_ claim: Claim) { claims[claim] = nil }

    /// Drops the values that neither these segments nor claims name.
    mutating func keep(_ segments: [Segment]) {
        var kept: [String: Set<ExactText>] = [:]
        kept.add(segments)
        for claimed in claims.values { kept.add(claimed) }
        guard kept != wanted else { return }
        wanted = kept
        for (name, values) in read {
            let rest = kept[name].map { values.intersection($0) } ?? []
            read[name] = rest.isEmpty ? nil : rest
        }
        for name in Array(columns.keys) {
            if let values = kept[name] {
                columns[name]?.remove { !values.contains(ExactText($0)) }
            } else {
                columns[name] = nil
            }
        }
    }

    /// Notes that the devices of the store were read for values that ``want(_:)`` has returned, and that were not dropped since.
    mutating func noteRead(_ values: [String: Set<ExactText>]) { read.merge(values) { $0.union($1) } }

    /// Sets the attributes of a device.
    mutating func set(_ place: Int, _ attributes: [String: String]) {
        guard !wanted.isEmpty else { return }
        for (name, values) in wanted {
            let value = attributes[name].flatMap { values.contains(ExactText($0)) ? $0 : nil }
            columns[name, default: NameColumn()].set(place, value)
        }
    }

    subscript(name: String) -> NameColumn { columns[name] ?? NameColumn() }
}

extension [String: Set<ExactText>] {
    fileprivate mutating func add(_ segments: [Segment]) {
        for segment in segments { merge(segment.attributes) { $0.union($1) } }
    }
}
