extension String {
    /// The text of a URL without its user and password, for messages and answers; any other text as it is.
    ///
    /// The text need not be a URL that can be read: a message about one that cannot has its password, too.
    package var withoutURLUser: String {
        guard let scheme = firstRange(of: "://") else { return self }
        let rest = self[scheme.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        // A password that is not encoded may have such a character: the authority then ends in something else than a port.
        let port = authority.lastIndex(of: ":").map { authority[authority.index(after: $0)...] } ?? ""
        let isCut = !port.utf8.allSatisfy(\.isDigit)
        guard let at = authority.lastIndex(of: "@") ?? (isCut ? rest.lastIndex(of: "@") : nil) else { return self }
        return String(self[..<scheme.upperBound] + rest[rest.index(after: at)...])
    }
}
