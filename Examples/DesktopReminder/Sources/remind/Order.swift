/// An order on the command line.
enum Order: Equatable {
    /// Reminds after a number of seconds, with the path of a picture if there is one.
    case remind(after: Double, title: String, body: String, picture: String?)
    case list
    case cancel([String])
    /// Handles the answer to a notification: the desktop starts the program without arguments.
    case answer

    static let usage = """
        usage: remind TIME TITLE [TEXT [PICTURE]]    reminds after a time such as 90s, 10m or 2h
               remind list                           prints the reminders to come
               remind cancel ID ...                  removes reminders
        """

    /// Reads the arguments of the program; nil if they are no order.
    init?(_ words: [String]) {
        switch words.first {
        case nil: self = .answer
        case "list" where words.count == 1: self = .list
        case "cancel" where words.count > 1: self = .cancel(Array(words.dropFirst()))
        default:
            guard (2...4).contains(words.count), let seconds = Self.seconds(words[0]) else { return nil }
            let (body, picture) = (words.count > 2 ? words[2] : "", words.count > 3 ? words[3] : nil)
            self = .remind(after: seconds, title: words[1], body: body, picture: picture)
        }
    }

    /// Reads a time such as `10m`; nil for anything else, and for no time at all.
    static func seconds(_ text: String) -> Double? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
        guard let unit = text.last.flatMap({ units[$0] }), let count = Double(text.dropLast()), count > 0 else {
            return nil
        }
        return count * unit
    }
}
