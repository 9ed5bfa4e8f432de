import APNSProvider
import Crypto
import Foundation
import PushModel
import TestSupport
import Testing

@Suite("The text of a signing key", .enabled(if: OpenSSL.isInstalled, "apt-get install openssl"))
struct SigningKeyTextTests {
    /// A P-256 key in PKCS#8 as `openssl` writes it, and the folder with it.
    private func withKey(_ body: (OpenSSL, String) throws -> Void) async throws {
        try await withTemporaryPath { folder in
            let openssl = OpenSSL(folder: folder)
            try openssl.run("ecparam -name prime256v1 -genkey -noout -out sec1.pem")
            try openssl.run("pkcs8 -topk8 -nocrypt -in sec1.pem -out key.p8")
            try body(openssl, try openssl.text("key.p8"))
        }
    }

    private func scalar(_ text: String) throws -> [UInt8] {
        _ = try APNSSigningKey(p8: text, keyID: "KEY1234567", teamID: "TEAM123456")
        return try SigningKeyText(text).scalar
    }

    private func problem(_ text: String) -> String {
        let problem = #expect(throws: SigningKeyText.Problem.self) { try SigningKeyText(text) }
        #expect(throws: APNSSigningKey.Unreadable.self) { try APNSSigningKey(p8: text, keyID: "K", teamID: "T") }
        return problem?.description ?? ""
    }

    @Test("apnSwift141_novu2341_nodeAPN650_lineBreaksDoNotMatter")
    func lineBreaks() async throws {
        try await withKey { _, p8 in
            let expected = Array(try P256.Signing.PrivateKey(pemRepresentation: p8).rawRepresentation)
            let lines = p8.split(separator: "\n").map(String.init)
            let digits = lines.dropFirst().dropLast().joined()
            let separators = ["\n", "", " ", "\\n", "\\\\n", "\\r\\n", "\r\n", "\r", "\n\n", "  \n\t"]
            var texts: [String] = separators.map { lines.joined(separator: $0) }
            texts += [
                "\u{FEFF}" + p8, "Key Attributes: <No Attributes>\n" + p8 + "end\n", "{\"key\":\"" + texts[3] + "\"}",
            ]
            texts.append("\(lines[0])\n\(digits.prefix(76))\n\(digits.dropFirst(76))\n\(lines[lines.count - 1])")
            for text in texts { #expect(try scalar(text) == expected, "\(text)") }
        }
    }

    @Test("Any form in which openssl writes the key is read")
    func forms() async throws {
        try await withKey { openssl, p8 in
            let expected = try scalar(p8)
            try openssl.run("ecparam -name prime256v1 -genkey -out params.pem")
            #expect(try scalar(try openssl.text("params.pem")).count == 32)
            for form in [["-conv_form", "compressed"], ["-no_public"], ["-param_enc", "explicit"]] {
                try openssl.run(["ec", "-in", "sec1.pem", "-out", "form.pem"] + form)
                try openssl.run("pkcs8 -topk8 -nocrypt -in form.pem -out form.p8")
                for file in ["form.pem", "form.p8"] {
                    #expect(try scalar(try openssl.text(file)) == expected, "\(form)")
                }
            }
        }
    }

    @Test(
        "A key of another kind keeps its own reason",
        arguments: [
            (["ecparam", "-name", "secp384r1", "-genkey", "-noout"], "P-384"),
            (["ecparam", "-name", "secp256k1", "-genkey", "-noout"], "secp256k1"), (["genrsa"], "an RSA key"),
            (["genrsa", "-traditional"], "an RSA key"), (["genpkey", "-algorithm", "ed25519"], "an Ed25519 key"),
        ]
    )
    func otherKeys(_ command: [String], _ expected: String) async throws {
        try await withKey { openssl, _ in
            try openssl.run(command + ["-out", "other.pem"])
            let problem = problem(try openssl.text("other.pem"))
            #expect(
                problem.hasPrefix("not an elliptic-curve key on P-256: it is ") && problem.hasSuffix(expected),
                "\(problem)"
            )
        }
    }

    @Test("A text that is not a key in PEM is named")
    func others() async throws {
        try await withKey { openssl, p8 in
            try openssl.run("pkcs8 -topk8 -nocrypt -in sec1.pem -outform DER -out key.der")
            try openssl.run("ec -in sec1.pem -outform DER -out sec1.der")
            for file in ["key.der", "sec1.der"] { #expect(problem(try openssl.text(file)).contains("DER")) }
            for encoding in [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian] {
                let text = String(decoding: try #require(p8.data(using: encoding)), as: UTF8.self)
                #expect(problem(text) == "it is text in UTF-16; save it as UTF-8")
            }
            for cipher in [["-v2", "aes-256-cbc"], ["-v2", "camellia-256-cbc"], ["-v2", "des3"], ["-scrypt"]] {
                try openssl.run(
                    ["pkcs8", "-topk8", "-in", "sec1.pem", "-passout", "pass:x", "-out", "locked.p8"] + cipher
                )
                #expect(problem(try openssl.text("locked.p8")).hasPrefix("the key is encrypted; "))
            }
            try openssl.run("ec -in sec1.pem -aes256 -passout pass:x -out locked.pem")
            #expect(problem(try openssl.text("locked.pem")).hasPrefix("the key is encrypted; "))
            try openssl.run("ec -in sec1.pem -pubout -out public.pem")
            #expect(problem(try openssl.text("public.pem")) == "this is a public key")
            try openssl.run("req -x509 -key sec1.pem -subj /CN=x -out certificate.pem")
            #expect(problem(try openssl.text("certificate.pem")) == "this is a certificate")
            #expect(problem(try openssl.text("certificate.pem") + p8) == "this is a certificate")
            let lines = p8.split(separator: "\n")
            #expect(problem(lines.dropLast().joined(separator: "\n")).hasSuffix("is missing: the text was cut off"))
            #expect(
                problem(lines[0] + "\n" + lines[1] + "\n" + lines[3...].joined(separator: "\n"))
                    == "the key is damaged or cut off"
            )
            #expect(problem("") == "it is empty")
            #expect(problem("hello") == "no 'BEGIN PRIVATE KEY' found")
        }
    }
}
