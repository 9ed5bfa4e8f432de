extension String {
    /// As it may stand in a line that a person reads: `\n` and `\u{1B}` are written out.
    ///
    /// What a payload holds could otherwise end the line and begin one of its own, or give orders to the terminal.
    package var printed: String {
        unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: text += scalar.escaped(asASCII: true)
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
