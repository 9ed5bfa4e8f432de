import SwiftASN1

@testable import APNSProvider

/// A PKCS#12 bundle before its pass phrase is asked for. What is found in it lies in it.
func fuzzPKCS12(_ input: [UInt8]) {
    let contents: PKCS12Contents
    do { contents = try PKCS12Contents(input) } catch {
        check(!error.description.isEmpty, "a refusal without words")
        return
    }
    let keys = contents.keys.map { key in
        switch key {
        case .plain(let bytes), .encrypted(let bytes): bytes
        }
    }
    let parts = keys + contents.certificateBags + contents.encryptedParts
    let count = parts.reduce(0) { $0 + $1.count }
    check(count <= input.count, "\(input.count) octets became \(count)")
    for part in parts {
        check(!part.isEmpty, "an empty part")
        check((try? BER.parse(part)) != nil, "a part is no ASN.1 by itself")
    }
}
