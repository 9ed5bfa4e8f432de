import Foundation
import PushAPI
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

/// Small pushes are answered without a task once their caller is known; nobody may notice.
@Suite("Pushes that are answered at once", .suiteLimit)
struct DirectPushTests {
    private static func push(to devices: [RegistrationID], sendno: Int, more: String = "") -> String {
        let ids = devices.map { "\"\($0)\"" }.joined(separator: ",")
        return """
            {"platform":["ios"],"audience":{"registration_id":[\(ids)]},"notification":{"alert":"hi"},\
            "options":{"sendno":\(sendno)}\(more)}
            """
    }

    private static func device(of api: TestAPI) async throws -> RegistrationID {
        api.core.registry.registrationID(of: try await api.addDevice().id)
    }

    /// A push that the caller has sent before: it is known from now on.
    private static func introduced(to api: TestAPI) async throws -> String {
        let body = push(to: [try await device(of: api)], sendno: 1)
        let answer = try await api.call("POST", "/v3/push", body)
        try #require(answer.status == 200)
        return body
    }

    @Test("The first push of a caller and those after it are answered alike")
    func sameAnswer() async throws {
        try await TestAPI.run { api in
            let device = try await Self.device(of: api)
            try await RawConnection.open(api.port) { connection in
                var answers: [Answer] = []
                let headers = ["Accept: */*", "Accept: */*", "Connection: keep-alive", "Connection: Keep-Alive, TE"]
                for (number, header) in headers.enumerated() {
                    let push = Self.push(to: [device], sendno: number + 1)
                    try await connection.send(api.request("POST", "/v3/push", push, headers: header))
                    answers.append(try await connection.answer())
                }
                #expect(answers.map(\.status) == [200, 200, 200, 200])
                #expect(answers.map { $0.json?["sendno"]?.string } == ["1", "2", "3", "4"])
                #expect(Set(answers.map { $0.headers.keys.sorted() }).count == 1, "\(answers.map(\.headers))")
                #expect(Set(answers.map { $0.headers["content-type"] }).count == 1)
                #expect(Set(answers.map { $0.headers["server"] }).count == 1)
                let dates = answers.compactMap { $0.headers["date"] }
                for date in dates { #expect(date.wholeMatch(of: /\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/) != nil) }
                #expect(dates.count == 4)
                let ids = answers.compactMap { $0.json?["msg_id"]?.string.flatMap { MessageID($0) } }
                #expect(ids.count == 4 && ids == ids.sorted() && Set(ids).count == 4)
                for id in ids {
                    let journey = try await api.call("GET", "/posthorn/v1/journeys/\(id)/\(device)")
                    #expect(journey.status == 200)
                }
            }
        }
    }

    @Test("Batches are answered alike, those that are taken at once and those that are not, a repeat among them")
    func batches() async throws {
        try await TestAPI.run { api in
            let devices = [try await Self.device(of: api), try await Self.device(of: api)]
            _ = try await Self.introduced(to: api)
            let cids = (0..<4).map { _ in api.app.key.makeCID() }
            func batch(_ entries: [(cid: String, target: String)]) -> String {
                let list = entries.map {
                    """
                    "\($0.cid)":{"platform":"all","target":"\($0.target)","notification":{"alert":"hi"}}
                    """
                }
                return "{\"pushlist\":{\(list.joined(separator: ","))}}"
            }
            let plain = batch([(cids[0], devices[0].text), (cids[1], devices[1].text)])
            let odd = batch([(cids[2], devices[0].text), (cids[3], "0f"), (cids[0], devices[1].text)])
            let path = "/v3/push/batch/regid/single"
            try await RawConnection.open(api.port) { connection in
                var answers: [Answer] = []
                for body in [plain, plain, odd, "{"] {
                    try await connection.send(api.request("POST", path, body))
                    answers.append(try await connection.answer())
                }
                #expect(answers.map(\.status) == [200, 200, 200, 400])
                #expect(answers[0].json == answers[1].json)
                #expect(Set(answers.prefix(3).map { $0.headers.keys.sorted() }).count == 1)
                let ids = cids.prefix(2).compactMap { answers[0].json?[$0]?.object?["msg_id"]?.string }
                #expect(Set(ids).count == 2)
                let last = answers[2].json
                #expect(last?[cids[0]] == answers[0].json?[cids[0]])
                #expect(last?[cids[2]]?.object?["msg_id"] != nil)
                #expect(last?[cids[3]]?.object?["error"] != nil)
                for (id, device) in zip(ids, devices) {
                    let journey = try await api.call("GET", "/posthorn/v1/journeys/\(id)/\(device)")
                    #expect(journey.status == 200)
                }
            }
        }
    }

    @Test("Answers keep the order of requests, of whatever kind they are and however they are cut")
    func order() async throws {
        try await TestAPI.run { api in
            let device = try await Self.device(of: api)
            let first = try await api.call("POST", "/v3/push", Self.push(to: [device], sendno: 1))
            #expect(first.status == 200)
            let requests = [
                api.request("POST", "/v3/push", Self.push(to: [device], sendno: 2)),
                api.request("GET", "/health", authorization: .some(nil)),
                api.request("POST", "/v3/push", Self.push(to: [device], sendno: 3)),
                api.request("POST", "/v3/push", "{"),
                api.request("POST", "/v3/push", Self.push(to: [device], sendno: 4)),
                api.request("POST", "/v3/push/validate", Self.push(to: [device], sendno: 5)),
                api.request("POST", "/v3/push", Self.push(to: [device], sendno: 6)),
            ]
            let expected = ["2", "ok", "3", "1002", "4", "5", "6"]
            func said(_ answer: Answer) -> String {
                answer.json?["sendno"]?.string ?? answer.json?["status"]?.string ?? answer.code.map { "\($0)" } ?? ""
            }
            let text = requests.joined()
            for cut in [text.count, 1000, 97, 13] {
                try await RawConnection.open(api.port) { connection in
                    var rest = Substring(text)
                    while !rest.isEmpty {
                        try await connection.send(String(rest.prefix(cut)))
                        rest = rest.dropFirst(cut)
                    }
                    var answers: [String] = []
                    for _ in requests { answers.append(said(try await connection.answer())) }
                    #expect(answers == expected, "cut into pieces of \(cut)")
                }
            }
        }
    }

    @Test("A flood of pushes on one connection is answered completely and in order")
    func flood() async throws {
        try await TestAPI.run { api in
            let device = try await Self.device(of: api)
            try await RawConnection.open(api.port) { connection in
                let numbers = 1...300
                for sendno in numbers {
                    try await connection.send(api.request("POST", "/v3/push", Self.push(to: [device], sendno: sendno)))
                }
                for sendno in numbers {
                    let answer = try await connection.answer()
                    #expect(answer.json?["sendno"]?.string == "\(sendno)")
                }
            }
        }
    }

    @Test("Each push counts once as a call, and none is taken beyond the limit")
    func rateLimit() async throws {
        try await TestAPI.run(callLimits: .all(4)) { api in
            let device = try await Self.device(of: api)
            var answers: [Answer] = []
            for sendno in 1...6 {
                answers.append(try await api.call("POST", "/v3/push", Self.push(to: [device], sendno: sendno)))
            }
            #expect(answers.map(\.status) == [200, 200, 200, 200, 429, 429])
            #expect(answers.map { $0.headers["x-rate-limit-remaining"] } == ["3", "2", "1", "0", "0", "0"])
            #expect(answers.map { $0.headers["x-rate-limit-limit"] } == Array(repeating: "4", count: 6))
        }
    }

    @Test("A cid that is repeated has the first answer; a foreign one is refused")
    func cid() async throws {
        try await TestAPI.run { api in
            let device = try await Self.device(of: api)
            let cid = api.app.key.makeCID()
            let body = Self.push(to: [device], sendno: 9, more: ",\"cid\":\"\(cid)\"")
            var ids: [String?] = []
            for _ in 0..<3 { ids.append(try await api.call("POST", "/v3/push", body).json?["msg_id"]?.string) }
            #expect(ids[0] != nil)
            #expect(Set(ids).count == 1)
            let foreign = Self.push(to: [device], sendno: 9, more: ",\"cid\":\"x-\(UUID())\"")
            let answer = try await api.call("POST", "/v3/push", foreign)
            #expect(answer.code == 1003)
        }
    }

    @Test("A caller that was let in before proves itself with each push")
    func credentials() async throws {
        try await TestAPI.run { api in
            let device = try await Self.device(of: api)
            let body = Self.push(to: [device], sendno: 1)
            let right = try await api.call("POST", "/v3/push", body)
            #expect(right.status == 200)
            let wrong = TestAPI.basic("\(api.app.key):\(api.masterSecret)x")
            for authorization in [wrong, nil] {
                let answer = try await api.call("POST", "/v3/push", body, authorization: .some(authorization))
                #expect(answer.status == 401)
                #expect(answer.code == 1004)
            }
        }
    }

    @Test("An encrypted push, and one that asks for the end of the connection, go their usual way")
    func otherRequests() async throws {
        try await TestAPI.run { api in
            let body = try await Self.introduced(to: api)
            try await RawConnection.open(api.port) { connection in
                try await connection.send(api.request("POST", "/v3/push", body, headers: "X-Encrypt-Type: SM2"))
                let refused = try await connection.answer()
                #expect(refused.code == 1003)
                try await connection.send(api.request("POST", "/v3/push", body, headers: "Expect: 100-continue"))
                let goOn = try await connection.answer()
                #expect(goOn.status == 100)
                let taken = try await connection.answer()
                #expect(taken.status == 200)
                try await connection.send(api.request("POST", "/v3/push", body, headers: "Connection: close"))
                let last = try await connection.answer()
                #expect(last.status == 200)
                let isEnded = try await connection.isEnded()
                #expect(isEnded)
            }
        }
    }

    @Test("A client that sends one push and no more gets its answer")
    func halfClosed() async throws {
        try await TestAPI.run { api in
            let body = try await Self.introduced(to: api)
            for _ in 0..<20 {
                try await RawConnection.open(api.port) { connection in
                    try await connection.sendLast(api.request("POST", "/v3/push", body))
                    let answer = try await connection.answer()
                    #expect(answer.status == 200)
                    let isEnded = try await connection.isEnded()
                    #expect(isEnded)
                }
            }
        }
    }

    @Test("When the service ends, each push that it has kept has its answer, and the connection ends")
    func shutdown() async throws {
        try await TestAPI.run { api in
            let device = try await Self.device(of: api)
            let first = try await api.call("POST", "/v3/push", Self.push(to: [device], sendno: 1))
            #expect(first.status == 200)
            try await RawConnection.open(api.port) { connection in
                for sendno in 1...200 {
                    try await connection.send(api.request("POST", "/v3/push", Self.push(to: [device], sendno: sendno)))
                }
                var answers = [try await connection.answer().status]
                await api.shutDown()
                while let answer = try? await connection.answer() { answers.append(answer.status) }
                #expect(Set(answers) == [200])
                let kept = try await api.core.store.agingMessages(
                    after: MessageID(0),
                    acceptedBefore: .distantFuture,
                    limit: 1000
                ).count
                #expect(answers.count + 1 == kept)
            }
        }
    }

    @Test("A push with two sets of credentials is refused, as any request is")
    func twoCredentials() async throws {
        try await TestAPI.run { api in
            let body = try await Self.introduced(to: api)
            try await RawConnection.open(api.port) { connection in
                let more = "Authorization: \(TestAPI.basic("x:y"))"
                let answer = try await connection.answer(to: api.request("POST", "/v3/push", body, headers: more))
                #expect(answer.status == 401)
            }
        }
    }
}
