import ArgumentParser
import PushModel

/// A word in the place of a command that is none, also after `help`.
struct UnknownCommand {
    private let word: String
    /// The command before it, such as `posthorn device`.
    private let place: String
    /// The most similar command there; nil if none is similar.
    private let nearest: String?

    /// Finds the first one; nil if there is none.
    init?(in words: [String], of root: any ParsableCommand.Type) {
        var command = root
        var place = root._commandName
        for word in words.first == "help" ? words.dropFirst() : words[...] {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, !word.hasPrefix("-") else { return nil }
            if let next = commands.first(where: { $0._commandName == word || $0.configuration.aliases.contains(word) })
            {
                command = next
                place += " " + word
                continue
            }
            let nearest = NameDistance.nearest(to: word, in: commands.lazy.map { $0._commandName })
            self.word = word
            self.place = place
            self.nearest = nearest.flatMap { $0.edits <= max(1, word.count / 3) ? $0.name : nil }
            return
        }
        return nil
    }

    var message: String {
        "Error: '\(word.printed)' is not a command of '\(place)'." + (nearest.map { " Did you mean '\($0)'?" } ?? "")
            + "\n  See '\(place) --help' for more information."
    }
}
