import Foundation
import PushDevice
import PushModel
import PushService
import TestSupport
import Testing

@testable import PosthornPortal

@Suite("Remarks of the service in the user's language")
struct RemarkTests {
    private static func words(_ language: Language) throws -> JSONObject {
        try #require(try Catalogue(language, from: .embedded).sections["remarks"]?.object)
    }

    private static func text(_ language: Language) throws -> RemarkText {
        RemarkText(try Catalogue(language, from: .embedded)) { "on \($0 ?? "")" }
    }

    @Test("Each code has words in each language, and a remedy in all of them or in none", arguments: Language.allCases)
    func complete(_ language: Language) throws {
        let words = try Self.words(language)
        for code in Remark.Code.allCases {
            #expect((words[code.rawValue] != nil) == !code.found.isEmpty, "\(code)")
            #expect((words["\(code.rawValue)_remedy"] != nil) == (code.remedy != nil), "\(code)")
        }
    }

    @Test("Each code says something in English, and no sentence is without its code")
    func english() {
        let keys = Remark.Code.allCases.flatMap { [$0.rawValue, "\($0.rawValue)_remedy"] }
        // Words within sentences, and of commands.
        let parts = #/(days|environment|source|part|gateway|send|taken)_.+/#
        #expect(Words.english.remarks.keys.allSatisfy { keys.contains($0) || $0.wholeMatch(of: parts) != nil })
        #expect(Remark.Code.allCases.allSatisfy { !$0.found.isEmpty || $0.remedy != nil })
    }

    @Test("Advice names what is in the portal, never a command", arguments: Language.allCases)
    func noCommands(_ language: Language) throws {
        for word in try Self.words(language).members {
            #expect(
                word.value.string?.contains(#/'posthorn |posthorn (serve|app|credential|doctor|user)/#) == false,
                "\(word)"
            )
        }
    }

    @Test("The words have places only for values that the remark has in English too, or that the portal adds")
    func places() throws {
        for language in Language.allCases {
            let words = try Self.words(language)
            for code in Remark.Code.allCases {
                let english = Self.places(code.found + (code.remedy ?? ""))
                let own = [code.rawValue, "\(code.rawValue)_remedy"].compactMap { words[$0]?.string }.joined()
                #expect(Self.places(own).isSubset(of: english), "\(code)")
            }
        }
    }

    private static func places(_ words: String) -> Set<String> {
        Set(words.matches(of: #/\{\w+\}/#).map { String($0.0) })
    }

    /// A finding or refusal with a sentence instead of a code would be English in every language.
    @Test("The service makes its findings and refusals of operations from codes")
    func sources() throws {
        let swift = try ProjectFolder.names(in: "Sources/Service").filter {
            $0.hasPrefix("PushService/") || $0.contains("/Doctor/")
        }
        #expect(swift.count > 50)
        for name in swift {
            let source = try ProjectFolder.text(of: "Sources/Service/\(name)")
            let plain = source.matches(of: #/Finding\(\s*of: [^)]*?,\s*\.\w+,\s*"|OperatorError\(\s*\.\w+,\s*"/#)
            #expect(plain.isEmpty, "\(name)")
        }
    }

    @Test(
        "A finding is said in the user's language, with dates and environments as pages show them",
        arguments: [
            (
                Language.english,
                "The certificate for com.example.shop expired on on 2026-01-01T00:00:00Z: pushes wait.",
                "Issue a new certificate and add it under 'Add a credential' on the app's page; device tokens stay as they are. "
                    + "A .p8 key does not expire."
            ),
            (
                .simplifiedChinese, "com.example.shop 的证书已于 on 2026-01-01T00:00:00Z 过期，推送将等待。",
                "请签发新证书，并在 App 页的“添加凭证”中添加；device token 不变。p8 密钥不会过期。"
            ),
        ]
    )
    func finding(_ language: Language, _ found: String, _ remedy: String) throws {
        let values = ["topic": "com.example.shop", "date": "2026-01-01T00:00:00Z", "app": "key"]
        let finding = Finding(of: "credential.production", .wrong, .certificateExpired, with: values)
        #expect(
            finding.remedy?.contains("'posthorn credential add key --p12 FILE'") == true,
            "The API's own words stay."
        )
        let answer = try Self.text(language).localized(JSONCoding.object(of: DoctorAnswer([finding])))
        let said = try #require(answer["findings"]?.array?.first?.object)
        #expect(said["found"]?.string == found)
        #expect(said["remedy"]?.string == remedy)
        #expect(said["check"] == "credential.production" && said["state"] == "wrong")
    }

    @Test("A verdict of several remarks is one text; English parts it with spaces, Chinese without")
    func verdict() throws {
        let verdict = [
            Remark(.verdictCertificateEnding, ["environment": "development", "days": 1]),
            Remark(.verdictNone, ["environment": "production"]),
        ]
        let answer: JSONObject = ["verdict": .string(verdict.found), "verdict_remarks": verdict.json]
        #expect(
            try Self.text(.english).localized(answer)["verdict"]?.string
                == "The app can push to development; the certificate ends in 1 day: issue a new one and add it. The app cannot "
                + "push to production: it has no credential for it."
        )
        #expect(
            try Self.text(.simplifiedChinese).localized(answer)["verdict"]?.string
                == "App 可以向开发环境推送；证书将在 1 天后到期，请签发新证书并添加。App 不能向生产环境推送：没有该环境的凭证。"
        )
    }

    @Test("A refusal of APNs is explained with Apple's reason in the user's language")
    func refusal() throws {
        let values = [
            "place": "apns:443", "reason": "BadTopic", "advice": APNSReason.badTopic.advice.clause,
            "remedy": APNSReason.badTopic.advice.remedy,
        ]
        let said = try Self.text(.simplifiedChinese).found([Remark(.trialRefused, values)])
        #expect(said.hasPrefix("apns:443 拒绝，原因为 BadTopic：topic 格式不对"))
        let unknown = values.merging(["reason": "HTTP 503", "advice": "the server is busy"]) { $1 }
        #expect(try Self.text(.english).found([Remark(.trialRefused, unknown)]).hasSuffix("the server is busy"))
    }

    @Test("A file that is not a credential, and a wrong parameter, are refused in the user's language")
    func refusals() throws {
        let chinese = try Self.text(.simplifiedChinese)
        let password = OperatorError(.unusableCredential, Remark(.filePasswordWrong, ["detail": "It does not open."]))
        #expect(password.message == "It does not open.")
        #expect(
            password.json.object?["error"]?.object?["remarks"] == [
                ["code": "filePasswordWrong", "values": ["detail": "It does not open."]]
            ]
        )
        let remark = try #require(password.remark)
        #expect(chinese.found([remark]) == "密码打不开该文件。请填写导出时设置的密码。")
        let values = ["key": "bundle_id", "found": "'a b'", "expected": "letters, digits, '-' and '.'"]
        #expect(chinese.found([Remark(.parameter, values)]) == "“Bundle ID”的值无效，应为：字母、数字、“-”和“.”。（'a b'）")
        #expect(
            try Self.text(.english).found([Remark(.parameter, values)])
                == "The bundle ID is 'a b'; expected letters, digits, '-' and '.'."
        )
    }

    @Test("An answer of a newer service keeps its English where this version does not know a code")
    func unknownCode() throws {
        let answer: JSONObject = [
            "found": "Something new.", "remedy": .null, "remarks": [["code": "somethingNew", "values": [:]]],
        ]
        #expect(try Self.text(.simplifiedChinese).localized(answer) == answer)
    }

    @Test("No two cases of Try it have the same label", arguments: Language.allCases)
    func labels(_ language: Language) throws {
        let texts = try Catalogue(language, from: .embedded)
        for major in SystemProfile.majors {
            let labels = MatrixRow.all(iOS: major).map {
                "\($0.values(in: texts).json["id"]?.string ?? "") \($0.label(in: texts))"
            }
            let repeated = Dictionary(grouping: labels) { $0 }.filter { $0.value.count > 1 }.keys
            #expect(repeated.isEmpty, "iOS \(major): \(repeated)")
            #expect(!labels.contains { $0.contains("phone.") }, "Each word is in the catalogue.")
        }
    }
}
