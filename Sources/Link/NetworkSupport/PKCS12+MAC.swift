package import Crypto
package import SwiftASN1

extension PKCS12 {
    /// Returns a bundle of authenticated parts (section 4), with its MAC by a hash function, which `identifier` names.
    ///
    /// `secret` is the password in UTF-16, with two octets of zero at its end.
    package static func bundle<Hash: HashFunction>(
        of safe: [UInt8],
        by hash: Hash.Type,
        _ identifier: ASN1ObjectIdentifier,
        secret: [UInt8],
        salt: [UInt8],
        iterations: Int = 1
    ) throws -> [UInt8] {
        let code = mac(by: hash, of: safe, secret: secret, salt: salt, iterations: iterations)
        return try DER.sequence { coder in
            try coder.serialize(3)
            try coder.bag(data) { try $0.octets(safe) }
            try coder.sequence { coder in
                try coder.sequence { coder in
                    try coder.typed(identifier) { try $0.serialize(ASN1Null()) }
                    try coder.octets(code)
                }
                try coder.octets(salt)
                // One is the default, which DER leaves out.
                if iterations != 1 { try coder.serialize(iterations) }
            }
        }
    }

    /// The MAC by appendix B.2, with a key of the output size of a hash function with blocks of 64 octets.
    package static func mac<Hash: HashFunction>(
        by hash: Hash.Type,
        of content: [UInt8],
        secret: [UInt8],
        salt: [UInt8],
        iterations: Int = 1
    ) -> [UInt8] {
        func filled(_ bytes: [UInt8]) -> [UInt8] {
            (0..<(bytes.count + 63) / 64 * 64).map { bytes[$0 % bytes.count] }
        }
        // ID 3 derives a MAC key.
        var digest = Array(Hash.hash(data: [UInt8](repeating: 3, count: 64) + filled(salt) + filled(secret)))
        for _ in 1..<iterations { digest = Array(Hash.hash(data: digest)) }
        return Array(HMAC<Hash>.authenticationCode(for: content, using: SymmetricKey(data: digest)))
    }
}
