import CryptoExtras
import Foundation

/// The scrypt hash of a password (RFC 7914), with its salt and cost.
package struct PasswordHash: Hashable, Sendable {
    /// The cost of a hash. A stored hash keeps its own, so that the default can change.
    package struct Cost: Hashable, Sendable {
        /// The binary logarithm of the number of rounds N.
        package var rounds: Int
        package var blockSize: Int
        package var parallelism: Int

        /// 32 MiB of memory and a tenth of a second, of those that OWASP recommends.
        package static let standard = Cost(rounds: 15, blockSize: 8, parallelism: 3)
        /// 1 MiB and a millisecond, for passwords of so many random digits that nobody guesses them, whatever a guess costs.
        package static let light = Cost(rounds: 10, blockSize: 8, parallelism: 1)

        package init(rounds: Int, blockSize: Int, parallelism: Int) {
            self.rounds = rounds
            self.blockSize = blockSize
            self.parallelism = parallelism
        }
    }

    package var cost: Cost
    package var salt: [UInt8]
    package var hash: [UInt8]

    /// Hashes a password with a new salt. This takes a tenth of a second.
    package init(of password: String, cost: Cost = .standard) throws {
        var random = SystemRandomNumberGenerator()
        let salt = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        self.cost = cost
        self.salt = salt
        hash = try Self.derive(password, salt: salt, cost: cost, bytes: 32)
    }

    /// Reads the form of ``text``.
    package init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
            let match = parts[2].wholeMatch(of: #/ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})/#),
            let rounds = Int(match.1), let blockSize = Int(match.2), let parallelism = Int(match.3),
            let salt = Data(base64Encoded: String(parts[3])), let hash = Data(base64Encoded: String(parts[4])),
            // An empty hash would match every password.
            !salt.isEmpty, !hash.isEmpty
        else { return nil }
        cost = Cost(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
        self.salt = Array(salt)
        self.hash = Array(hash)
    }

    /// The text `$scrypt$ln=15,r=8,p=3$SALT$HASH`, with salt and hash in base64.
    package var text: String {
        let cost = "ln=\(cost.rounds),r=\(cost.blockSize),p=\(cost.parallelism)"
        return "$scrypt$\(cost)$\(Data(salt).base64EncodedString())$\(Data(hash).base64EncodedString())"
    }

    /// Returns whether this is the hash of `password`, in a time that does not depend on how much of it is right.
    package func matches(_ password: String) throws -> Bool {
        hash.isSameInConstantTime(as: try Self.derive(password, salt: salt, cost: cost, bytes: hash.count))
    }

    /// Returns the key that scrypt derives.
    static func derive(_ password: String, salt: [UInt8], cost: Cost, bytes: Int) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Array(password.utf8),
            salt: salt,
            outputByteCount: bytes,
            rounds: 1 << cost.rounds,
            blockSize: cost.blockSize,
            parallelism: cost.parallelism,
            maxMemory: 64 << 20
        )
        return unsafe key.withUnsafeBytes { unsafe Array($0) }
    }
}
