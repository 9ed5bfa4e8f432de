/// A measure for names that were meant to be the same.
enum NameDistance {
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

    /// The letters to insert, remove or replace, without regard to case. Source: Wagner and Fischer.
    static func edits(from first: String, to second: String) -> Int {
        let (first, second) = (Array(first.lowercased().utf8), Array(second.lowercased().utf8))
        var row = Array(0...second.count)
        for (place, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = place + 1
            for (other, wanted) in second.enumerated() {
                let replaced = diagonal + (letter == wanted ? 0 : 1)
                diagonal = row[other + 1]
                row[other + 1] = min(replaced, row[other] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}
