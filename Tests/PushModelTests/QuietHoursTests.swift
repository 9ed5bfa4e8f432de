import PushModel
import Testing

@Suite("Quiet hours of a push")
struct QuietHoursTests {
    private func choice(_ text: String?) throws -> QuietHours.Choice {
        let options = text.map { ",\"options\":{\"x_quiet_hours\":\($0)}" } ?? ""
        let body = "{\"platform\":\"all\",\"audience\":\"all\",\"notification\":{\"alert\":\"x\"}\(options)}"
        return try PushRequest(parsing: Array(body.utf8)).options.quietHours
    }

    @Test("Times, zone and exception are read; what is not given is the device's zone, and no exception")
    func reads() throws {
        let night = try #require(QuietHours(from: 22 * 3600, to: 7 * 3600))
        #expect(try choice("{\"from\":\"22:00\",\"to\":\"07:00\"}") == .own(night))
        #expect(try choice("{\"from\":\"22:00\",\"to\":\"07:00\",\"zone\":\"device\"}") == .own(night))
        let noon = try #require(
            QuietHours(from: 45_000, to: 50_400, zone: .named("Asia/Shanghai"), allowsTimeSensitive: true)
        )
        let text = """
            {"from":"12:30","to":"14:00","zone":"Asia/Shanghai","allow_time_sensitive":true}
            """
        #expect(try choice(text) == .own(noon))
        #expect(noon.json.text == text)
    }

    @Test("A push says nothing, false, or hours of its own: these go before the app's")
    func choices() throws {
        let app = try #require(QuietHours(from: 0, to: 60))
        let own = try #require(QuietHours(from: 60, to: 0))
        #expect(try choice(nil) == .ofApp)
        // A null member is an absent one, as everywhere in a push object.
        #expect(try choice("null") == .ofApp)
        #expect(try choice("false") == .none)
        #expect(QuietHours.Choice.ofApp.hours(ofApp: app) == app)
        #expect(QuietHours.Choice.none.hours(ofApp: app) == nil)
        #expect(QuietHours.Choice.own(own).hours(ofApp: app) == own)
        #expect(QuietHours.Choice.own(own).hours(ofApp: nil) == own)
    }

    @Test(
        "An unreadable value is 1003, an unknown key 1009, and the sentence names it and the expected form",
        arguments: [
            ("true", 1003, "expected an object"), ("\"22-7\"", 1003, "expected an object"), ("{}", 1003, "from"),
            ("{\"from\":\"22:00\"}", 1003, "x_quiet_hours.to"),
            ("{\"from\":\"24:00\",\"to\":\"07:00\"}", 1003, "24:00"),
            ("{\"from\":\"7:00\",\"to\":\"08:00\"}", 1003, "7:00"),
            ("{\"from\":\"22:00:00\",\"to\":\"08:00\"}", 1003, "22:00:00"),
            ("{\"from\":22,\"to\":\"08:00\"}", 1003, "22"),
            ("{\"from\":\"07:00\",\"to\":\"07:00\"}", 1003, "must differ"),
            ("{\"from\":\"22:00\",\"to\":\"07:00\",\"zone\":\"Mars/Base\"}", 1003, "such as Asia/Shanghai"),
            (
                "{\"from\":\"22:00\",\"to\":\"07:00\",\"zone\":\"BST\"}", 1003,
                "zone' is \"BST\"; expected \"device\", or an IANA name: 'BST' may mean Europe/London or Asia/Dhaka."
            ),
            ("{\"from\":\"22:00\",\"to\":\"07:00\",\"allow_time_sensitive\":2}", 1003, "true or false"),
            ("{\"from\":\"22:00\",\"to\":\"07:00\",\"until\":\"x\"}", 1009, "x_quiet_hours.until"),
        ]
    )
    func refuses(_ text: String, _ code: Int, _ said: String) throws {
        let error = try #require(throws: JPushError.self) { try choice(text) }
        #expect(error.code == code)
        #expect(error.status == 400)
        #expect(error.message.contains(said), "\(error.message)")
    }
}
