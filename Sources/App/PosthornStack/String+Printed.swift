extension String {
    /// The text escaped for one line of output: `\n` and `\u{1B}` are written out.
    ///
    /// Otherwise the content of a payload could end the line and forge another one, or send control sequences to the terminal.
    package var printed: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: text += scalar.escaped(asASCII: true)
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
