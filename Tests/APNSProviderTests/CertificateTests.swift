import APNSProvider
import APNSTransport
import AppleDeveloper
import Foundation
import NIOSSL
import PushModel
import SwiftASN1
import TestSupport
import Testing

@Suite(
    "Client certificates",
    .enabled(if: OpenSSL.isInstalled, "apt-get install openssl"),
    .suiteLimit
)
struct CertificateTests {
    /// How a bundle is made from `client.pem` and `client.key`.
    enum Bundle: String, CaseIterable {
        /// RC2 with 40 bits, triple DES and SHA-1: what Keychain Access exports.
        case legacy
        /// PBES2 with AES-256 and SHA-256.
        case modern
        case withoutPassPhrase
        /// Nothing is encrypted, but there is a MAC.
        case open

        var passPhrase: String? { self == .withoutPassPhrase ? nil : "geheim" }

        func read(with openssl: OpenSSL) throws -> APNSCertificate {
            let file = rawValue + ".p12"
            let pass = "pass:" + (passPhrase ?? "")
            let flags = self == .legacy ? "-legacy" : ""
            try openssl.run("pkcs12 -export \(flags) -in client.pem -inkey client.key -passout \(pass) -out \(file)")
            return try APNSCertificate(p12: try openssl.bytes(file), passPhrase: passPhrase)
        }
    }

    private func withOpenSSL(_ body: (OpenSSL) async throws -> Void) async throws {
        try await withTemporaryPath { folder in
            let openssl = OpenSSL(folder: folder)
            try openssl.makeCertificate()
            try await body(openssl)
        }
    }

    @Test("A bundle opens the door of a server that asks for a certificate", arguments: Bundle.allCases)
    func opens(_ bundle: Bundle) async throws {
        try await withOpenSSL { openssl in
            let certificate = try bundle.read(with: openssl)
            #expect(certificate.topics == [Example.bundleID, Example.bundleID + ".voip"])
            #expect(certificate.environments == [.development, .production])
            #expect(certificate.teamID == Example.teamID)
            #expect(certificate.commonName == "Apple Push Services: com.example.app")
            let authority = try NIOSSLCertificate.fromPEMBytes(try openssl.bytes("ca.pem"))
            try await TestServer.with(clientAuthorities: authority) { server in
                let client = APNSClient(credential: .certificate(certificate), endpoint: server.endpoint)
                let push = APNSPush(
                    id: UUID().uuidString,
                    token: DeviceToken(bytes: [1]),
                    topic: Example.bundleID,
                    payload: Array("{}".utf8)
                )
                #expect(await client.send(push) == .accepted)
                await client.shutdown()
                let request = try #require(server.received.first)
                let expected = try NIOSSLCertificate.fromPEMBytes(try openssl.bytes("client.pem"))
                #expect(request.certificate == expected.first)
                #expect(request.header("authorization") == nil)
                #expect(request.header("apns-topic") == Example.bundleID)
            }
        }
    }

    @Test("A server that does not believe the certificate ends the handshake, and the probe knows it")
    func endedHandshake() async throws {
        try await withOpenSSL { openssl in
            let certificate = try Bundle.legacy.read(with: openssl)
            let other = try NIOSSLCertificate.fromPEMBytes(Array(try GatewayAuthority(folder: nil).pem.utf8))
            try await TestServer.with(clientAuthorities: other) { server in
                let probe = APNSProbe(credential: .certificate(certificate), endpoint: server.endpoint)
                let error = await #expect(throws: APNSProbe.NoAnswer.self) { try await probe.send(Example.push()) }
                #expect(error?.isHandshake == true, "\(error?.description ?? "")")
            }
        }
    }

    @Test("PEM in one text or two, in either order, and a key under a pass phrase")
    func pem() async throws {
        try await withOpenSSL { openssl in
            let certificate = try openssl.text("client.pem")
            let key = try openssl.text("client.key")
            let authority = try openssl.text("ca.pem")
            let chains = [
                try APNSCertificate(pem: certificate, key: key),
                try APNSCertificate(pem: key + certificate),
                try APNSCertificate(pem: authority + certificate, key: key),
            ]
            for read in chains { #expect(read.topics.first == Example.bundleID) }
            try openssl.run("pkcs8 -topk8 -in client.key -passout pass:geheim -out locked.key")
            let locked = try openssl.text("locked.key")
            _ = try APNSCertificate(pem: certificate, key: locked, passPhrase: "geheim")
            expect("The private key is encrypted; expected its pass phrase.") {
                try APNSCertificate(pem: certificate, key: locked)
            }
            expect("The private key cannot be decrypted with this pass phrase.") {
                try APNSCertificate(pem: certificate, key: locked, passPhrase: "falsch")
            }
            expect("The PEM text holds no private key; expected '-----BEGIN PRIVATE KEY-----'.") {
                try APNSCertificate(pem: certificate)
            }
            expect("The PEM text holds no certificate; expected '-----BEGIN CERTIFICATE-----'.") {
                try APNSCertificate(pem: key)
            }
            expect(
                "The private key belongs to none of the certificates. "
                    + "Export the certificate together with the key that its request was made with."
            ) { try APNSCertificate(pem: authority, key: key) }
        }
    }

    @Test("openSSL10112_aByteOrderMarkOrOtherLineBreaks", arguments: ["\u{FEFF}", "Bag Attributes\n    x: y\n"])
    func pemOfOtherPrograms(_ start: String) async throws {
        try await withOpenSSL { openssl in
            let certificate = try openssl.text("client.pem")
            let key = try openssl.text("client.key")
            let both = start + certificate + key
            for text in [both, both.replacing("\n", with: "\r\n"), both.replacing("\n", with: "\\n")] {
                #expect(try APNSCertificate(pem: text).topics.first == Example.bundleID)
                #expect(try APNSCertificate(file: Array(text.utf8)).topics.first == Example.bundleID)
            }
        }
    }

    @Test("pushSharp219_nodeAPN336_theCertificateForPushesIsChosen")
    func several() async throws {
        try await withOpenSSL { openssl in
            try openssl.sign("development", extensions: "development")
            let distribution = [
                "-subj", "/CN=Apple Distribution: Example", "-keyout", "distribution.key", "-out", "distribution.pem",
            ]
            try openssl.run(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30"] + distribution)
            let files = ["distribution.pem", "distribution.key", "development.pem", "client.pem", "client.key"]
            let pem = try files.map { try openssl.text($0) }.joined()
            let first = try openssl.bundle("distribution.p12", of: "distribution.pem", key: "distribution.key")
            let second = try openssl.bundle("client.p12", of: "client.pem", key: "client.key")
            for file in [
                try joined(first, second), try joined(second, first), Array(pem.utf8), Array(("\u{FEFF}" + pem).utf8),
            ] {
                let all = try APNSCertificate.all(in: file, passPhrase: "geheim")
                #expect(all.contains { $0.isForPushes } && all.contains { !$0.isForPushes })
                let chosen = try APNSCertificate(file: file, passPhrase: "geheim")
                #expect(chosen.isForPushes)
                #expect(chosen.topics.contains(Example.bundleID))
            }
            let names = try APNSCertificate.all(in: Array(pem.utf8)).map(\.commonName)
            #expect(
                names == ["Apple Distribution: Example"]
                    + Array(repeating: "Apple Push Services: com.example.app", count: 2)
            )
            try openssl.write(try openssl.text("distribution.pem") + openssl.text("distribution.key"), to: "one.pem")
            #expect(try !APNSCertificate(file: try openssl.bytes("one.pem")).isForPushes)
        }
    }

    @Test(
        "An algorithm that cannot be decrypted is named, whatever the pass phrase",
        arguments: [
            (["-certpbe", "CAMELLIA-256-CBC", "-keypbe", "CAMELLIA-256-CBC"], "Camellia-256-CBC"),
            (["-keypbe", "ARIA-128-CBC"], "ARIA-128-CBC"), (["-legacy", "-certpbe", "SEED-CBC"], "SEED-CBC"),
            (["-legacy", "-keypbe", "PBE-SHA1-RC2-128"], "RC2 with 128 bits"),
        ]
    )
    func unreadableBundle(_ flags: [String], _ algorithm: String) async throws {
        try await withOpenSSL { openssl in
            let file = try openssl.bundle("other.p12", of: "client.pem", key: "client.key", flags)
            for passPhrase in ["geheim", "falsch"] {
                let error = #expect(throws: APNSCertificate.Unreadable.self) {
                    try APNSCertificate(p12: file, passPhrase: passPhrase)
                }
                #expect(
                    error?.description.hasPrefix("The bundle is encrypted with \(algorithm), which cannot be") == true
                )
                #expect(error?.reason == .malformed)
            }
        }
    }

    @Test(
        "Ciphers and digests of openssl are read, and a wrong pass phrase says so",
        arguments: [
            ["-certpbe", "AES-128-CBC", "-keypbe", "AES-192-CBC"],
            ["-certpbe", "DES-EDE3-CBC", "-keypbe", "AES-256-CBC"],
            ["-macalg", "sha512"], ["-nomac"], ["-legacy", "-certpbe", "PBE-SHA1-RC4-128"], ["-certpbe", "NONE"],
        ]
    )
    func readableBundle(_ flags: [String]) async throws {
        try await withOpenSSL { openssl in
            let file = try openssl.bundle("other.p12", of: "client.pem", key: "client.key", flags)
            #expect(try APNSCertificate(p12: file, passPhrase: "geheim").topics.first == Example.bundleID)
            let error = #expect(throws: APNSCertificate.Unreadable.self) {
                try APNSCertificate(p12: file, passPhrase: "falsch")
            }
            #expect(error?.reason == .wrongPassPhrase)
        }
    }

    @Test(
        "The algorithm of a private key in PEM that cannot be decrypted is named",
        arguments: [
            (["-v2", "aes-256-cbc", "-v2prf", "hmacWithSHA512"], "HMAC-SHA-512"),
            (["-v2", "aes-128-cbc", "-v2prf", "hmacWithSHA1"], nil), (["-v2", "des3"], nil),
            (["-v2", "camellia-128-cbc"], "Camellia-128-CBC"), (["-scrypt"], "scrypt"),
            (["-v1", "PBE-SHA1-3DES"], nil),
        ]
    )
    func encryptedKey(_ flags: [String], _ algorithm: String?) async throws {
        try await withOpenSSL { openssl in
            let words = ["pkcs8", "-topk8", "-in", "client.key", "-passout", "pass:geheim", "-out", "locked.key"]
            try openssl.run(words + flags)
            let certificate = try openssl.text("client.pem")
            let key = try openssl.text("locked.key")
            guard let algorithm else {
                _ = try APNSCertificate(pem: certificate, key: key, passPhrase: "geheim")
                return expect("The private key cannot be decrypted with this pass phrase.") {
                    try APNSCertificate(pem: certificate, key: key, passPhrase: "falsch")
                }
            }
            let error = #expect(throws: APNSCertificate.Unreadable.self) {
                try APNSCertificate(pem: certificate, key: key, passPhrase: "geheim")
            }
            #expect(
                error?.description.hasPrefix("The private key is encrypted with \(algorithm), which cannot") == true
            )
        }
    }

    @Test(
        "Old encrypted keys are read, and named if their cipher is unknown",
        arguments: ["aes256", "des3", "camellia256"]
    )
    func oldEncryptedKey(_ cipher: String) async throws {
        try await withOpenSSL { openssl in
            let words = ["-in", "client.key", "-passout", "pass:geheim", "-out", "locked.key", "-\(cipher)"]
            try openssl.run(["rsa", "-traditional"] + words)
            let certificate = try openssl.text("client.pem")
            let key = try openssl.text("locked.key")
            guard cipher == "camellia256" else {
                _ = try APNSCertificate(pem: certificate, key: key, passPhrase: "geheim")
                return
            }
            let error = #expect(throws: APNSCertificate.Unreadable.self) {
                try APNSCertificate(pem: certificate, key: key, passPhrase: "geheim")
            }
            #expect(error?.description.hasPrefix("The private key is encrypted with CAMELLIA-256-CBC, which") == true)
        }
    }

    @Test("A certificate without the list of topics is for its UID, and says in which environment")
    func oldStyle() async throws {
        try await withOpenSSL { openssl in
            try openssl.sign("development", extensions: "development")
            try openssl.sign("plain", extensions: "plain")
            let key = try openssl.text("client.key")
            let development = try APNSCertificate(pem: try openssl.text("development.pem"), key: key)
            #expect(development.topics == [Example.bundleID])
            #expect(development.onlyTopic == Example.bundleID)
            #expect(development.environments == [.development])
            let plain = try APNSCertificate(pem: try openssl.text("plain.pem"), key: key)
            #expect(plain.environments == [.development, .production])
            let both = try APNSCertificate(pem: try openssl.text("client.pem"), key: key)
            #expect(both.onlyTopic == nil)
        }
    }

    @Test("A push without a topic leaves the header to a certificate for one topic")
    func withoutTopic() async throws {
        try await withOpenSSL { openssl in
            try openssl.sign("development", extensions: "development")
            let certificate = try APNSCertificate(
                pem: try openssl.text("development.pem"),
                key: try openssl.text("client.key")
            )
            let authority = try NIOSSLCertificate.fromPEMBytes(try openssl.bytes("ca.pem"))
            try await TestServer.with(clientAuthorities: authority) { server in
                let client = APNSClient(credential: .certificate(certificate), endpoint: server.endpoint)
                var batch = APNSBatch(topic: nil)
                batch.add([DeviceToken(bytes: [1]), DeviceToken(bytes: [2])], payload: Array("{}".utf8))
                await client.send(batch) { results in
                    for result in results { #expect(result.outcome == .accepted) }
                }
                await client.shutdown()
                #expect(server.received.map(\.path) == ["/3/device/01", "/3/device/02"])
                #expect(server.received.allSatisfy { $0.header("apns-topic") == nil })
                #expect(server.received.allSatisfy { $0.header("authorization") == nil })
            }
        }
    }

    @Test("The error says what is wrong with a bundle, and how to make a correct one")
    func refuses() async throws {
        try await withOpenSSL { openssl in
            _ = try Bundle.legacy.read(with: openssl)
            let legacy = try openssl.bytes("legacy.p12")
            expect("The pass phrase does not open the PKCS#12 bundle.") {
                try APNSCertificate(p12: legacy, passPhrase: "falsch")
            }
            expect("The PKCS#12 bundle has a pass phrase; expected the one it was exported with.") {
                try APNSCertificate(p12: legacy)
            }
            let pass = "pass:geheim"
            try openssl.run("pkcs12 -export -nokeys -in client.pem -passout \(pass) -out nokey.p12")
            let withoutKey = try openssl.bytes("nokey.p12")
            expect(
                "The bundle holds a certificate but no private key. In Keychain Access open the certificate's triangle "
                    + "and export the two together, from the Mac on which the request was made."
            ) { try APNSCertificate(p12: withoutKey, passPhrase: "geheim") }
            try openssl.run("pkcs12 -export -nocerts -inkey client.key -passout \(pass) -out nocert.p12")
            let withoutCertificate = try openssl.bytes("nocert.p12")
            expect(
                "The bundle holds a private key but no certificate. "
                    + "Export the certificate from Apple's developer portal together with its key."
            ) { try APNSCertificate(p12: withoutCertificate, passPhrase: "geheim") }
            for garbage in [[], [0x30], Array(legacy.prefix(200)), Array("-----BEGIN".utf8)] as [[UInt8]] {
                expect(
                    "The file is not a PKCS#12 bundle of certificate and key. Expected what Keychain Access exports as "
                        + ".p12, or 'openssl pkcs12 -export' writes."
                ) { try APNSCertificate(p12: garbage) }
            }
        }
    }

    @Test("A bundle of a key and the certificate for another is refused, and does not end the process")
    func mismatched() async throws {
        try await withOpenSSL { openssl in
            try openssl.run("req -x509 -newkey rsa:2048 -nodes -keyout other.key -out other.pem -subj /CN=Other")
            let pass = ["-passout", "pass:geheim"]
            try openssl.run(["pkcs12", "-export", "-nokeys", "-in", "client.pem", "-out", "certificate.p12"] + pass)
            try openssl.run(["pkcs12", "-export", "-nocerts", "-inkey", "client.key", "-out", "right.p12"] + pass)
            try openssl.run(["pkcs12", "-export", "-nocerts", "-inkey", "other.key", "-out", "wrong.p12"] + pass)
            let certificate = try openssl.bytes("certificate.p12")
            let right = try openssl.bytes("right.p12")
            let wrong = try openssl.bytes("wrong.p12")
            let mismatched = try joined(certificate, wrong)
            expect(
                "The private key belongs to none of the certificates. "
                    + "Export the certificate together with the key that its request was made with."
            ) { try APNSCertificate(p12: mismatched, passPhrase: "geheim") }
            // Of several keys the one that fits is taken.
            let several = try joined(joined(certificate, wrong), right)
            let read = try APNSCertificate(p12: several, passPhrase: "geheim")
            #expect(read.topics.first == Example.bundleID)
        }
    }

    @Test("A certificate in DER, as Apple offers it for download, lacks its key", arguments: [nil, "geheim"])
    func loneCertificate(_ passPhrase: String?) async throws {
        try await withOpenSSL { openssl in
            try openssl.run("x509 -in client.pem -outform der -out aps.cer")
            let file = try openssl.bytes("aps.cer")
            let error = #expect(throws: APNSCertificate.Unreadable.self) {
                try APNSCertificate(file: file, passPhrase: passPhrase)
            }
            #expect(error?.reason == .keyMissing)
            #expect(error?.description.hasPrefix("The file is a certificate without a private key (.cer).") == true)
            let other = #expect(throws: APNSCertificate.Unreadable.self) {
                try APNSCertificate(file: Array(file.dropLast()), passPhrase: passPhrase)
            }
            #expect(other?.reason == .malformed, "Half a certificate is none.")
        }
    }

    private func export(_ openssl: OpenSSL, _ file: String, _ more: String...) throws -> [UInt8] {
        let what = [
            "pkcs12", "-export", "-in", "client.pem", "-inkey", "client.key", "-passout", "pass:geheim", "-out", file,
        ]
        try openssl.run(what + more)
        return try openssl.bytes(file)
    }

    @Test(
        "A bundle that asks for more iterations than 600,000 is refused before anything is decrypted",
        arguments: [false, true]
    )
    func iterations(isLegacy: Bool) async throws {
        try await withOpenSSL { openssl in
            let legacy = isLegacy ? ["-legacy"] : []
            let what = [
                "pkcs12", "-export", "-in", "client.pem", "-inkey", "client.key", "-passout", "pass:geheim", "-iter",
            ]
            try openssl.run(what + ["600000", "-out", "most.p12"] + legacy)
            let most = try APNSCertificate(p12: try openssl.bytes("most.p12"), passPhrase: "geheim")
            #expect(most.topics.first == Example.bundleID)
            try openssl.run(what + ["600001", "-out", "more.p12"] + legacy)
            let more = try openssl.bytes("more.p12")
            // With another pass phrase too: the limit comes first.
            for passPhrase in ["geheim", "falsch"] {
                expect(
                    "The bundle's encryption asks for 600001 iterations; expected at most 600000. Export it again, or with "
                        + "'openssl pkcs12 -export -iter 2048'."
                ) { try APNSCertificate(p12: more, passPhrase: passPhrase) }
            }
            // Only the certificates, or only the key.
            for plain in ["-keypbe", "-certpbe"] {
                try openssl.run(what + ["600001", plain, "NONE", "-out", "half.p12"] + legacy)
                let half = try openssl.bytes("half.p12")
                #expect(throws: APNSCertificate.Unreadable.self) {
                    try APNSCertificate(p12: half, passPhrase: "geheim")
                }
            }
        }
    }

    @Test("A bundle of more than eight parts, or certificates, is refused")
    func bags() async throws {
        try await withOpenSSL { openssl in
            let one = try export(openssl, "one.p12")
            // Two parts each.
            let eight = try (0..<3).reduce(one) { bundle, _ in try joined(bundle, one) }
            #expect(try APNSCertificate(p12: eight, passPhrase: "geheim").topics.first == Example.bundleID)
            let ten = try joined(eight, one)
            expect(
                "The bundle holds 9 keys, certificates and encrypted parts, or more; expected at most 8. Export the certificate for "
                    + "pushes and its key alone."
            ) { try APNSCertificate(p12: ten, passPhrase: "geheim") }
            // Those inside of an encrypted part show when it is open.
            let authorities = Array(repeating: try openssl.text("ca.pem"), count: 8).joined()
            try openssl.write(authorities, to: "authorities.pem")
            let chain = try export(openssl, "chain.p12", "-certfile", "authorities.pem")
            expect(
                "The bundle holds 10 keys, certificates and encrypted parts, or more; expected at most 8. Export the certificate for "
                    + "pushes and its key alone."
            ) { try APNSCertificate(p12: chain, passPhrase: "geheim") }
        }
    }

    @Test("A pass phrase outside ASCII is refused, and does not end the process", arguments: ["gehéim", "密码"])
    func passPhrases(_ passPhrase: String) async throws {
        try await withOpenSSL { openssl in
            _ = try Bundle.modern.read(with: openssl)
            let bytes = try openssl.bytes("modern.p12")
            let certificate = try openssl.text("client.pem")
            let key = try openssl.text("client.key")
            let sentence =
                "The pass phrase has characters outside ASCII, which cannot be used here; "
                + "export the certificate with another."
            expect(sentence) { try APNSCertificate(p12: bytes, passPhrase: passPhrase) }
            expect(sentence) { try APNSCertificate(pem: certificate, key: key, passPhrase: passPhrase) }
        }
    }

    /// One bundle of what two hold; its MAC is that of neither.
    private func joined(_ first: [UInt8], _ second: [UInt8]) throws -> [UInt8] {
        func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
            [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
        }
        func nodes(_ node: ASN1Node) -> [ASN1Node] {
            if case .constructed(let nodes) = node.content { Array(nodes) } else { [] }
        }
        func parts(_ bundle: [UInt8]) throws -> [UInt8] {
            let content = nodes(nodes(nodes(try DER.parse(bundle))[1])[1])[0]
            let safe = try ASN1OctetString(derEncoded: content, withIdentifier: .octetString).bytes
            return nodes(try DER.parse(safe)).flatMap { Array($0.encodedBytes) }
        }
        let safe = der(0x30, try parts(first) + parts(second))
        let data: [UInt8] = [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]
        let whole = nodes(try DER.parse(first))
        let mac = Array(whole[2].encodedBytes)
        return der(0x30, [2, 1, 3] + der(0x30, data + der(0xA0, der(0x04, safe))) + mac)
    }

    @Test("A certificate warns from 30 days before its end, after it, and before its beginning")
    func warns() async throws {
        try await withOpenSSL { openssl in
            let certificate = try APNSCertificate(
                pem: try openssl.text("client.pem"),
                key: try openssl.text("client.key")
            )
            let start = certificate.notValidBefore
            let end = certificate.notValidAfter
            #expect(end.timeIntervalSince(start) == 365 * 86400)
            #expect(certificate.warning(at: end - 31 * 86400) == nil)
            #expect(certificate.warning(at: end - 29 * 86400)?.contains("' expires on ") == true)
            #expect(certificate.warning(at: end + 1)?.contains("' expired on ") == true)
            #expect(certificate.warning(at: start - 1)?.contains("' is not valid before ") == true)
        }
    }
}

/// Expects a sentence for the user who gave the files.
private func expect(
    _ sentence: String,
    at location: SourceLocation = #_sourceLocation,
    from body: () throws -> APNSCertificate
) {
    let error = #expect(throws: APNSCertificate.Unreadable.self, sourceLocation: location) { try body() }
    #expect(error?.description == sentence, sourceLocation: location)
}
