import NetworkSupport
import PushModel
import SwiftASN1

/// The algorithms with which private keys and PKCS#12 bundles are encrypted, and which of them BoringSSL has.
///
/// Source: BoringSSL, `crypto/pkcs8/pkcs8.cc` and `p5_pbev2.cc`, as of NIOSSL 2.37. To it, any other looks like a wrong pass phrase.
enum KeyEncryption {
    /// Returns the algorithm of an encrypted key in PEM if BoringSSL does not have it.
    static func unreadable(in block: PEMBlock) -> String? {
        guard block.headers.isEmpty else {
            let name = block.headers.first { $0.hasPrefix("DEK-Info:") }?.split(separator: ":").last?.split(
                separator: ","
            ).first
            let cipher = name?.trimmingPrefix(" ") ?? "an unnamed algorithm"
            return ciphersOfHeaders.contains(cipher.uppercased()) ? nil : String(cipher)
        }
        return (try? BER.parse(block.bytes)).flatMap { unreadable(in: $0) }
    }

    /// Returns the algorithm of an `EncryptedPrivateKeyInfo`, or of another sequence that begins with it, if BoringSSL does not have it.
    static func unreadable(in encrypted: ASN1Node) -> String? {
        encrypted.children.first.flatMap(unreadable(algorithm:))
    }

    /// Returns the name of an algorithm (RFC 8018, appendix A), or of the part of it that BoringSSL does not have.
    static func unreadable(algorithm: ASN1Node) -> String? {
        guard let scheme = identifier(of: algorithm) else { return nil }
        guard scheme == pbes2 else { return readable.contains(scheme) ? nil : name(scheme) }
        guard let parameters = algorithm.children.last?.children, parameters.count == 2,
            let derivation = identifier(of: parameters[0]), let cipher = identifier(of: parameters[1])
        else { return nil }
        let hash = parameters[0].children.last?.children.last.flatMap(identifier(of:))
        return ([derivation] + [hash].compactMap(\.self) + [cipher]).first { !readable.contains($0) }.map(name)
    }

    private static func identifier(of algorithm: ASN1Node) -> ASN1ObjectIdentifier? {
        algorithm.children.first.flatMap { try? ASN1ObjectIdentifier(berEncoded: $0) }
    }

    private static func name(_ identifier: ASN1ObjectIdentifier) -> String {
        names[identifier] ?? "the algorithm \(identifier)"
    }

    private static let ciphersOfHeaders: Set = ["AES-128-CBC", "AES-192-CBC", "AES-256-CBC", "DES-CBC", "DES-EDE3-CBC"]

    private static let pbes2: ASN1ObjectIdentifier = "1.2.840.113549.1.5.13"

    private static let readable: Set<ASN1ObjectIdentifier> = [
        // RC2 with 40 bits, RC4 with 128 bits and triple DES, each with SHA-1.
        "1.2.840.113549.1.12.1.6", "1.2.840.113549.1.12.1.1", "1.2.840.113549.1.12.1.3",
        // PBKDF2, HMAC with SHA-1 and with SHA-256.
        "1.2.840.113549.1.5.12", "1.2.840.113549.2.7", "1.2.840.113549.2.9",
        // RC2, triple DES and AES, in CBC mode.
        "1.2.840.113549.3.2", "1.2.840.113549.3.7", "2.16.840.1.101.3.4.1.2",
        "2.16.840.1.101.3.4.1.22", "2.16.840.1.101.3.4.1.42",
    ]

    private static let names: [ASN1ObjectIdentifier: String] = [
        "1.2.840.113549.1.5.3": "MD5 and DES",
        "1.2.840.113549.1.5.6": "MD5 and RC2",
        "1.2.840.113549.1.5.10": "SHA-1 and DES",
        "1.2.840.113549.1.5.11": "SHA-1 and RC2",
        "1.2.840.113549.1.12.1.2": "RC4 with 40 bits",
        "1.2.840.113549.1.12.1.4": "triple DES with two keys",
        "1.2.840.113549.1.12.1.5": "RC2 with 128 bits",
        "1.3.6.1.4.1.11591.4.11": "scrypt",
        "1.2.840.113549.2.8": "HMAC-SHA-224",
        "1.2.840.113549.2.10": "HMAC-SHA-384",
        "1.2.840.113549.2.11": "HMAC-SHA-512",
        "1.2.840.113549.2.12": "HMAC-SHA-512/224",
        "1.2.840.113549.2.13": "HMAC-SHA-512/256",
        "2.16.840.1.101.3.4.2.14": "HMAC-SHA3-256",
        "2.16.840.1.101.3.4.2.16": "HMAC-SHA3-512",
        "1.2.392.200011.61.1.1.1.2": "Camellia-128-CBC",
        "1.2.392.200011.61.1.1.1.3": "Camellia-192-CBC",
        "1.2.392.200011.61.1.1.1.4": "Camellia-256-CBC",
        "1.2.410.200046.1.1.2": "ARIA-128-CBC",
        "1.2.410.200046.1.1.7": "ARIA-192-CBC",
        "1.2.410.200046.1.1.12": "ARIA-256-CBC",
        "1.2.410.200004.1.4": "SEED-CBC",
        "1.2.156.10197.1.104.2": "SM4-CBC",
        "1.3.14.3.2.7": "DES-CBC",
        "2.16.840.1.101.3.4.1.6": "AES-128-GCM",
        "2.16.840.1.101.3.4.1.46": "AES-256-GCM",
    ]
}
