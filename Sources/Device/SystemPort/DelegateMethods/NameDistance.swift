/// A measure for names that were meant to be the same.
package enum NameDistance {
    /// - Returns: whether a method's name is probably a misspelling of the other: up to three letters differ, or a label has a
    ///   longer form, as in Objective-C.
    static func areNear(_ first: String, _ second: String) -> Bool {
        let labels = (first.split(separator: ":"), second.split(separator: ":"))
        guard labels.0.count == labels.1.count else { return false }
        let areForms = zip(labels.0, labels.1).allSatisfy { isForm($0, of: $1) || isForm($1, of: $0) }
        return areForms || edits(from: first, to: second) <= 3
    }

    private static func isForm(_ long: Substring, of short: Substring) -> Bool {
        long == short || short.count >= 8 && long.hasPrefix(short)
    }

    /// Returns the number of letters to insert, remove, replace or swap with their neighbour, without regard to case.
    package static func edits(from first: String, to second: String) -> Int {
        let (first, second) = (Array(first.lowercased().utf8), Array(second.lowercased().utf8))
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
