import PushModel
import Testing

@Suite("A device in a file")
struct DeviceImportTests {
    private func read(_ text: String) throws -> DeviceImport {
        try DeviceImport(try #require(try JSONValue(parsing: text).object))
    }

    /// Reads the fields in their places; nil if one of them has an unusual form.
    private func readUsual(_ text: String) throws -> DeviceImport? {
        var parser = JSONParser(bytes: Array(text.utf8))
        var keys = DeviceKeys { DeviceImport.Field(rawValue: $0) }
        try parser.start()
        let fields = try parser.deviceFields(&keys)
        try parser.end()
        return DeviceImport(fields, in: parser.bytes)
    }

    private func written(_ device: DeviceImport) throws -> JSONObject {
        var bytes: [UInt8] = []
        device.write(to: &bytes)
        return try #require(try JSONValue(parsing: bytes).object)
    }

    private func problem(_ text: String) throws -> String {
        let object = try #require(try JSONValue(parsing: text).object)
        do throws(DeviceImport.Problem) {
            _ = try DeviceImport(object)
            Issue.record("\(text) was read.")
            return ""
        } catch { return error.description }
    }

    @Test("All of it is read, and written so that it is read again")
    func whole() throws {
        let device = try read(
            """
            {"registration_id":"1a0018970a91c0c8a3f","token":"00FF","environment":"Development","alias":"bob",\
            "tags":["b","中","a","b"],"attributes":{"first_name":"Ana","old":null},"other":1,\
            "zone":"Asia/Shanghai","language":"zh-Hans","app_version":2,"system":"iOS 17.2"}
            """
        )
        #expect(device.registrationID == RegistrationID("1a0018970a91c0c8a3f"))
        #expect(device.token == DeviceToken(bytes: [0, 255]))
        #expect(device.environment == .development)
        #expect(device.alias == .set("bob"))
        #expect(device.tags == ["a", "b", "中"])
        #expect(try device.attributes?.attributes(after: ["old": "x"]) == ["first_name": "Ana"])
        #expect(
            device.facts == [
                .zone: "Asia/Shanghai", .language: "zh-Hans", .appVersion: "2", .system: "iOS 17.2",
            ]
        )
        #expect(try DeviceImport(try written(device)) == device)
    }

    @Test("A token is enough; what is empty clears alias and tags, what is missing leaves them")
    func least() throws {
        let least = try read("{\"token\":\"00\",\"alias\":null}")
        #expect(least == DeviceImport(token: DeviceToken(bytes: [0])))
        let empty = try read(
            "{\"token\":\"00\",\"registration_id\":\"\",\"environment\":\"\",\"alias\":\"\",\"tags\":\"\"}"
        )
        #expect(empty.alias == .cleared)
        #expect(empty.tags == [])
        #expect(empty.registrationID == nil)
        #expect(empty.environment == nil)
        #expect(try DeviceImport(try written(empty)) == empty)
    }

    @Test(
        "Fields of the usual form are read where they stand",
        arguments: [
            "{\"token\":\"00FF\"}",
            "{ \"token\" : \"\(String(repeating: "aB09", count: 16))\" , \"other\" : {\"token\":[1]} }",
            "{\"registration_id\":\"1a0018970a91c0c8a3f\",\"token\":\"00\",\"environment\":\"development\",\"alias\":\"a+b\"}",
            "{\"token\":\"00\",\"registration_id\":\"\",\"environment\":\"\",\"alias\":\"\",\"tags\":\"\",\"attributes\":\"\"}",
            "{\"token\":\"00\",\"registration_id\":null,\"environment\":null,\"alias\":null,\"tags\":null,\"attributes\":null}",
            "{\"token\":\"00\",\"tags\":[]}", "{\"token\":\"00\",\"tags\":[\"b\", \"中￥\" ,\"a\",\"b\"]}",
            "{\"token\":\"00\",\"tags\":\"b; a ,,a;\"}", "{\"token\":\"00\",\"alias\":\"樂\",\"tags\":\"vip\"}",
            "{\"token\":\"00\",\"attributes\":{\"b\":\"2\",\"a\":null}}",
            "{\"token\":\"00\",\"attributes\":\"{\\\"a\\\":1}\"}",
            "{\"token\":\"00\",\"zone\":\"UTC\",\"language\":\"樂\",\"app_version\":\"\",\"system\":null}",
            "{\"token\":\"01\",\"alias\":\"x\",\"token\":\"00\",\"alias\":null}",
        ]
    )
    func usual(_ text: String) throws {
        let device = try #require(try readUsual(text))
        #expect(try device == read(text))
        #expect(try DeviceImport(try written(device)) == device)
    }

    @Test(
        "Any other form is left to the reader of objects",
        arguments: [
            "{}", "{\"token\":\"\"}", "{\"token\":\"abc\"}", "{\"token\":\"<00>\"}", "{\"token\":1}",
            "{\"token\":\"\\u0030\\u0030\"}",
            "{\"token\":\"00\",\"registration_id\":17}", "{\"token\":\"00\",\"registration_id\":\"a-b\"}",
            "{\"token\":\"00\",\"environment\":\"Development\"}", "{\"token\":\"00\",\"alias\":\"a b\"}",
            "{\"token\":\"00\",\"alias\":\"\\u4e2d\"}",
            "{\"token\":\"00\",\"alias\":\"\(String(repeating: "a", count: 41))\"}",
            "{\"token\":\"00\",\"alias\":\"é\"}", "{\"token\":\"00\",\"tags\":[\"a\",null]}",
            "{\"token\":\"00\",\"tags\":[[\"a\"]]}",
            "{\"token\":\"00\",\"tags\":[\"a\\\"\",\"b\"]}", "{\"token\":\"00\",\"tags\":\"{a}\"}",
            "{\"token\":\"00\",\"tags\":7}",
            "{\"token\":\"00\",\"tags\":{}}", "{\"token\":\"00\",\"tags\":[\"\"]}",
            "{\"token\":\"00\",\"attributes\":7}",
            "{\"token\":\"00\",\"attributes\":{\"a b\":1}}", "{\"token\":\"00\",\"zone\":7}",
            "{\"token\":\"00\",\"zone\":\"\(String(repeating: "z", count: 257))\"}",
        ]
    )
    func unusual(_ text: String) throws { #expect(try readUsual(text) == nil) }

    @Test("What an app reports of its device has a limit")
    func facts() throws {
        for text in [String(repeating: "z", count: 257), "a\\u0000"] {
            for field in DeviceImport.Field.facts {
                let problem = try problem("{\"token\":\"00\",\"\(field.rawValue)\":\"\(text)\"}")
                #expect(problem.hasPrefix("'\(field.rawValue)' is '"))
                #expect(problem.hasSuffix("expected at most 256 bytes without the character U+0000."))
            }
        }
    }

    @Test("A body has the same devices and the same first error, whatever their form")
    func bodies() throws {
        let device = "{\"token\":\"00\",\"alias\":\"bob\"}"
        let body = try DeviceImportBody(
            parsing: Array(
                "{\"x\":[1],\"environment\":\"development\",\"devices\":[\(device), {\"token\":\"<01>\"}]}".utf8
            ),
            limit: 2
        )
        #expect(body.environment == .development)
        #expect(try body.devices == [read(device), read("{\"token\":\"01\"}")])
        let twice = "{\"devices\":[\(device)],\"environment\":null,\"devices\":[]}"
        #expect(try DeviceImportBody(parsing: Array(twice.utf8), limit: 1).devices == [])
        for (text, problem) in [
            ("", "The body is not JSON: "), ("[]", "'devices' is missing; expected an array of objects."),
            ("{}", "'devices' is missing"), ("{\"devices\":{}}", "'devices' is missing"),
            ("{\"devices\":[\(device)]", "The body is not JSON: line 1, column"),
            ("{\"devices\":[\(device)]}x", "The body is not JSON"),
            ("{\"devices\":[{\"alias\":\"a b\"},]}", "The body is not JSON"),
            (
                "{\"devices\":[{}],\"environment\":\"x\"}",
                "'environment' is \"x\"; expected 'production' or 'development'."
            ),
            ("{\"devices\":[\(device),1]}", "'devices[1]': It is not an object."),
            ("{\"devices\":[\(device),{\"token\":\"0\"}]}", "'devices[1]': 'token' is '0'; expected an even number"),
            ("{\"devices\":[\(device),1,{}]}", "'devices' has 3 members; expected at most 2."),
        ] {
            do throws(JPushError) {
                _ = try DeviceImportBody(parsing: Array(text.utf8), limit: 2)
                Issue.record("\(text) was read.")
            } catch { #expect(error.message.hasPrefix(problem), "\(text): \(error.message)") }
        }
    }

    @Test(
        "knuff5_aTokenAsOldAppsLoggedIt",
        arguments: ["<0a0b0c0d 0e0f1011>", "0a0b 0c0d 0e0f 1011", " <0A0B0C0D0E0F1011> ", "0a0b0c0d\\t0e0f1011"]
    )
    func writtenToken(_ text: String) throws {
        #expect(try read("{\"token\":\"\(text)\"}").token.hexadecimal == "0a0b0c0d0e0f1011")
    }

    @Test(
        "Texts that only resemble a token are refused",
        arguments: ["0x0a0b0c0d0e0f1011", "CgsMDQ4PEBE=", "4.04E+63", "null", "(null)", "<>", "0a-0b", "0a0b0"]
    )
    func noToken(_ text: String) throws {
        #expect(try problem("{\"token\":\"\(text)\"}").hasPrefix("'token' is '\(text)'; expected an even number"))
    }

    @Test("Tags in one field stand between commas or semicolons", arguments: ["a,b", "b; a", " a ,, b ;"])
    func tags(_ text: String) throws {
        #expect(try read("{\"token\":\"00\",\"tags\":\"\(text)\"}").tags == ["a", "b"])
    }

    @Test(
        "An array in a text has its members as tags",
        arguments: [
            ("{news,vip}", ["news", "vip"]), ("{\"news\",\"vip\"}", ["news", "vip"]),
            ("{news,NULL,\"NULL\"}", ["NULL", "news"]),
            ("[\"news\",\"vip\"]", ["news", "vip"]), ("[\"\\u65b0\", null, 7]", ["7", "新"]),
            ("['news', 'vip']", ["news", "vip"]),
            (" {news; vip} ", ["news", "vip"]), ("{}", []), ("[]", []),
        ]
    )
    func arrayInText(_ text: String, _ tags: [String]) throws {
        let object: JSONObject = ["token": "00", "tags": .string(text)]
        #expect(try DeviceImport(object).tags == tags)
    }

    @Test("A whole number stands for its digits")
    func numbers() throws {
        let device = try read(
            "{\"token\":\"00\",\"registration_id\":17,\"alias\":42,\"tags\":[1,\"b\",18446744073709551616]}"
        )
        #expect(device.registrationID == RegistrationID("17"))
        #expect(device.alias == .set("42"))
        #expect(device.tags == ["1", "18446744073709551616", "b"])
        #expect(try read("{\"token\":\"00\",\"tags\":1}").tags == ["1"])
    }

    @Test(
        "A mistake is named with what was found and what is expected",
        arguments: [
            ("{}", "'token' is missing"), ("{\"token\":\"\"}", "'token' is missing"),
            ("{\"token\":\"xyz\"}", "'token' is 'xyz'; expected an even number of hexadecimal digits"),
            ("{\"token\":\"abc\"}", "'token' is 'abc'"), ("{\"token\":1}", "'token' is '1'; expected a text"),
            (
                "{\"token\":\"00\",\"registration_id\":\"a-b\"}",
                "'registration_id' is 'a-b'; expected 1 to 64 letters and digits"
            ),
            (
                "{\"token\":\"00\",\"environment\":\"live\"}",
                "'environment' is 'live'; expected 'production' or 'development'"
            ),
            ("{\"token\":\"00\",\"alias\":\"a b\"}", "'alias' is 'a b'; expected 1 to 40 bytes"),
            ("{\"token\":\"00\",\"tags\":\"a,b c\"}", "'tags' is 'b c'; expected 1 to 40 bytes"),
            ("{\"token\":\"00\",\"tags\":[true]}", "'tags' is 'true'; expected texts"),
            ("{\"token\":\"00\",\"tags\":{}}", "'tags' is '{}'; expected an array"),
            ("{\"token\":\"00\",\"tags\":\"{\\\"a b\\\",c}\"}", "'tags' is 'a b'; expected 1 to 40 bytes"),
            ("{\"token\":\"00\",\"tags\":\"{\\\"a,b\\\",c}\"}", "'tags' is '\"a'; expected 1 to 40 bytes"),
            ("{\"token\":\"00\",\"tags\":\"[{}]\"}", "'tags' is '{}'; expected texts"),
            ("{\"token\":\"00\",\"alias\":-1}", "'alias' is '-1'; expected a text"),
            ("{\"token\":\"00\",\"alias\":1.5}", "'alias' is '1.5'; expected a text"),
            ("{\"token\":\"00\",\"alias\":true}", "'alias' is 'true'; expected a text"),
        ]
    )
    func problems(_ text: String, _ expected: String) throws {
        let problem = try problem(text)
        #expect(problem.hasPrefix(expected), "\(problem)")
    }

    @Test("A device has no more tags than it may have")
    func tooManyTags() throws {
        let tags = (0...1000).map { "\"t\($0)\"" }.joined(separator: ",")
        #expect(try problem("{\"token\":\"00\",\"tags\":[\(tags)]}").hasPrefix("'tags' has 1001 members; at most 1000"))
    }

    @Test(
        "A column is known however people spell it",
        arguments: [
            ("registration_id", .registrationID), ("Registration ID", .registrationID),
            ("registrationId", .registrationID),
            ("TOKEN", .token), ("device-token", .token), ("environment", .environment), ("Alias", .alias),
            ("tags", .tags),
            ("tag", nil), ("", nil), ("problem", nil), ("device;token", nil), ("token;", nil), ("device\ttoken", nil),
            ("token|", nil),
        ] as [(String, DeviceImport.Field?)]
    )
    func headers(_ name: String, _ field: DeviceImport.Field?) {
        #expect(DeviceImport.Field(header: name) == field)
    }
}
