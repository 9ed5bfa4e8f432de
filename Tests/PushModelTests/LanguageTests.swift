import Testing

@testable import PushModel

@Suite("Texts by language")
struct LanguageTests {
    @Test(
        """
        A reader gets the text of the own script: of the own region before that of a parent by CLDR, and before that of another region, in \
        any order of the texts
        """,
        arguments: [
            ("zh-HK", ["zh-Hans", "zh-Hant"], "zh-Hant"), ("zh-Hant-HK", ["zh", "zh-TW"], "zh-TW"),
            ("zh-TW", ["zh-HK", "zh-Hant", "zh-TW"], "zh-TW"), ("zh-MO", ["zh-CN", "zh-Hant"], "zh-Hant"),
            ("zh-Hans-HK", ["zh-Hant", "zh"], "zh"), ("zh-Hans-CN", ["en", "zh-Hans"], "zh-Hans"),
            ("zh", ["zh-CN"], "zh-CN"),
            ("zh_CN", ["zh-Hans"], "zh-Hans"), ("zh-HK", ["zh", "zh-Hans", "en"], nil),
            ("en-AU", ["en-GB", "en"], "en-GB"),
            ("en-AU", ["de", "en-GB", "en-US"], "en-GB"), ("en", ["en-GB"], "en-GB"),
            ("en-US", ["en", "en-US"], "en-US"),
            ("pt-BR", ["pt-PT", "pt-BR"], "pt-BR"), ("de-AT", ["de-CH"], "de-CH"), ("nb-NO", ["no"], "no"),
            ("iw", ["he"], "he"), ("id", ["in"], "in"), ("sr-ME", ["sr", "sr-Latn"], "sr-Latn"),
            ("sr", ["sr-Latn"], nil),
            ("de-DE-u-nu-latn", ["de"], "de"), ("fr", ["en", "de"], nil), ("EN-us", ["En"], "En"),
            ("fil", ["fil"], "fil"), ("tl", ["fil"], "fil"), ("fil-PH", ["tl"], "tl"), ("bh", ["bho"], "bho"),
            ("es-MX", ["es-ES", "es-419"], "es-419"), ("es-AR", ["es", "es-ES", "es-419"], "es-419"),
            ("es-MX", ["es-ES", "es-AR"], "es-AR"), ("es-MX", ["es-AR", "es"], "es"), ("es-MX", ["es-ES"], "es-ES"),
            ("pt-AO", ["pt-BR", "pt-PT"], "pt-PT"), ("pt", ["pt-PT", "pt-BR"], "pt-BR"),
            ("en-AU", ["en-US", "en-GB"], "en-GB"), ("en-IN", ["en-US", "en-GB"], "en-GB"),
            ("en-AU", ["en-US", "en-NZ"], "en-NZ"), ("en", ["en-GB", "en-US"], "en-US"),
            ("fr-BE", ["fr-CA", "fr-FR"], "fr-FR"), ("de-AT", ["de-CH", "de"], "de"),
            ("de-AT", ["de-LI", "de-CH"], "de-CH"),
            ("zh-MO", ["zh-TW", "zh-HK"], "zh-HK"), ("zh-Hant-MO", ["zh-Hant", "zh-HK"], "zh-HK"),
            ("zh-TW", ["zh-HK", "zh-Hant"], "zh-Hant"), ("zh-Hant", ["zh-HK", "zh-TW"], "zh-TW"),
            ("zh", ["zh-SG", "zh-CN"], "zh-CN"), ("zh-HK", ["yue"], nil),
            ("nn-NO", ["no"], "no"), ("nn-NO", ["nb", "nn"], "nn"), ("nb", ["nn"], nil), ("no", ["nb"], "nb"),
            ("cmn-Hant", ["zh-Hans", "zh-Hant"], "zh-Hant"), ("zh-cmn-Hans-CN", ["zh-CN"], "zh-CN"),
            ("yue-Hant-HK", ["zh-Hans", "zh-Hant"], "zh-Hant"), ("yue", ["zh-TW", "zh-HK"], "zh-HK"),
            ("zh-yue", ["zh-Hant", "yue"], "yue"), ("yue-Hans", ["zh-Hant", "zh"], "zh"), ("ar-arb", ["ar"], "ar"),
        ] as [(String, [String], String?)]
    )
    func best(_ reader: String, _ texts: [String], _ wanted: String?) throws {
        for texts in [texts, texts.reversed()] {
            let tags = try texts.map { try #require(LanguageTag($0)) }
            let place = tags.best(for: try #require(LanguageTag(reader)))
            #expect(place.map { texts[$0] } == wanted)
        }
    }

    @Test(
        "A language contains its forms, not those in another script",
        arguments: [
            ("zh", "zh-Hant-HK", true), ("zh", "zh", true), ("zh-Hans", "zh", true), ("zh-Hans", "zh-Hant-HK", false),
            ("zh-Hant", "zh-HK", true), ("zh-TW", "zh-HK", false), ("zh-CN", "zh-Hans-CN", true), ("en", "en-GB", true),
            ("en-GB", "en", false), ("sr", "sr-Latn", true), ("sr-Latn", "sr", false), ("en", "de", false),
        ]
    )
    func contains(_ whole: String, _ part: String, _ isMeant: Bool) throws {
        #expect(try #require(LanguageTag(whole)).contains(try #require(LanguageTag(part))) == isMeant)
    }

    @Test(
        "A text that names no language is none",
        arguments: [
            "", "cn", "jp", "xx", "title", "body", "e", "en-", "-en", "en--US", "en US", "zh-Hans-toolongsubtag", "mul",
            "und", "中文", "zh-xxx", "loc-key",
            String(repeating: "a", count: 40), "en" + String(repeating: "-abcdefgh", count: 5),
        ]
    )
    func noLanguage(_ text: String) { #expect(LanguageTag(text) == nil) }

    @Test("A segment's text that names no language is named with its place")
    func segment() throws {
        let error = #expect(throws: JPushError.self) { try Segment(name: "s", rule: ["language": ["en", "xx"]]) }
        #expect(error?.message == "Key 'language[1]' is 'xx'; expected a BCP 47 tag such as zh-Hans or en.")
    }

    private func request(_ ios: String, _ more: String = "") throws -> PushRequest {
        try PushRequest(
            parsing: Array(#"{"platform":"ios","audience":"all","notification":{"ios":{\#(ios)}}\#(more)}"#.utf8)
        )
    }

    @Test("Each device's language chooses its alert; a device in another language, or in none, gets the plain one")
    func chosen() throws {
        let request = try request(#""alert":"plain","x_localized":{"zh-Hans":{"title":"你好"},"en":"hello"}"#)
        let localized = request.notification.localized
        #expect(localized.names == ["zh-Hans", "en"])
        #expect(localized.alerts == [["title": "你好"], "hello"])
        #expect(["zh-CN", "en-GB", "fr", "?", nil].map { localized.place(for: $0) } == [0, 1, nil, nil, nil])
        #expect(request.notification.localized(at: 1).alert == "hello")
    }

    @Test(
        "Bad texts are refused with what was found",
        arguments: [
            (
                #""x_localized":{"en":"a"},"badge":1,"content-available":true"#, 1002,
                "'notification.ios.x_localized' needs it"
            ),
            (#""alert":"a","x_localized":{"cn":"a"}"#, 1003, "has 'cn', which is not a language"),
            (
                #""alert":"a","x_localized":{"zh-TW":"a","zh_tw":"b"}"#, 1003,
                "'zh-TW' and 'zh_tw', which are the same language"
            ),
            (#""alert":"a","x_localized":{"en":""}"#, 1003, "'notification.ios.x_localized.en' is empty; write a text"),
            (#""alert":"a","x_localized":{"en":{}}"#, 1003, "'notification.ios.x_localized.en' is empty; write a text"),
            (#""alert":"a","x_localized":{"en":5}"#, 1003, "expected a text, or an object"),
            (#""alert":"a","x_localized":"en""#, 1003, "expected an object"),
        ]
    )
    func refused(_ ios: String, _ code: Int, _ part: String) throws {
        let error = #expect(throws: JPushError.self) { try request(ios) }
        #expect(error?.code == code)
        #expect(error?.message.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test("A push has at most 50 languages, and each of its payloads keeps the limit; the texts do not count together")
    func limits() throws {
        let regions = (0..<51).map { #""en-\#(100 + $0)":"a""# }
        #expect(throws: JPushError.self) {
            try request(#""alert":"a","x_localized":{\#(regions.joined(separator: ","))}"#)
        }
        let long = String(repeating: "x", count: 3000)
        let texts = ["en", "de", "fr"].map { #""\#($0)":"\#(long)""# }.joined(separator: ",")
        #expect(try request(#""alert":"a","x_localized":{\#(texts)}"#).notification.localized.alerts.count == 3)
        let longer = String(repeating: "x", count: 4100)
        let error = #expect(throws: JPushError.self) { try request(#""alert":"a","x_localized":{"de":"\#(longer)"}"#) }
        #expect(error?.message.contains("in the language 'de'") == true)
    }

    @Test("The in-app message has the texts of the notification, or its own")
    func inApp() throws {
        let texts = #""alert":"plain","x_localized":{"de":{"title":"T","body":"B"}}"#
        let shown = try request(texts, #","inapp_message":{"inapp_message":true}"#)
        let german = try #require(shown.inAppMessage(inLanguageAt: 0))
        #expect((german.title, german.content, shown.inAppMessage?.content) == ("T", "B", "plain"))
        let own = try request(texts, #","inapp_message":{"inapp_message":true,"x_localized":{"fr":"F"}}"#)
        #expect(own.inAppMessage(inLanguageAt: 0)?.content == "F")
        #expect(own.inAppLanguages.place(for: "de") == nil)
        let long = String(repeating: "x", count: 3600)
        let error = #expect(throws: JPushError.self) {
            try request(texts, #","inapp_message":{"inapp_message":true,"x_localized":{"fr":"\#(long)"}}"#)
        }
        #expect(error?.message == "'inapp_message.x_localized.fr' has 3602 bytes; at most 3584 are allowed.")
    }

    @Test(
        "An alert with languages for members is a warning that names x_localized; a placeholder in a text is one with its place"
    )
    func warnings() throws {
        let body =
            #"{"platform":"ios","audience":"all","notification":{"ios":{"alert":{"en":"a","zh-Hans":{"title":"b"}}}}}"#
        let wrong = try PushRequest(parsing: Array(body.utf8)).warnings(in: Array(body.utf8))
        #expect(wrong == [PushWarning(kind: .languages, path: "notification.ios.alert", found: "en")])
        #expect(wrong[0].message.contains("notification.ios.x_localized"))
        let right =
            #"{"platform":"ios","audience":"all","notification":{"ios":{"alert":{"title":"a"},"x_localized":{"de":"${x}"}}}}"#
        #expect(
            try PushRequest(parsing: Array(right.utf8)).warnings(in: Array(right.utf8))
                == [PushWarning(kind: .placeholder, path: "notification.ios.x_localized.de", found: "${x}")]
        )
    }
}
