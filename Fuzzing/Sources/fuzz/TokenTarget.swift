import Foundation

@testable import APNSGateway

/// A provider token, as a provider without credentials may send it: the whole text, or its header and claims as the first two
/// lines of the input, so that no fuzzer has to learn Base64. What follows them is the signature.
func fuzzToken(_ input: [UInt8]) {
    checkToken(String(decoding: input, as: UTF8.self))
    let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count >= 2 else { return }
    let signature = lines.count == 3 ? Array(lines[2]) : Array(repeating: 7, count: 64)
    let parts = [Array(lines[0]), Array(lines[1]), signature].map { Data($0) }
    let plain = parts.map { $0.base64EncodedString() }
    let urlSafe = plain.map {
        $0.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
    let first = checkToken(plain.joined(separator: "."))
    let second = checkToken(urlSafe.joined(separator: "."))
    check(first == second, "a token says \(String(describing: first)), without padding \(String(describing: second))")
    check(first == nil || first?.signature == signature, "another signature is read")
}

/// What the gateway goes by.
private struct Facts: Equatable {
    var keyID: String
    var teamID: String
    var issuedAt: Date
    var signature: [UInt8]
}

@discardableResult
private func checkToken(_ text: String) -> Facts? {
    guard let claims = ProviderTokenClaims(text) else { return nil }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    check(parts.count == 3, "a token of \(parts.count) parts is read")
    check(
        claims.signed.elementsEqual(text.utf8.dropLast(parts[2].count + 1)),
        "the signature is not checked over what was sent"
    )
    check(claims.issuedAt.timeIntervalSince1970.isFinite, "a token issued at no time")
    check(claims.signature.count <= text.utf8.count, "a signature out of nothing")
    // The gateway's rule for the age of a token must come to one answer.
    let age = Date(timeIntervalSince1970: 1_700_000_000).timeIntervalSince(claims.issuedAt)
    check(age >= -60 || age < -60, "a token of no age")
    return Facts(
        keyID: claims.keyID,
        teamID: claims.teamID,
        issuedAt: claims.issuedAt,
        signature: claims.signature
    )
}
