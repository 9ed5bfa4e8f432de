import PushModel
import Testing

@Suite("Calls about devices, tags and aliases")
struct DeviceCallTests {
    /// The refusal of `parse`; nil if there is none.
    private func refusal<Value>(_ parse: () throws(JPushError) -> Value) -> JPushError? {
        do {
            _ = try parse()
            return nil
        } catch { return error }
    }

    private static func json(_ texts: some Sequence<String>) -> String {
        "[\(texts.map { "\"\($0)\"" }.joined(separator: ","))]"
    }

    @Test("A device's change names what changes, and leaves the rest")
    func deviceChange() throws {
        func read(_ body: String) throws -> DeviceChange { try DeviceChange(parsing: Array(body.utf8)) }
        var expected = try read("{}")
        #expect(expected.tags == nil)
        #expect(expected.alias == .unchanged)
        #expect(expected.mobile == .unchanged)
        for body in ["{\"tags\":null,\"alias\":null,\"mobile\":null}", "{\"tag\":1,\"data\":{}}"] {
            #expect(try read(body) == expected, "\(body)")
        }
        expected.tags = .clear
        expected.alias = .cleared
        expected.mobile = .cleared
        #expect(try read("{\"tags\":\"\",\"alias\":\"\",\"mobile\":\"\"}") == expected)
        expected.tags = .edit(remove: ["b"], add: ["a", "中文"])
        expected.alias = .set("a@!#$&*+=.|￥_9")
        expected.mobile = .set("13012345678")
        let body =
            "{\"tags\":{\"add\":[\"a\",\"中文\"],\"remove\":[\"b\"]},\"alias\":\"a@!#$&*+=.|￥_9\",\"mobile\":13012345678}"
        #expect(try read(body) == expected)
        #expect(try read("{\"mobile\":\"+8613012345678\"}").mobile == .set("+8613012345678"))
        #expect(try read("{\"tags\":{}}").tags == .edit(remove: [], add: []))
    }

    @Test(
        "A device's change that breaks a rule is 7002 and names it",
        arguments: [
            ("", "not JSON"), ("[]", "an array"), ("{\"tags\":{\"add\":[\"a\",]}}", "not JSON"),
            ("{\"tags\":\"a\"}", "'tags'"), ("{\"tags\":[\"a\"]}", "'tags'"), ("{\"tags\":7}", "'tags'"),
            ("{\"tags\":{\"add\":\"a\"}}", "'tags.add' is a string"),
            ("{\"tags\":{\"remove\":[7]}}", "'tags.remove' holds 7"), ("{\"tags\":{\"add\":[\"\"]}}", "non-empty"),
            ("{\"tags\":{\"add\":[\"a b\"]}}", "'a b'"), ("{\"tags\":{\"remove\":[\"a-b\"]}}", "'a-b'"),
            ("{\"tags\":{\"add\":[\"\(String(repeating: "x", count: 41))\"]}}", "1 to 40 bytes"),
            ("{\"tags\":{\"add\":[\"\(String(repeating: "中", count: 14))\"]}}", "1 to 40 bytes"),
            ("{\"tags\":{\"add\":\(json((0..<101).map { "t\($0)" }))}}", "101 members"),
            (
                "{\"tags\":{\"remove\":\(json((10..<36).map { "\($0)" + String(repeating: "x", count: 38) }))}}",
                "1040 bytes"
            ),
            ("{\"alias\":7}", "'alias' is a number"), ("{\"alias\":\"a b\"}", "'a b'"),
            ("{\"alias\":\"\(String(repeating: "x", count: 41))\"}", "1 to 40 bytes"),
            ("{\"mobile\":true}", "'mobile' is a boolean"), ("{\"mobile\":\"12\"}", "'12'"),
            ("{\"mobile\":-130}", "'-130'"),
            ("{\"mobile\":\"130 1234\"}", "digits"), ("{\"mobile\":\"+\"}", "digits"),
            ("{\"mobile\":\"1234567890123456\"}", "3 to 15"),
            ("{\"attributes\":[1]}", "'attributes' is an array"), ("{\"attributes\":{\"a b\":\"c\"}}", "'a b'"),
            ("{\"attributes\":{\"a\":[1]}}", "'attributes.a'"), ("{\"attributes\":{\"a\":{}}}", "'attributes.a'"),
            ("{\"attributes\":{\"a\":1\(String(repeating: "0", count: 200))}}", "200 bytes"),
            ("{\"attributes\":{\"a\":\"\(String(repeating: "x", count: 201))\"}}", "200 bytes"),
        ]
    )
    func badDeviceChange(_ body: String, _ words: String) throws {
        let error = try #require(
            refusal { () throws(JPushError) -> DeviceChange in try DeviceChange(parsing: Array(body.utf8)) }
        )
        #expect(error.status == 400)
        #expect(error.code == 7002)
        #expect(error.message.contains(words), "\(error.message)")
    }

    @Test("Attributes are set and removed one by one; a device has at most 20 afterwards")
    func attributes() throws {
        let edit = try AttributeEdit(["a": "1", "b": .null, "c": ""])
        #expect(try edit.attributes(after: ["b": "2", "c": "3", "d": "4"]) == ["a": "1", "d": "4"])
        let full = Dictionary(uniqueKeysWithValues: (0..<20).map { ("n\($0)", "x") })
        #expect(try AttributeEdit(["n0": "y"]).attributes(after: full)["n0"] == "y")
        #expect(throws: JPushError.self) { try AttributeEdit(["new": "y"]).attributes(after: full) }
    }

    @Test(
        "A number and a boolean are attributes, as the text that was written",
        arguments: [
            ("30", "30"), ("-1.50", "-1.50"), ("1e3", "1e3"), ("18446744073709551616", "18446744073709551616"),
            ("true", "true"), ("false", "false"),
        ]
    )
    func attributesOfOtherKinds(_ written: String, _ text: String) throws {
        let change = try DeviceChange(parsing: Array("{\"attributes\":{\"age\":\(written)}}".utf8))
        #expect(try change.attributes?.attributes(after: [:]) == ["age": text])
    }

    @Test("An empty array in the place of an object changes nothing, as PHP writes an empty object")
    func emptyArrays() throws {
        let change = try DeviceChange(parsing: Array("{\"tags\":[],\"attributes\":[]}".utf8))
        #expect(try change.tags?.tags(after: ["a"]) == ["a"])
        #expect(try change.attributes?.attributes(after: ["a": "1"]) == ["a": "1"])
    }

    @Test("100 tags or 1000 bytes of them are allowed, in each direction")
    func tagEditLimits() throws {
        let many = Self.json((0..<100).map { "t\($0)" })
        let long = Self.json((10..<35).map { "\($0)" + String(repeating: "x", count: 38) })
        for body in [
            "{\"tags\":{\"add\":\(many),\"remove\":\(many)}}", "{\"tags\":{\"add\":\(long),\"remove\":\(long)}}",
        ] {
            _ = try DeviceChange(parsing: Array(body.utf8))
        }
    }

    @Test("Tags are removed before others are added; a device has at most 1000 afterwards")
    func tagEdit() throws {
        #expect(try TagEdit.clear.tags(after: ["a"]) == [])
        #expect(
            try TagEdit.edit(remove: ["a", "none"], add: ["c", "a", "c"]).tags(after: ["b", "a"]) == ["a", "b", "c"]
        )
        let full = (0..<1000).map { "t\($0)" }
        #expect(try TagEdit.edit(remove: ["t0"], add: ["new"]).tags(after: full).count == 1000)
        #expect(try TagEdit.edit(remove: [], add: ["t5"]).tags(after: full).count == 1000)
        let error = try #require(
            refusal { () throws(JPushError) -> [String] in
                try TagEdit.edit(remove: [], add: ["new"]).tags(after: full)
            }
        )
        #expect(error.code == 7002)
        #expect(error.message.contains("1001 tags"))
        // One that has too many from elsewhere can get rid of them.
        #expect(try TagEdit.edit(remove: ["t0"], add: []).tags(after: full + ["x", "y"]).count == 1001)
    }

    @Test("A tag or an alias is changed by registration ids, each once")
    func membershipChange() throws {
        let both = Array("{\"registration_ids\":{\"add\":[\"1\",\"2\",\"1\"],\"remove\":[\"3\"]}}".utf8)
        let change = try MembershipChange(ofTag: both)
        #expect(change.add == ["1", "2"])
        #expect(change.remove == ["3"])
        let thousand = Self.json((0..<1000).map { "\($0)" })
        let body = Array("{\"registration_ids\":{\"remove\":\(thousand)}}".utf8)
        #expect(try MembershipChange(ofAlias: body).remove.count == 1000)
        #expect(try MembershipChange(ofTag: body).add.isEmpty)
    }

    @Test(
        "A change of a tag that breaks a rule is 7002 and names it",
        arguments: [
            ("x", "not JSON"), ("\"a\"", "a string, not an object"), ("{}", "'registration_ids' is null"),
            ("{\"registration_ids\":[\"1\"]}", "an array"), ("{\"registration_ids\":{}}", "names no device"),
            ("{\"registration_ids\":{\"add\":[],\"remove\":null}}", "names no device"),
            ("{\"registration_ids\":{\"add\":\"1\"}}", "'registration_ids.add' is a string"),
            ("{\"registration_ids\":{\"remove\":[1]}}", "holds 1"),
            ("{\"registration_ids\":{\"add\":\(json((0..<1001).map { "\($0)" }))}}", "1001 members"),
        ]
    )
    func badMembershipChange(_ body: String, _ words: String) throws {
        let error = try #require(
            refusal { () throws(JPushError) -> MembershipChange in try MembershipChange(ofTag: Array(body.utf8)) }
        )
        #expect(error.code == 7002)
        #expect(error.message.contains(words), "\(error.message)")
    }

    @Test("An alias loses devices by this call, and gains none")
    func aliasAdd() throws {
        let body = Array("{\"registration_ids\":{\"add\":[\"1\"]}}".utf8)
        let error = try #require(
            refusal { () throws(JPushError) -> MembershipChange in try MembershipChange(ofAlias: body) }
        )
        #expect(error.code == 7002)
        #expect(error.message.contains("/v3/devices/"))
    }

    @Test("A question for the status of devices names at least one and 1000 at most")
    func statusQuery() throws {
        let query = try DeviceStatusQuery(parsing: Array("{\"registration_ids\":[\"b\",\"a\",\"b\"]}".utf8))
        #expect(query.registrationIDs == ["b", "a"])
        for body in [
            "", "{}", "{\"registration_ids\":[]}", "{\"registration_ids\":{}}", "{\"registration_ids\":[null]}",
        ] {
            let error = refusal { () throws(JPushError) -> DeviceStatusQuery in
                try DeviceStatusQuery(parsing: Array(body.utf8))
            }
            #expect(error?.code == 7002, "\(body)")
        }
        let many = "{\"registration_ids\":\(Self.json((0..<1001).map { "\($0)" }))}"
        let error = refusal { () throws(JPushError) -> DeviceStatusQuery in
            try DeviceStatusQuery(parsing: Array(many.utf8))
        }
        #expect(error?.message.contains("1001 members") == true)
    }

    @Test("A list of platforms has commas between names; without one all are meant")
    func platforms() throws {
        #expect(try Set(list: nil) == Set(Platform.allCases))
        #expect(try Set(list: "") == Set(Platform.allCases))
        #expect(try Set(list: "android,ios") == [.android, .ios])
        #expect(try Set(list: "ios,") == [.ios])
        for list in ["palm", "ios;android", "ios, android", "all"] {
            let error = refusal { () throws(JPushError) -> Set<Platform> in try Set(list: list) }
            #expect(error?.code == 7002, "\(list)")
        }
    }

    @Test("Registration ids of nobody are 7013 beside good ones and 7002 alone, and stand inside the error")
    func illegalRegistrationIDs() {
        let some = JPushError.illegalRegistrationIDs(["x", "y"], among: 3)
        #expect(some.status == 400)
        #expect(some.code == 7013)
        #expect(some.json.object?.keys == ["error"])
        #expect(some.json.object?["error"]?.object?["illegal_rids"] == ["x", "y"])
        #expect(JPushError.illegalRegistrationIDs(["x"], among: 1).code == 7002)
    }

    @Test("Each code of the device family has its HTTP status")
    func codes() {
        let table: [(JPushError, Int, Int)] = [
            (.deviceInternal, 500, 7000), (.deviceCredentialsMissing, 401, 7001), (.badDeviceParameter(""), 400, 7002),
            (.deviceSecretWrong, 401, 7004), (.deviceAppKeyUnknown("k"), 400, 7008),
            (.illegalRegistrationIDs(["x"], among: 2), 400, 7013), (.aliasIsFull("a"), 400, 7015),
        ]
        for (error, status, code) in table {
            #expect(error.status == status)
            #expect(error.code == code)
            #expect(error.json.object?["error"]?.object?["message"]?.string?.isEmpty == false || code == 7002)
            #expect(error.json.object?["error"]?.object?["illegal_rids"] == nil || code == 7013)
        }
    }
}
