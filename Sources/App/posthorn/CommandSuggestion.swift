import ArgumentParser

/// Finds the command that a mistyped word was meant to be.
enum CommandSuggestion {
    /// Returns the most similar name of a subcommand; nil if no word is mistyped, or none is similar.
    static func suggestion(for words: [String], in root: any ParsableCommand.Type) -> String? {
        var command = root
        for word in words {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-") else { return nil }
            if let next = commands.first(where: { $0._commandName == word }) {
                command = next
                continue
            }
            let names = commands.map { $0._commandName }
            let nearest = names.map { (name: $0, distance: distance(word, $0)) }.min { $0.distance < $1.distance }
            guard let nearest, nearest.distance <= max(1, word.count / 3) else { return nil }
            return nearest.name
        }
        return nil
    }

    /// Returns the number of letters to insert, remove, replace or swap with their neighbour.
    static func distance(_ one: String, _ other: String) -> Int {
        let (first, second) = (Array(one), Array(other))
        var rows = [Array(0...second.count)]
        for (index, letter) in first.enumerated() {
            var row = [index + 1]
            for (place, candidate) in second.enumerated() {
                let replaced = rows[index][place] + (letter == candidate ? 0 : 1)
                var best = min(replaced, rows[index][place + 1] + 1, row[place] + 1)
                if index > 0, place > 0, letter == second[place - 1], first[index - 1] == candidate {
                    best = min(best, rows[index - 1][place - 1] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[first.count][second.count]
    }
}
