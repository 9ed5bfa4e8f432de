import Crypto
package import Foundation
import PushModel

/// A user of the portal.
package struct User: Hashable, Sendable {
    /// 1 to 64 letters, digits, `.`, `_`, `-` and `@`.
    package var name: String
    package var role: Role
    package var password: PasswordHash
    package var createdAt: Date

    package init(name: String, role: Role, password: PasswordHash, createdAt: Date) {
        self.name = name
        self.role = role
        self.password = password
        self.createdAt = createdAt
    }

    /// A text that changes with each new password, and differs for a new user with the name of a removed one: 16 hexadecimal digits.
    ///
    /// Neither name nor password can be derived from it: the hash of the password has a random salt.
    package var version: String {
        SHA256.hash(data: Array("\(createdAt.milliseconds) \(password.text)".utf8)).prefix(8).hexadecimal
    }

    static let nameLengths = 1...64
    /// The bytes of a password; scrypt takes any number, a limit keeps requests small.
    static let passwordLengths = 10...1024

    /// Returns whether a text may be the name of a user.
    package static func isName(_ text: String) -> Bool {
        nameLengths.contains(text.utf8.count) && text.wholeMatch(of: /[A-Za-z0-9._@\-]+/) != nil
    }
}
