import ArgumentParser
import Foundation

/// The terminal's settings before the prompt. Unsafe: a signal handler reads them, and they are set before it is installed.
private nonisolated(unsafe) var usualSettings = termios()

/// Asks for a password at the terminal, without showing it.
enum PasswordPrompt {
    /// The password in the environment, without a line end; nil if it is empty. Blanks belong to it, as in a file.
    static var variable: String? {
        let text = ProcessInfo.processInfo.environment["POSTHORN_PASSWORD"]?.trimmingCharacters(in: .newlines)
        return text?.isEmpty == true ? nil : text
    }

    /// Reads the password in the file of `--password-file`, if it is given.
    static func password(in file: String?) throws -> String? {
        guard let file else { return nil }
        let bytes = try readBytes(file, "--password-file")
        // Windows PowerShell writes text in UTF-16.
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        let wide = isUTF16 ? String(bytes: bytes, encoding: .utf16) : nil
        return try (wide ?? readText(file, "--password-file")).trimmingCharacters(in: .newlines)
    }

    /// - Returns: the password; nil if standard input is not a terminal.
    static func ask(_ question: String) -> String? {
        guard isatty(STDIN_FILENO) == 1, unsafe tcgetattr(STDIN_FILENO, &usualSettings) == 0 else { return nil }
        // The shell would keep hiding what is typed.
        let replaced = EndingSignal.handle { number in
            _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &usualSettings)
            raise(number)
        }
        var hiding = unsafe usualSettings
        hiding.c_lflag &= ~tcflag_t(ECHO)
        _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &hiding)
        defer {
            _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &usualSettings)
            for (number, former) in replaced {
                var action = former
                _ = unsafe sigaction(number, &action, nil)
            }
            printNote("")
        }
        printBar(question)
        return readLine()
    }
}

/// The password of a certificate's file.
struct CertificatePassword: ParsableArguments {
    @Option(help: "Path of a file with the password of --p12 or of the key.") var passwordFile: String?

    /// Reads the password from the file, from the environment, or from the person at the terminal.
    ///
    /// - Parameter isLocked: whether to ask for one.
    /// - Returns: the password; nil if there is none.
    /// - Throws: if the file cannot be read.
    func password(isLocked: Bool) throws -> String? {
        try PasswordPrompt.password(in: passwordFile) ?? PasswordPrompt.variable
            ?? (isLocked ? PasswordPrompt.ask("Password of the certificate: ") : nil)
    }
}

/// The password of a user.
struct UserPassword: ParsableArguments {
    @Option(help: "Path of a file with the password.") var passwordFile: String?

    /// Reads the password from the file; if one is needed, also from the environment or from the person at the terminal.
    ///
    /// - Parameter isNeeded: whether there must be one. If not, the variable of other commands changes no password.
    /// - Returns: the password; nil if there is none.
    /// - Throws: if the file cannot be read.
    func read(isNeeded: Bool) throws -> String? {
        try PasswordPrompt.password(in: passwordFile)
            ?? (isNeeded ? PasswordPrompt.variable ?? PasswordPrompt.ask("Password of the user: ") : nil)
    }
}

/// The password option of a `.p12`.
struct PasswordOptions: ParsableArguments {
    @Option(
        help: "The password of the .p12 (or POSTHORN_PASSWORD, which the process list does not show); may be empty."
    )
    var password: String?

    /// The password; nil if none is given.
    var value: String? { password ?? PasswordPrompt.variable }

    /// - Throws: when no password is given; an empty one asks for a bundle without password.
    func required() throws -> String {
        guard let value else {
            throw ValidationError("--p12 needs a --password, or POSTHORN_PASSWORD; --password '' means none.")
        }
        return value
    }
}
