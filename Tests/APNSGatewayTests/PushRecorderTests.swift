import PushClock
import PushModel
import Testing

@testable import APNSGateway
@testable import APNSTransport

@Suite("Recorded pushes are kept as they came")
struct PushRecorderTests {
    private let recorder = PushRecorder()

    private func record(_ path: String, payload: [UInt8], id: String = "0F0F0F0F-0000-4000-8000-000000000001") {
        let headers = [(name: "authorization", value: "bearer secret"), (name: "apns-id", value: id)]
        let request = HTTP2Message(APNSRequest(method: "POST", path: path, headers: headers, body: payload))
        var answer = HTTP2Answer(status: 200)
        if let range = request.range(of: FieldName.apnsID) { answer.add(FieldName.apnsID, .ofRequest(range)) }
        recorder.record(request, at: VirtualClock().date, environment: .production, connection: 7) { $0 = answer }
        // The connection uses the message again.
        request.clear()
    }

    @Test("A push is decoded from its copy, whose message was used again")
    func copied() throws {
        record("/3/device/AB", payload: Array("{}".utf8))
        let push = try #require(recorder.pushes(PushQuery()).first)
        #expect(push.number == 1)
        #expect(push.path == "/3/device/AB")
        #expect(push.token == "ab")
        #expect(push.headers.map(\.name) == ["apns-id"])
        #expect(push.text == "{}")
        #expect(push.status == 200)
        #expect(push.apnsID == "0f0f0f0f-0000-4000-8000-000000000001")
        #expect(push.environment == .production)
        #expect(push.connection == 7)
    }

    @Test("A push that takes the memory of an older one has nothing of it")
    func reused() {
        for number in 1...PushRecorder.limit + 2 {
            let isLong = number <= PushRecorder.limit
            record("/3/device/\(number)", payload: Array(repeating: 0x20, count: isLong ? 300 : 1))
        }
        let pushes = recorder.pushes(PushQuery())
        #expect(pushes.map(\.number) == Array(3...PushRecorder.limit + 2))
        #expect(pushes.suffix(2).map(\.payload) == [[0x20], [0x20]])
        #expect(pushes.first?.payload.count == 300)
    }

    @Test("Large pushes are kept up to a number of octets, the newest of them")
    func bounded() {
        let payload = [UInt8](repeating: 0x20, count: 8000)
        for number in 1...PushRecorder.limit { record("/3/device/\(number)", payload: payload) }
        let pushes = recorder.pushes(PushQuery())
        #expect(pushes.last?.number == PushRecorder.limit)
        #expect(pushes.count * payload.count < PushRecorder.octetLimit)
        #expect((pushes.count + 1) * (payload.count + 200) > PushRecorder.octetLimit)
        #expect(pushes.map(\.number) == Array(PushRecorder.limit - pushes.count + 1...PushRecorder.limit))
        var query = PushQuery()
        query.after = PushRecorder.limit - 1
        #expect(recorder.pushes(query).map(\.number) == [PushRecorder.limit])
        query.after = PushRecorder.limit + 5
        #expect(recorder.pushes(query).isEmpty)
    }
}
