/// A measure for names that were meant to be the same.
package enum NameDistance {
    /// Returns the most similar of some names, with the number of edits to it; nil if there are none.
    package static func nearest(to word: String, in names: some Sequence<String>) -> (name: String, edits: Int)? {
        names.map { (name: $0, edits: edits(from: word, to: $0)) }.min { $0.edits < $1.edits }
    }

    /// Returns the number of letters to insert, remove, replace or swap with their neighbour, without regard to case.
    package static func edits(from first: String, to second: String) -> Int {
        let first = Array(first.lowercased().utf8)
        let second = Array(second.lowercased().utf8)
        var rows = [Array(0...second.count)]
        for (index, letter) in first.enumerated() {
            var row = [index + 1]
            for (place, wanted) in second.enumerated() {
                let replaced = rows[index][place] + (letter == wanted ? 0 : 1)
                var best = min(replaced, rows[index][place + 1] + 1, row[place] + 1)
                if index > 0, place > 0, letter == second[place - 1], first[index - 1] == wanted {
                    best = min(best, rows[index - 1][place - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[first.count][second.count]
    }
}
