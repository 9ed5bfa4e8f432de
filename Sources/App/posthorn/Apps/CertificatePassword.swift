import ArgumentParser
import Foundation

/// The password of a certificate's file.
struct CertificatePassword: ParsableArguments {
    @Option(help: "Path of a file with the password of --p12 or of the key.")
    var passwordFile: String?

    /// Reads the password from the file, from the environment, or from the person at the terminal.
    ///
    /// - Parameter isLocked: whether to ask for one.
    /// - Returns: the password; nil if there is none.
    /// - Throws: if the file cannot be read.
    func password(isLocked: Bool) throws -> String? {
        if let passwordFile {
            return try readText(passwordFile, "--password-file").trimmingCharacters(in: .newlines)
        }
        if let password = ProcessInfo.processInfo.environment["POSTHORN_PASSWORD"] { return password }
        return isLocked ? PasswordPrompt.ask("Password of the certificate: ") : nil
    }
}
