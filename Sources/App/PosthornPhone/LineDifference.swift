/// The difference between two texts, by lines.
package enum LineDifference {
    /// Compares two texts.
    ///
    /// - Parameters:
    ///   - text: the new text.
    ///   - earlier: the one that was expected.
    /// - Returns: the lines that differ, `-` before those of the earlier one and `+` before those of the new one.
    package static func text(of text: String, from earlier: String) -> String {
        let (old, new) = (earlier.lines, text.lines)
        let changes = new.difference(from: old)
        let removed = Set(changes.removals.map(\.place)), inserted = Set(changes.insertions.map(\.place))
        var text: [String] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if left < old.count, removed.contains(left) {
                text.append("- \(old[left])")
                left += 1
            } else if right < new.count, inserted.contains(right) {
                text.append("+ \(new[right])")
                right += 1
            } else {
                left += 1
                right += 1
            }
        }
        return text.joined(separator: "\n")
    }
}

extension String {
    fileprivate var lines: [String] { split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}

extension CollectionDifference.Change {
    fileprivate var place: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
