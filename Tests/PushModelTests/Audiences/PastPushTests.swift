import PushModel
import Testing

@Suite("Conditions on earlier pushes")
struct PastPushTests {
    private func filter(_ audience: String) throws(JPushError) -> Audience.Filter? {
        let body = #"{"platform":"all","audience":\#(audience),"notification":{"alert":"hi"}}"#
        guard case .filter(let filter) = try PushRequest(parsing: Array(body.utf8)).audience else { return nil }
        return filter
    }

    @Test("A condition names a push, as a text or a number, and what became of it")
    func read() throws {
        let found = try filter(#"{"x_pushes":[{"msg_id":"12","was":"not_opened"},{"msg_id":13,"was":"got"}]}"#)
        let pushes = try #require(found?.pastPushes)
        #expect(pushes.map(\.message) == [MessageID(12), MessageID(13)])
        #expect(pushes.map(\.fate) == [.notOpened, .got])
        #expect(try filter(#"{"x_opened_nothing_for_days":30}"#)?.openedNothingForDays == 30)
    }

    @Test(
        "Each mistake has its code and says what was found",
        arguments: [
            (#"{"x_pushes":{}}"#, 1003, "an object"), (#"{"x_pushes":["12"]}"#, 1003, "a string"),
            (#"{"x_pushes":[{"was":"got"}]}"#, 1003, "msg_id"),
            (#"{"x_pushes":[{"msg_id":"a","was":"got"}]}"#, 1003, "msg_id"),
            (#"{"x_pushes":[{"msg_id":"1","was":"seen"}]}"#, 1003, "'got', 'not_got', 'opened', 'not_opened'"),
            (#"{"x_pushes":[{"msg_id":"1"}]}"#, 1003, "missing"),
            (#"{"x_pushes":[{"msg_id":"1","was":"got","at":1}]}"#, 1009, "'audience.x_pushes.at'"),
            (#"{"x_opened_nothing_for_days":0}"#, 1003, "1 to 365"),
            (#"{"x_opened_nothing_for_days":366}"#, 1003, "1 to 365"),
            (#"{"x_opened_nothing_for_days":"often"}"#, 1003, "1 to 365"), (#"{"x_pushes":[]}"#, 1003, "no targets"),
        ]
    )
    func mistakes(_ audience: String, _ code: Int, _ words: String) throws {
        let error = #expect(throws: JPushError.self) { _ = try filter(audience) }
        #expect(error?.code == code)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test("At most ten conditions")
    func limit() throws {
        let one = #"{"msg_id":"1","was":"got"}"#
        func conditions(_ count: Int) -> String {
            #"{"x_pushes":[\#(Array(repeating: one, count: count).joined(separator: ","))]}"#
        }
        #expect(try filter(conditions(10))?.pastPushes.count == 10)
        #expect(throws: JPushError.self) { try filter(conditions(11)) }
    }
}
