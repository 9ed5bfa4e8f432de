import Foundation
import PushModel
import Testing

/// A push body made of the smallest valid one and a few changes.
private func body(
    platform: String? = "\"all\"",
    audience: String? = "\"all\"",
    notification: String? = "{\"alert\":\"hi\"}",
    _ more: String...
) -> String {
    var members = more
    if let platform { members.append("\"platform\":\(platform)") }
    if let audience { members.append("\"audience\":\(audience)") }
    if let notification { members.append("\"notification\":\(notification)") }
    return "{" + members.joined(separator: ",") + "}"
}

private func digits(_ count: Int) -> String { String(repeating: "1", count: count) }

private func strings(_ count: Int, _ prefix: String = "a") -> String {
    "[" + (0..<count).map { "\"\(prefix)\($0)\"" }.joined(separator: ",") + "]"
}

private func zones(_ count: Int) -> String {
    let known = TimeZone.knownTimeZoneIdentifiers
    return "[" + (0..<count).map { "\"\(known[$0 % known.count])\"" }.joined(separator: ",") + "]"
}

private func ios(_ members: String) -> String { body(notification: "{\"ios\":{\(members)}}") }

private func options(_ members: String) -> String { body("\"options\":{\(members)}") }

/// The code with which `text` is refused; nil if it is accepted.
private func code(_ text: String) -> Int? {
    do {
        _ = try PushRequest(parsing: Array(text.utf8))
        return nil
    } catch {
        return error.code
    }
}

private func request(_ text: String) throws -> PushRequest { try PushRequest(parsing: Array(text.utf8)) }

private func sentence(_ text: String) throws -> String {
    try #require(throws: JPushError.self) { try request(text) }.message
}

@Suite("The required members of a push")
struct PushRequiredKeysTests {
    @Test(
        "A body that is not a push object is 1002",
        arguments: [
            "", "{", "hello", "[]", "\"x\"", "null", "1", "{\"platform\":\"all\",}", body() + "x",
            body(platform: nil), body(audience: nil), body(notification: nil), "{}",
            body(notification: nil, "\"message\":{}"), body(notification: nil, "\"message\":{\"title\":\"t\"}"),
            body("\"message\":{\"title\":\"t\"}"),
        ]
    )
    func missing(_ text: String) {
        #expect(code(text) == 1002)
    }

    @Test("A syntax error is told by line and column")
    func syntaxErrorIsPlaced() throws {
        let text = "{\"platform\":\"all\",\n\"audience\":\"all\",\n\"notification\":{\"alert\":\"x\",}}"
        #expect(try sentence(text).contains("line 3, column 29"))
    }

    @Test("The missing key is named")
    func namesTheKey() throws {
        #expect(try sentence(body(platform: nil)).contains("'platform'"))
        #expect(try sentence(body(audience: nil)).contains("'audience'"))
        #expect(try sentence(body(notification: nil)).hasPrefix("Missing parameter"))
    }

    @Test("An empty message beside a notification stands for none")
    func emptyMessage() {
        #expect(code(body("\"message\":{}")) == nil)
    }
}

@Suite("Platforms of a push")
struct PushPlatformTests {
    @Test(
        "A name, an array of names, all, and what PHP makes of a filtered array",
        arguments: [
            ("\"all\"", Set(Platform.allCases)), ("\"ios\"", [.ios]), ("[\"ios\"]", [.ios]),
            ("[\"android\",\"ios\",\"winphone\",\"quickapp\",\"hmos\"]", Set(Platform.allCases)),
            ("{\"1\":\"ios\"}", [.ios]), ("{\"0\":\"android\",\"2\":\"hmos\"}", [.android, .hmos]),
        ] as [(String, Set<Platform>)]
    )
    func accepts(_ platform: String, _ platforms: Set<Platform>) throws {
        #expect(try request(body(platform: platform)).platforms == platforms)
    }

    @Test(
        "Anything else is 1003",
        arguments: [
            "\"all_platform\"", "\"IOS\"", "\"\"", "[]", "{}", "[\"ios\",\"palm\"]", "[1]", "1", "true", "[\"all\"]",
        ]
    )
    func refuses(_ platform: String) {
        #expect(code(body(platform: platform)) == 1003)
    }
}

@Suite("Audience of a push")
struct PushAudienceTests {
    @Test("Reads every key, and leaves out empty arrays")
    func readsEveryKey() throws {
        let text = """
            {"tag":["a","b"],"tag_and":["c"],"tag_not":["d"],"alias":["e"],"registration_id":["0f"],"segment":[]}
            """
        guard case .filter(let filter) = try request(body(audience: text)).audience else {
            Issue.record("A filter was expected.")
            return
        }
        #expect(filter.tags == ["a", "b"])
        #expect(filter.tagsAnd == ["c"])
        #expect(filter.tagsNot == ["d"])
        #expect(filter.aliases == ["e"])
        #expect(filter.registrationIDs.map(\.text) == ["0f"])
        #expect(filter.segments.isEmpty)
        #expect(try request(body()).audience == .all)
    }

    @Test("An audience without a target is refused with all keys that it may have")
    func empty() {
        let error = #expect(throws: JPushError.self) { try request(body(audience: "{\"x_pushes\":[]}")) }
        #expect(error?.message.contains("abtest, x_pushes, x_opened_nothing_for_days that is not empty") == true)
    }

    @Test("A segment or a group of an A/B test is a name", arguments: ["segment", "abtest"])
    func segments(_ key: String) throws {
        var expected = Audience.Filter()
        expected.segments = ["s"]
        #expect(try request(body(audience: "{\"\(key)\":[\"s\"]}")).audience == .filter(expected))
    }

    @Test(
        "The rule of a segment is checked",
        arguments: [
            ("{}", nil), ("{\"audience\":\"all\",\"zone\":[\"Asia/Shanghai\"]}", nil), ("[]", 1002),
            ("{\"audience\":{}}", nil), ("{\"audience\":[],\"system\":[\"iOS 17\"]}", nil),
            ("{\"attributes\":[]}", nil),
            ("{\"app_version\":[]}", nil), ("{\"share\":[]}", 1002), ("{\"audience\":[\"a\"]}", 1003),
            ("{\"audience\":{\"segment\":[\"s\"]}}", 1003),
            ("{\"audience\":{\"registration_id\":[\"0f\"]}}", 1003), ("{\"audience\":{\"tag\":[\"a\"],\"x\":1}}", 1009),
            ("{\"audience\":{\"file\":{\"file_id\":\"f\"}}}", 1003), ("{\"zone\":\"Asia/Shanghai\"}", 1003),
            ("{\"seen_within_days\":0}", 1003), ("{\"unseen_for_days\":\"7\"}", 1003),
            ("{\"push_state\":[\"on\"]}", 1003),
            ("{\"app_version\":{\"since\":\"1\"}}", 1009), ("{\"share\":{\"test\":\"t\",\"from\":0,\"to\":100}}", nil),
            ("{\"share\":{\"test\":\"t\",\"from\":50,\"to\":50}}", 1003), ("{\"share\":{\"from\":0,\"to\":5}}", 1002),
            ("{\"age\":3}", 1009),
        ] as [(String, Int?)]
    )
    func segmentRules(_ rule: String, _ expected: Int?) throws {
        let json = try JSONValue(parsing: rule)
        var code: Int?
        do throws(JPushError) { _ = try Segment(name: "s", rule: json) } catch { code = error.code }
        #expect(code == expected)
    }

    @Test(
        "The rule of a new segment is limited in size, number and length",
        arguments: [
            ("{\"app_version\":{\"from\":\"\(digits(256))\"}}", nil),
            ("{\"app_version\":{\"from\":\"\(digits(257))\"}}", 1003),
            ("{\"app_version\":{\"to\":\"\(digits(257))\"}}", 1003),
            ("{\"app_version\":{\"from\":\"\(digits(16_400))\"}}", 1005),
            ("{\"system\":\(strings(100))}", nil), ("{\"system\":\(strings(101))}", 1003),
            ("{\"system\":[\"\(digits(257))\"]}", 1003),
            ("{\"zone\":\(zones(500))}", nil), ("{\"zone\":\(zones(501))}", 1003),
            ("{\"zone\":[\"\(digits(257))\"]}", 1003),
            ("{\"share\":{\"test\":\"\(digits(257))\",\"from\":0,\"to\":5}}", 1003),
            ("{\"attributes\":{\"a\":[\"\(digits(200))\"]}}", nil),
            ("{\"attributes\":{\"a\":[\"\(digits(201))\"]}}", 1003),
            ("[]", 1002), ("{", 1002),
        ] as [(String, Int?)]
    )
    func segmentLimits(_ rule: String, _ expected: Int?) {
        var code: Int?
        do throws(JPushError) { _ = try Segment(name: "s", parsing: Array(rule.utf8)) } catch { code = error.code }
        #expect(code == expected)
    }

    @Test(
        "A new rule with a word that means nothing, or with conditions that no device meets, is 1003",
        arguments: [
            ("{\"zone\":[\"Asia/Shanghai\",\"Asia/Calcutta\",\"UTC\",\"PRC\",\"Europe/Kyiv\"]}", nil),
            ("{\"zone\":[\"CST\"]}", "'CST' may mean America/Chicago"),
            ("{\"zone\":[\"asia/shanghai\"]}", "'asia/shanghai'"),
            ("{\"zone\":[\"Asia/Shanghai\",\"\"]}", "'zone' holds ''"),
            ("{\"zone\":[\" UTC\"]}", "'zone' holds ' UTC'"), ("{\"zone\":[\"Asia\"]}", "'zone' holds 'Asia'"),
            ("{\"app_version\":{\"from\":\"2.0\",\"to\":\"2.0.0\"}}", nil),
            ("{\"app_version\":{\"from\":\"v2.0\"}}", "'app_version.from' is 'v2.0'"),
            ("{\"app_version\":{\"from\":\"latest\"}}", "'app_version.from' is 'latest'"),
            ("{\"app_version\":{\"to\":\"2.x\"}}", "'app_version.to' is '2.x'"),
            ("{\"app_version\":{\"to\":\"2..1\"}}", "'2..1'"),
            ("{\"app_version\":{\"to\":\"2.0-beta\"}}", "'2.0-beta'"),
            ("{\"app_version\":{\"to\":\" 2.0\"}}", "' 2.0'"), ("{\"app_version\":{\"to\":\"２\"}}", "'２'"),
            ("{\"app_version\":{\"from\":\"1.10\",\"to\":\"1.9\"}}", "later than 'app_version.to'"),
            ("{\"seen_within_days\":30,\"unseen_for_days\":7}", nil),
            ("{\"seen_within_days\":7,\"unseen_for_days\":30}", "no device is in the segment"),
            ("{\"seen_within_days\":7,\"unseen_for_days\":7}", "no device is in the segment"),
            ("{\"system\":[\"\"]}", "'system' holds an empty text"),
            ("{\"attributes\":{\"a\":[\"\"]}}", "'attributes.a' holds an empty text"),
            ("{\"audience\":{\"tag\":[\"a\",\"b\"],\"tag_not\":[\"a\"]}}", nil),
            ("{\"audience\":{\"tag\":[\"a\"],\"tag_not\":[\"b\",\"a\"]}}", "excludes the tags"),
            ("{\"audience\":{\"tag_and\":[\"a\",\"b\"],\"tag_not\":[\"a\"]}}", "excludes the tags"),
        ] as [(String, String?)]
    )
    func segmentMeaning(_ rule: String, _ words: String?) throws {
        // A stored rule of an earlier version stays readable.
        _ = try Segment(name: "s", rule: try JSONValue(parsing: rule))
        var error: JPushError?
        do throws(JPushError) { _ = try Segment(name: "s", parsing: Array(rule.utf8)) } catch let found {
            error = found
        }
        #expect(error?.code == words.map { _ in 1003 })
        #expect(error?.message.contains(words ?? "") ?? true, "\(error?.message ?? "")")
    }

    @Test(
        "A zone of a segment is meant by each of its names",
        arguments: [
            ("Asia/Kolkata", "Asia/Calcutta"), ("Europe/Kiev", "Europe/Kyiv"), ("Asia/Ho_Chi_Minh", "Asia/Saigon"),
            ("UTC", "Etc/UTC"), ("Etc/UTC", "GMT"), ("Zulu", "UTC"), ("Asia/Shanghai", "PRC"),
            ("America/Los_Angeles", "US/Pacific"), ("GMT+8", "GMT+0800"), ("Asia/Calcutta", "Asia/Kolkata"),
        ]
    )
    func zoneNames(_ name: String, _ other: String) throws {
        let segment = try Segment(name: "s", rule: ["zone": [.string(name)]])
        #expect(segment.hasZones && segment.includes(zone: name) && segment.includes(zone: other))
        #expect(!segment.includes(zone: "Europe/Berlin") && !segment.includes(zone: "CST"))
        #expect(segment.rule == ["zone": [.string(name)]], "It is shown as it was written.")
    }

    @Test("Names of segments and values of attributes are compared by their scalars")
    func exactSegments() throws {
        let segment = try Segment(name: "\u{F914}", rule: ["attributes": ["city": ["\u{E9}"]]])
        #expect(segment != (try Segment(name: "\u{6A02}", rule: segment.rule)))
        let values = try #require(segment.attributes["city"])
        #expect(values.contains(ExactText("\u{E9}")) && !values.contains(ExactText("e\u{301}")))
    }

    @Test("Versions are compared number by number")
    func versions() {
        let versions = Segment.Versions(from: "1.9", to: "2.0")
        for version in ["1.9", "1.9.0", "1.10", "2", "2.0.0"] { #expect(versions.contains(version), "\(version)") }
        for version in ["1.8.9", "1", "2.0.1", "2.1", "", "x"] { #expect(!versions.contains(version), "\(version)") }
        let old = Segment.Versions(to: "2.0")
        for version in ["1.8.9", "2.0 beta"] { #expect(old.contains(version), "\(version)") }
        // More than 64 bits, and texts that are no versions.
        for version in ["18446744073709551616", "v1.0", "latest", ""] { #expect(!old.contains(version), "\(version)") }
    }

    @Test(
        "Members are counted",
        arguments: [
            ("{\"tag\":\(strings(20))}", nil), ("{\"tag\":\(strings(21))}", 1003),
            ("{\"tag_and\":\(strings(21))}", 1003),
            ("{\"tag_not\":\(strings(21))}", 1003), ("{\"alias\":\(strings(1000))}", nil),
            ("{\"alias\":\(strings(1001))}", 1003), ("{\"registration_id\":\(strings(1000))}", nil),
            ("{\"registration_id\":\(strings(1001))}", 1003), ("{\"segment\":\(strings(2))}", 1003),
            ("{\"abtest\":\(strings(2))}", 1003),
        ] as [(String, Int?)]
    )
    func counts(_ audience: String, _ expected: Int?) {
        #expect(code(body(audience: audience)) == expected)
    }

    @Test(
        "A wrong kind, an empty name or a forbidden character is 1003",
        arguments: [
            "\"all_audience\"", "\"\"", "1", "[]", "{}", "{\"tag\":[]}", "{\"tag\":[],\"alias\":[]}",
            "{\"tag\":\"a\"}", "{\"tag\":[1]}", "{\"tag\":[\"\"]}", "{\"tag\":[\"a b\"]}", "{\"alias\":{\"0\":\"a\"}}",
            "{\"alias\":[\"a-b\"]}", "{\"tag_not\":[\"é\"]}", "{\"tag_and\":null}", "{\"registration_id\":[\"a/b\"]}",
            "{\"tag\":[\"12345678901234567890123456789012345678901\"]}",
        ]
    )
    func refuses(_ audience: String) {
        #expect(code(body(audience: audience)) == 1003)
    }

    @Test("A value that is no array gets the sentence that client code knows")
    func sentenceForWrongKind() throws {
        #expect(try sentence(body(audience: "{\"tag\":\"a\"}")).hasPrefix("Audience value must be JSON Array format!"))
    }

    @Test("An unknown key is 1009, also beside a known one")
    func unknownKey() {
        #expect(code(body(audience: "{\"tag\":[\"a\"],\"tags\":[\"b\"]}")) == 1009)
    }
}

@Suite("Notification of a push")
struct PushNotificationTests {
    @Test(
        "Wrong kinds and a missing alert are 1003",
        arguments: [
            body(notification: "\"text\""), body(notification: "{}"), body(notification: "[]"),
            body(notification: "{\"ios\":\"text\"}"), body(notification: "{\"ios\":{}}"), ios("\"badge\":11"),
            body(notification: "{\"alert\":1}"), body(notification: "{\"alert\":{\"title\":\"t\"}}"),
            body(notification: "{\"alert\":\"x\",\"android\":\"text\"}"),
            body(notification: "{\"alert\":\"x\",\"hmos\":[1]}"),
            body(notification: "{\"alert\":\"x\",\"android\":{\"builder_id\":\"x\"}}"),
            body(notification: "{\"android\":{\"alert\":\"x\"}}"),
            ios("\"alert\":1"), ios("\"alert\":[\"x\"]"), ios("\"alert\":null"), ios("\"alert\":\"x\",\"sound\":1"),
            ios("\"alert\":\"x\",\"sound\":{\"volume\":1.1}"), ios("\"alert\":\"x\",\"sound\":{\"volume\":\"1\"}"),
            ios("\"alert\":\"x\",\"category\":1"), ios("\"alert\":\"x\",\"thread-id\":1"),
            ios("\"alert\":\"x\",\"interruption-level\":\"loud\""), ios("\"alert\":\"x\",\"interruption-level\":1"),
            ios("\"alert\":\"x\",\"extras\":\"x\""), ios("\"alert\":\"x\",\"extras\":[1]"),
            ios("\"alert\":\"x\",\"content-available\":\"yes\""), ios("\"alert\":\"x\",\"content-available\":2"),
            ios("\"alert\":\"x\",\"mutable-content\":1.5"), ios("\"alert\":\"x\",\"relevance-score\":\"1\""),
            ios("\"content-available\":0"), ios("\"content-available\":false"), ios("\"mutable-content\":1"),
        ]
    )
    func refuses(_ text: String) {
        #expect(code(text) == 1003)
    }

    @Test(
        "Everything that the documents allow is accepted",
        arguments: [
            body(), body(notification: "{\"alert\":\"\"}"), body(notification: "{\"alert\":\"x\",\"ios\":{}}"),
            body(notification: "{\"alert\":\"x\",\"alternate_alert\":\"y\"}"), ios("\"alert\":\"x\""),
            ios("\"alert\":{\"title\":\"t\",\"body\":\"b\",\"any\":1}"), ios("\"content-available\":true"),
            ios("\"content-available\":1"), ios("\"alert\":\"x\",\"content-available\":0,\"mutable-content\":0"),
            ios("\"alert\":\"x\",\"interruption-level\":\"time-sensitive\""),
            ios("\"alert\":\"x\",\"sound\":{\"critical\":1,\"name\":\"n\",\"volume\":0}"),
            ios("\"alert\":\"x\",\"extras\":[]"), ios("\"alert\":\"x\",\"extras\":{\"any\":[1,{\"b\":null}]}"),
            body(platform: "[\"android\"]", notification: "{\"android\":{\"alert\":\"x\"}}"),
            body(notification: "{\"alert\":\"x\",\"android\":{\"builder_id\":1,\"anything\":[]}}"),
            body(notification: "{\"alert\":\"x\",\"winphone\":{\"_open_page\":\"/\"},\"quickapp\":{\"page\":\"p\"}}"),
        ]
    )
    func accepts(_ text: String) {
        #expect(code(text) == nil)
    }

    @Test("The platform's own alert overrides the shared one, also by being empty")
    func ownAlert() throws {
        let shared = "\"alert\":\"shared\""
        #expect(try request(body(notification: "{\(shared)}")).notification.alert == "shared")
        #expect(try request(body(notification: "{\(shared),\"ios\":{}}")).notification.alert == "shared")
        #expect(try request(body(notification: "{\(shared),\"ios\":{\"alert\":\"own\"}}")).notification.alert == "own")
        #expect(try request(body(notification: "{\(shared),\"ios\":{\"alert\":\"\"}}")).notification.alert == nil)
    }

    @Test(
        "A badge is a number, or one as a string, with a sign to add",
        arguments: [
            ("0", .set(0)), ("5", .set(5)), ("99999", .set(99_999)), ("\"5\"", .set(5)), ("\"\"", .set(0)),
            ("\"+1\"", .add(1)),
            ("\"-2\"", .add(-2)), ("\"+0\"", .add(0)), ("\"0\"", .set(0)), ("-1", nil), ("100000", nil),
            ("\"100000\"", nil),
            ("\"+100000\"", nil), ("\"a\"", nil), ("\"+\"", nil), ("\"++1\"", nil), ("\"+-1\"", nil), ("\"1+\"", nil),
            ("\" 1\"", nil), ("1.0", .set(1)), ("1.5", nil), ("true", nil), ("[]", nil),
            ("\"99999999999999999999\"", nil), ("\"-9223372036854775808\"", nil), ("\"+9223372036854775807\"", nil),
            ("-9223372036854775808", nil), ("\"１\"", nil), ("\"+１\"", nil),
        ] as [(String, BadgeChange?)]
    )
    func badge(_ text: String, _ change: BadgeChange?) throws {
        let text = ios("\"alert\":\"x\",\"badge\":\(text)")
        if let change {
            #expect(try request(text).notification.badge == change)
        } else {
            #expect(code(text) == 1003)
        }
    }

    @Test("Is silent only when there is nothing to see or hear")
    func silent() throws {
        #expect(try request(ios("\"content-available\":1")).notification.isSilent)
        #expect(try request(ios("\"content-available\":true,\"alert\":\"\",\"sound\":\"\"")).notification.isSilent)
        for member in ["\"alert\":\"x\"", "\"sound\":\"s\"", "\"badge\":0"] {
            #expect(try !request(ios("\"content-available\":1,\(member)")).notification.isSilent)
        }
        #expect(try !request(ios("\"alert\":\"\"")).notification.isSilent)
    }

    @Test(
        "Keys written with underscores are 1009 and the right one is named",
        arguments: [
            ("content_available", "content-available"), ("thread_id", "thread-id"),
            ("mutable_content", "mutable-content"),
        ]
    )
    func underscoreHint(_ wrong: String, _ right: String) throws {
        let text = ios("\"alert\":\"x\",\"\(wrong)\":1")
        #expect(code(text) == 1009)
        #expect(try sentence(text).contains("'notification.ios.\(wrong)'"))
        #expect(try sentence(text).contains("Did you mean '\(right)'?"))
    }

    @Test("No hint is given where there is nothing to hint at")
    func noHint() throws {
        #expect(try !sentence(ios("\"alert\":\"x\",\"colour\":1")).contains("Did you mean"))
    }

    @Test(
        "Unknown keys are 1009",
        arguments: [
            body("\"notifications\":{}"), body("\"extras\":{}"),
            body(notification: "{\"alert\":\"x\",\"title\":\"t\"}"),
            ios("\"alert\":\"x\",\"title\":\"t\""), ios("\"alert\":\"x\",\"aps\":{}"),
        ]
    )
    func unknownKeys(_ text: String) {
        #expect(code(text) == 1009)
    }
}

@Suite("Size of a push")
struct PushSizeTests {
    @Test("The ios object has at most 3584 bytes, braces and all")
    func iosObject() {
        let frame = "{\"alert\":\"\"}".utf8.count
        #expect(code(ios("\"alert\":\"\(String(repeating: "x", count: 3584 - frame))\"")) == nil)
        #expect(code(ios("\"alert\":\"\(String(repeating: "x", count: 3585 - frame))\"")) == 1005)
        #expect(code(ios("\"alert\":\"\(String(repeating: "中", count: 1195))\"")) == 1005)
    }

    @Test("A shared alert is measured as an ios object of its own")
    func sharedAlert() {
        let frame = "{\"alert\":\"\"}".utf8.count
        #expect(code(body(notification: "{\"alert\":\"\(String(repeating: "x", count: 3584 - frame))\"}")) == nil)
        #expect(code(body(notification: "{\"alert\":\"\(String(repeating: "x", count: 3585 - frame))\"}")) == 1005)
    }

    @Test("The composed payload has at most 4096 bytes, whatever its parts")
    func composedPayload() {
        let alert = String(repeating: "x", count: 3500)
        let extras = String(repeating: "y", count: 3500)
        let text = "{\"alert\":\"\(alert)\",\"ios\":{\"extras\":{\"k\":\"\(extras)\"}}}"
        #expect(code(body(notification: text)) == 1005)
    }
}

@Suite("Options of a push")
struct PushOptionsTests {
    @Test("Without options a push is a production push that lives a day")
    func defaults() throws {
        let options = try request(body()).options
        #expect(options == PushOptions())
        #expect(options.environment == .production)
        #expect(options.timeToLive == 86_400)
        #expect(options.sendno == 0)
    }

    @Test("Reads what means something here")
    func reads() throws {
        let text = """
            "sendno":7,"time_to_live":0,"big_push_duration":1400,"apns_collapse_id":"c","override_msg_id":9007199254740993
            """
        let read = try request(options(text)).options
        #expect(read.sendno == 7)
        #expect(read.timeToLive == 0)
        #expect(read.pacedMinutes == 1400)
        #expect(read.collapseID == "c")
        #expect(read.overriddenMessage == MessageID(9_007_199_254_740_993))
    }

    @Test(
        "apns_production takes booleans and the strings of the official examples",
        arguments: [
            ("true", .production), ("false", .development), ("\"true\"", .production), ("\"false\"", .development),
            ("1", .production), ("0", .development), ("\"1\"", .production), ("\"0\"", .development),
            ("1.0", .production),
            ("2", nil), ("\"yes\"", nil), ("\"\"", nil), ("null", .production),
        ] as [(String, APNSEnvironment?)]
    )
    func production(_ value: String, _ environment: APNSEnvironment?) throws {
        let text = options("\"apns_production\":\(value)")
        if let environment {
            #expect(try request(text).options.environment == environment)
        } else {
            #expect(code(text) == 1003)
        }
    }

    @Test(
        "Bad values are 1003",
        arguments: [
            "\"sendno\":-1", "\"sendno\":4294967296", "\"sendno\":\"1x\"", "\"sendno\":1.5",
            "\"time_to_live\":-1", "\"time_to_live\":864001", "\"time_to_live\":\"864001\"", "\"time_to_live\":\"12x\"",
            "\"time_to_live\":\"\"",
            "\"time_to_live\":\" 60\"", "\"time_to_live\":\"60.0\"", "\"time_to_live\":true",
            "\"big_push_duration\":1401",
            "\"big_push_duration\":-1", "\"override_msg_id\":\"x\"", "\"apns_collapse_id\":1",
            "\"apns_collapse_id\":\"\(String(repeating: "a", count: 65))\"",
            "\"apns_collapse_id\":\"\(String(repeating: "中", count: 22))\"", "\"classification\":2",
            "\"notification_3rd_ver\":\"v3\"", "\"test_message\":2", "\"receipt_id\":1", "\"third_party_channel\":[1]",
            "\"target_event\":\"e\"", "\"target_event\":[1]", "\"active_push\":\"x\"",
        ]
    )
    func refuses(_ members: String) {
        #expect(code(options(members)) == 1003)
    }

    @Test(
        "The edges, the other channels' options and unknown ones are accepted",
        arguments: [
            "\"sendno\":0", "\"sendno\":4294967295", "\"time_to_live\":864000",
            "\"apns_collapse_id\":\"\(String(repeating: "a", count: 64))\"", "\"classification\":1",
            "\"third_party_channel\":{\"xiaomi\":{}}", "\"target_event\":[\"e\"]", "\"notification_3rd_ver\":\"v2\"",
            "\"test_model\":false", "\"brand_new_option\":[1,2]", "",
        ]
    )
    func accepts(_ members: String) {
        #expect(code(options(members)) == nil)
    }

    @Test(
        "A collapse id that no header field can carry is 1003",
        arguments: [
            "\\u0000", "a\\u0001b", "a\\nb", "a\\r\\nb", "a\\tb", "a\\u001f", "\\u007f", " order 7", "order 7 ", " ",
        ]
    )
    func apnotic42_collapseIDThatNoHeaderCarries(_ text: String) {
        #expect(code(options("\"apns_collapse_id\":\"\(text)\"")) == 1003)
    }

    @Test("Any other collapse id of 64 bytes is accepted", arguments: ["a b", "一二", "é", "order-7", "~!@#$%^&*()"])
    func apnotic42_otherCollapseIDs(_ text: String) throws {
        #expect(try request(options("\"apns_collapse_id\":\"\(text)\"")).options.collapseID == text)
    }

    @Test("Options that are no object are 1003", arguments: ["[1]", "\"x\"", "1"])
    func wrongKind(_ value: String) {
        #expect(code(body("\"options\":\(value)")) == 1003)
    }
}

@Suite("Other members of a push")
struct PushOtherMembersTests {
    @Test(
        "Their kinds are checked and they are otherwise left alone",
        arguments: [
            ("\"sms_message\":{\"temp_id\":1,\"delay_time\":3600}", nil),
            // None is sent, so that what it lacks matters to nobody; it has a warning.
            ("\"sms_message\":{\"content\":\"c\"}", nil), ("\"sms_message\":{\"temp_id\":1}", nil),
            ("\"sms_message\":{\"delay_time\":1}", nil), ("\"sms_message\":{}", nil),
            ("\"sms_message\":{\"temp_id\":\"x\",\"delay_time\":1}", 1003),
            ("\"sms_message\":{\"temp_id\":1,\"delay_time\":86401}", 1003), ("\"sms_message\":\"x\"", 1003),
            ("\"inapp_message\":{\"inapp_message\":true}", nil), ("\"inapp_message\":true", 1003),
            ("\"notification_3rd\":{\"title\":\"t\"}", nil), ("\"notification_3rd\":[1]", 1003), ("\"cid\":\"x\"", nil),
            ("\"cid\":1", 1003), ("\"cid\":\"\"", 1003),
        ] as [(String, Int?)]
    )
    func kinds(_ member: String, _ expected: Int?) {
        #expect(code(body(member)) == expected)
    }

    @Test("An empty cid is said to be empty, and not to be a string")
    func emptyCID() throws {
        let sentence = try sentence(body("\"cid\":\"\""))
        #expect(sentence == "'cid' is empty; expected the app's key, '-' and a UUID, or none.")
    }

    @Test(
        "A member that is understood but not supported is refused with 403 and 2007, never dropped",
        arguments: [options("\"test_model\":true")]
    )
    func notServed(_ text: String) throws {
        let error = try #require(throws: JPushError.self) { try request(text) }
        #expect(error.code == 2007)
        #expect(error.status == 403)
        #expect(error.message.contains("this version of Posthorn"))
    }
}

@Suite("Order of checks")
struct PushCheckOrderTests {
    private static let large = String(repeating: "x", count: 4000)

    @Test(
        "Missing before bad before unknown before too large",
        arguments: [
            // Everything is wrong at once, then one thing less each time.
            ("{\"platform\":\"palm\",\"what\":1,\"notification\":{\"alert\":\"\(large)\"}}", 1002),
            (body(platform: "\"palm\"", notification: "{\"alert\":\"\(large)\"}", "\"what\":1"), 1003),
            (body(notification: "{\"alert\":\"\(large)\"}", "\"what\":1"), 1009),
            (body(notification: "{\"alert\":\"\(large)\"}"), 1005),
            // The bad value may stand anywhere.
            (body("\"what\":1", "\"options\":{\"time_to_live\":-1}"), 1003),
            (body("\"what\":1", "\"cid\":1"), 1003),
            (body("\"what\":1", "\"sms_message\":1"), 1003),
            (body(audience: "{\"what\":[\"a\"]}", notification: "{\"alert\":1}"), 1003),
            (body(notification: "{\"ios\":{\"alert\":\"x\",\"badge\":\"x\",\"content_available\":1}}"), 1003),
        ]
    )
    func order(_ text: String, _ expected: Int) {
        #expect(code(text) == expected)
    }
}

@Suite("Pushes written by PHP")
struct PHPPushTests {
    @Test(
        "An empty array in the place of an object is an empty object",
        arguments: [
            "\"options\":X", "\"message\":X", "\"inapp_message\":X", "\"sms_message\":X", "\"notification_3rd\":X",
            "\"live_activity\":X", "\"callback\":X", "\"options\":{\"third_party_channel\":X,\"geofence\":X}",
            "\"notification\":X", "\"notification\":{\"alert\":\"a\",\"ios\":X,\"android\":X,\"voip\":X}",
            "\"notification\":{\"ios\":{\"alert\":X,\"sound\":X,\"extras\":X}}",
            "\"audience\":X",
        ]
    )
    func emptyArrays(_ member: String) throws {
        func outcome(_ empty: String) -> Result<PushRequest, JPushError> {
            let given = member.replacing("X", with: empty)
            let text = body(
                audience: given.hasPrefix("\"audience\"") ? nil : "\"all\"",
                notification: given.hasPrefix("\"notification\":") ? nil : "{\"alert\":\"hi\"}",
                given
            )
            return Result { () throws(JPushError) in try PushRequest(parsing: Array(text.utf8)) }
        }
        #expect(outcome("[]") == outcome("{}"))
    }

    @Test("Arrays that are the caller's own, or not empty, stay what they are")
    func arrays() throws {
        #expect(code(body("\"options\":[]")) == nil)
        #expect(code(body("\"options\":[1]")) == 1003)
        let extras = try request(ios("\"alert\":\"a\",\"extras\":{\"options\":[],\"ios\":[]}")).notification.extras
        #expect(extras == ["options": [], "ios": []])
    }
}

@Suite("JPush errors")
struct JPushErrorTests {
    @Test(
        "Each code has its status",
        arguments: [
            (JPushError.internalError(), 500, 1000), (.missing(""), 400, 1002),
            (.badValue(""), 400, 1003), (.unauthorized, 401, 1004), (.tooLarge(""), 400, 1005),
            (.illegalAppKey(""), 400, 1008),
            (.unsupportedKey(""), 400, 1009), (.noTarget(MessageID(1)), 400, 1011),
            (.tooManyPacedPushes(""), 400, 1012),
            (.rateLimited, 429, 2002), (.notServed(""), 403, 2007),
        ]
    )
    func statuses(_ error: JPushError, _ status: Int, _ code: Int) {
        #expect(error.status == status)
        #expect(error.code == code)
    }

    @Test("The body holds an error object, and for 1011 the msg_id as a string beside it")
    func json() {
        #expect(JPushError.unauthorized.json.text == "{\"error\":{\"code\":1004,\"message\":\"Authen failed\"}}")
        let json = JPushError.noTarget(MessageID(18_103_083_292_408_631)).json.text
        let expected = """
            {"msg_id":"18103083292408631","error":{"code":1011,"message":"cannot find user by this audience or has been \
            inactive for more than 255 days"}}
            """
        #expect(json == expected)
    }
}
