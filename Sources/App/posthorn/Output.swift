import Foundation

/// Writes a line to standard output at once, also into a pipe.
func printLine(_ text: String) {
    FileHandle.standardOutput.write(Data((text + "\n").utf8))
}

/// Writes a line to standard error.
func printNote(_ text: String) {
    FileHandle.standardError.write(Data((text + "\n").utf8))
}
