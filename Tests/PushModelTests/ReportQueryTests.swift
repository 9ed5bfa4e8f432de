import PushModel
import Testing

@Suite("Queries of reports")
struct ReportQueryTests {
    @Test("msg_ids keep their order, also when one comes twice")
    func ids() throws {
        #expect(try MessageIDList("3,1,3").ids == [MessageID(3), MessageID(1), MessageID(3)])
        let hundred = (1...100).map(String.init).joined(separator: ",")
        #expect(try MessageIDList(hundred).ids.count == 100)
    }

    @Test(
        "msg_ids that are missing or cannot be read are 3002",
        arguments: [nil, "", "a", "1,", ",1", "1,,2", "1;2", "-1", "1 ,2", "99999999999999999999"]
    )
    func badIDs(_ text: String?) throws {
        #expect(#expect(throws: JPushError.self) { try MessageIDList(text) }?.code == 3002)
        let tooMany = (1...101).map(String.init).joined(separator: ",")
        let error = #expect(throws: JPushError.self) { try MessageIDList(tooMany) }
        #expect(error == .badReportParameter("'msg_ids' has 101 ids; expected 100 at most."))
    }

    @Test("A msg_id may be a number or a string; a registration id that comes twice is asked for once")
    func status() throws {
        for id in ["1613113584", "\"1613113584\""] {
            let body = "{\"msg_id\":\(id),\"registration_ids\":[\"a\",\"b\",\"a\"],\"date\":\"2026-01-02\",\"x\":1}"
            let query = try MessageStatusQuery(parsing: Array(body.utf8))
            #expect(query.message == MessageID(1_613_113_584))
            #expect(query.registrationIDs == ["a", "b"])
        }
    }

    @Test(
        "A status query that cannot be read is 3002, and says why",
        arguments: [
            ("", "JSON"), ("[]", "an array"), ("{}", "'msg_id' is missing"),
            ("{\"msg_id\":true,\"registration_ids\":[\"a\"]}", "'msg_id' is a boolean"),
            ("{\"msg_id\":-1,\"registration_ids\":[\"a\"]}", "'msg_id'"),
            ("{\"msg_id\":\"\",\"registration_ids\":[\"a\"]}", "'msg_id' is ''"),
            ("{\"msg_id\":1}", "'registration_ids' is missing"),
            ("{\"msg_id\":1,\"registration_ids\":\"a\"}", "a string"),
            ("{\"msg_id\":1,\"registration_ids\":[]}", "0 members"),
            ("{\"msg_id\":1,\"registration_ids\":[1]}", "a number"),
            ("{\"msg_id\":1,\"registration_ids\":[\"a\"],\"date\":\"2026-1-2\"}", "'date'"),
            ("{\"msg_id\":1,\"registration_ids\":[\"a\"],\"date\":\"2026-02-29\"}", "'date'"),
        ]
    )
    func badStatus(_ body: String, _ said: String) throws {
        let error = #expect(throws: JPushError.self) { try MessageStatusQuery(parsing: Array(body.utf8)) }
        #expect(error?.code == 3002)
        #expect(error?.message.contains(said) == true, "\(error?.message ?? "")")
    }

    @Test(
        "Times follow each other as the calendar has them; hours end with their day",
        arguments: [
            ("HOUR", "2026-01-02 04", "24", 20, "2026-01-02 23"), ("hour", "2026-01-02 22", "1", 1, "2026-01-02 22"),
            ("DAY", "2026-02-27", "3", 3, "2026-03-01"), ("DAY", "2028-02-27", "3", 3, "2028-02-29"),
            ("DAY", "2025-12-31", "60", 60, "2026-02-28"), ("MONTH", "2025-12", "2", 2, "2026-01"),
        ]
    )
    func times(_ unit: String, _ start: String, _ duration: String, _ count: Int, _ last: String) throws {
        let query = try UsersQuery(unit: unit, start: start, duration: duration)
        #expect(query.times.count == count)
        #expect(query.times.first == start)
        #expect(query.times.last == last)
    }

    @Test(
        "A wrong question about users has its code",
        arguments: [
            (nil, "2026-01-02", "1", 3002), ("DAY", nil, "1", 3002), ("DAY", "2026-01-02", nil, 3002),
            ("DAY", "2026-01-02", "0", 3002), ("DAY", "2026-01-02", "x", 3002), ("WEEK", "2026-01-02", "1", 3004),
            ("DAY", "2026-01", "1", 3004), ("DAY", "2026-01-02 03", "1", 3004), ("DAY", "2026-02-30", "1", 3004),
            ("DAY", "2026/01/02", "1", 3004), ("HOUR", "2026-01-02", "1", 3004), ("HOUR", "2026-01-02 24", "1", 3004),
            ("MONTH", "2026-13", "1", 3004), ("MONTH", "2026-01-01", "1", 3004), ("DAY", "2026-01-02", "61", 3005),
            ("MONTH", "2026-01", "3", 3005), ("HOUR", "2026-01-02 00", "1441", 3005),
        ] as [(String?, String?, String?, Int)]
    )
    func badUsers(_ unit: String?, _ start: String?, _ duration: String?, _ code: Int) throws {
        let error = #expect(throws: JPushError.self) {
            try UsersQuery(unit: unit, start: start, duration: duration)
        }
        #expect(error?.code == code)
        #expect(error?.status == 400)
    }

    @Test("An app to be made has a name and a package; a group that is null is none")
    func draft() throws {
        let body = "{\"app_name\":\"应用\",\"android_package\":\"cn.example.my_app\",\"group_name\":null}"
        let draft = try AppDraft(parsing: Array(body.utf8))
        #expect(draft.name == "应用")
        #expect(draft.package == "cn.example.my_app")
        #expect(draft.group == nil)
        let table = [
            ("{\"android_package\":\"a\"}", 4002), ("{\"app_name\":\"\",\"android_package\":\"a\"}", 4002),
            ("{\"app_name\":\"a\",\"android_package\":null}", 4002), ("", 4003), ("[]", 4003),
            ("{\"app_name\":\"a\\u0000b\",\"android_package\":\"a\"}", 4003),
            ("{\"app_name\":\"a\",\"group_name\":\"\\u0000\",\"android_package\":\"a\"}", 4003),
            ("{\"app_name\":1,\"android_package\":\"a\"}", 4003),
            ("{\"app_name\":\"a\",\"android_package\":\"a b\"}", 4003),
            ("{\"app_name\":\"a\",\"android_package\":\"\(String(repeating: "a", count: 156))\"}", 4003),
        ]
        for (body, code) in table {
            let error = #expect(throws: JPushError.self) { try AppDraft(parsing: Array(body.utf8)) }
            #expect(error?.code == code, "\(body)")
        }
    }

    @Test("Codes and statuses are those of the tables of the report and admin pages")
    func codes() {
        let table: [(JPushError, Int, Int)] = [
            (.reportInternal, 500, 10), (.reportNotPermitted(""), 403, 2003), (.reportUnauthorized, 401, 3001),
            (.badReportParameter(""), 400, 3002), (.badTimeUnit(""), 400, 3004), (.reportTooLong, 400, 3005),
            (.adminMethodNotAllowed, 405, 4001), (.adminParameterMissing("x"), 400, 4002),
            (.badAdminParameter(""), 400, 4003), (.developerUnknown, 401, 4004), (.developerSecretWrong, 401, 4005),
            (.developerCredentialsMissing, 401, 4006), (.developerNotEnabled, 401, 4007),
            (.certificateExists(""), 200, 1010), (.certificateInvalid(""), 200, 1012),
            (.adminAppKeyIllegal(""), 200, 1013), (.certificateMissing, 200, 1014), (.appDeletionFailed(""), 200, 1015),
        ]
        for (error, status, code) in table {
            #expect(error.status == status)
            #expect(error.code == code)
        }
    }
}
