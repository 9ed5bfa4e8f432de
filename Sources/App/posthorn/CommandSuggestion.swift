import ArgumentParser
import SystemPort

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
            let nearest = names.map { (name: $0, distance: NameDistance.edits(from: word, to: $0)) }.min {
                $0.distance < $1.distance
            }
            guard let nearest, nearest.distance <= max(1, word.count / 3) else { return nil }
            return nearest.name
        }
        return nil
    }
}
