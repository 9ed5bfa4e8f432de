import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Asks for a password at the terminal, without showing it.
enum PasswordPrompt {
    /// - Returns: the password; nil if standard input is not a terminal.
    static func ask(_ question: String) -> String? {
        var settings = termios()
        guard isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        let usual = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        defer {
            var usual = usual
            _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &usual)
            printNote("")
        }
        printBar(question)
        return readLine()
    }
}
