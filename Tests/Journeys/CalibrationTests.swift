import APNSProvider
import APNSTransport
import AppleDeveloper
import Foundation
import Logging
import NIOPosix
import PushClock
import PushModel
import TestSupport
import Testing

@testable import APNSGateway
@testable import PosthornStack

@Suite("A calibration against an APNs", .suiteLimit)
struct CalibrationTests {
    private static let topic = "com.example.calibrated"
    private static let planned = APNSCalibrationRow.all.count

    /// A server that stands for Apple's: a gateway's answers, each of which a deviation may change.
    final class StandIn: Sendable {
        /// One way in which the real service could differ from what is documented.
        struct Deviation: Sendable, CustomTestStringConvertible {
            var testDescription: String
            /// The stream limit at first.
            var streams = 1
            /// Changes a request before it is judged.
            var request: @Sendable (inout APNSRequest) -> Void = { _ in }
            /// Changes the answer to a request.
            var answer: @Sendable (APNSRequest, inout APNSAnswer) -> Void = { _, _ in }
            /// Whether the connection is closed after an error.
            var closes = false
            /// Whether a row has to differ.
            var differs: @Sendable (CalibrationReport.Row) -> Bool
        }

        private struct Exchange: APNSRequestHandler {
            let gateway: Gateway
            let wire: APNSServerConnection
            let core: ProviderConnection
            let deviation: Deviation
            fileprivate let requests: Counter
            fileprivate let answers = Counter()

            var trustsPeer: Bool { core.isAuthenticated }
            func closed() {}

            func respond(to message: HTTP2Message, on stream: UInt32, _ answer: inout HTTP2Answer) -> Bool {
                requests.next()
                let original = APNSRequest(message)
                var request = original
                deviation.request(&request)
                let changed = HTTP2Message(request)
                var judged = HTTP2Answer(status: 200)
                var position: Int64?
                gateway.answer(changed, on: core, at: gateway.clock.date, into: &judged, position: &position)
                var text = APNSAnswer(judged, to: changed)
                deviation.answer(original, &text)
                answer = HTTP2Answer(text)
                if core.isAuthenticated, answers.next() == 1 { wire.setStreamLimit(1000) }
                if deviation.closes, text.status != 200 { wire.perform { [wire] in wire.close() } }
                return true
            }
        }

        let server: APNSServer
        fileprivate let requests: Counter

        init(at node: GatewayNode, _ deviation: Deviation) async throws {
            var configuration = APNSServer.Configuration()
            configuration.limits.maxConcurrentStreams = deviation.streams
            let counter = Counter()
            requests = counter
            server = try await APNSServer.start(
                host: "127.0.0.1",
                port: 0,
                certificates: node.authority.chain,
                key: node.authority.key,
                group: MultiThreadedEventLoopGroup.singleton,
                configuration: configuration
            ) { wire in
                Exchange(
                    gateway: node.server.gateway,
                    wire: wire,
                    core: ProviderConnection(environment: .development),
                    deviation: deviation,
                    requests: counter
                )
            }
        }
    }

    /// A gateway that stands for Apple's service.
    struct World: Sendable {
        let apple: GatewayNode
        /// The provider's credential and tokens there.
        var identity: CalibratedServer.Identity

        func server(at port: Int? = nil) -> CalibratedServer {
            var theirs = identity
            if let port { theirs.endpoint.port = port }
            return CalibratedServer(theirs, pace: .zero, idle: .zero)
        }

        func calibration(at port: Int? = nil) -> APNSCalibration {
            let isCertificate = if case .certificate = identity.credential { true } else { false }
            return APNSCalibration(theirs: server(at: port), ours: OurSide(isCertificate: isCertificate))
        }

        func report(at port: Int? = nil) async throws -> CalibrationReport {
            var report = CalibrationTests.emptyReport
            try await calibration(at: port).run(APNSCalibration.rows(for: identity), into: &report) { _, _ in }
            return report
        }
    }

    /// A gateway of ours, observed in all rows once for all tests.
    struct OurSide: CalibratedSide {
        let isCertificate: Bool

        // The first test that needs the observations begins to make them, and the others wait for the same.
        private static let withKey = Task { try await record(certificate: false) }
        private static let withCertificate = Task { try await record(certificate: true) }

        private static func record(certificate: Bool) async throws -> [String: APNSObservation] {
            try await CalibrationTests.withWorld(certificate: certificate) { world in
                let server = world.server()
                var seen: [String: APNSObservation] = [:]
                for row in APNSCalibration.rows(for: world.identity) { seen[row.name] = try await server.observe(row) }
                await server.leave()
                return seen
            }
        }

        func observe(_ row: APNSCalibrationRow) async throws(CalibratedServer.Silence) -> APNSObservation {
            let seen: [String: APNSObservation]
            do { seen = try await (isCertificate ? Self.withCertificate : Self.withKey).value } catch {
                throw .init(description: "\(error)", note: "not observed")
            }
            return seen[row.name] ?? APNSObservation()
        }

        func leave() {}
    }

    static var emptyReport: CalibrationReport {
        let day = Date(timeIntervalSince1970: 1_795_000_000)
        return CalibrationReport(.apns, of: "development, with a key", version: "1.2.3", at: day, planned: planned)
    }

    private static func withWorld<Value>(
        certificate: Bool = false,
        _ body: (World) async throws -> Value
    ) async throws -> Value {
        try await withTemporaryFolder { folder in
            let apple = try await GatewayNode.forCalibration(
                folder: folder.path,
                topic: topic,
                logger: Logger(label: "calibration") { _ in SwiftLogNoOpLogHandler() }
            )
            var wanted = CalibratedServer.Identity(
                endpoint: apple.route.development,
                credential: .key(
                    try APNSSigningKey(p8: apple.key.p8, keyID: apple.key.id, teamID: apple.key.teamID)
                ),
                topic: topic,
                device: "",
                other: ""
            )
            if certificate {
                let files = try DeveloperFiles(bundleID: topic, authority: apple.authority, at: Date())
                wanted.credential = .certificate(try #require(files.certificates[.development]))
            }
            let world = World(apple: apple, identity: try apple.counterpart(of: wanted, in: .development))
            let result: Result<Value, any Error>
            do { result = .success(try await body(world)) } catch { result = .failure(error) }
            await apple.server.close()
            return try result.get()
        }
    }

    @Test("The table has more than 120 rows, each with a name of its own, and at most ten that a device may get")
    func table() {
        let names = APNSCalibrationRow.all.map(\.name)
        #expect(names.count >= 120)
        #expect(Set(names).count == names.count, "\(Dictionary(grouping: names) { $0 }.filter { $1.count > 1 }.keys)")
        #expect(APNSCalibrationRow.all.count { $0.needs == .token } == APNSCalibration.mostAccepted)
    }

    @Test("A gateway differs from a gateway in no row, over real TLS", arguments: [false, true])
    func same(certificate: Bool) async throws {
        let report = try await Self.withWorld(certificate: certificate) { try await $0.report() }
        #expect(report.rows.filter { $0.verdict != .agrees }.flatMap { $0.lines(of: .apns) } == [])
        #expect(report.count(.agrees) >= 120)
        #expect(report.rows.filter { $0.theirs["status"] == "200" }.count == APNSCalibration.mostAccepted)
    }

    static let deviations: [StandIn.Deviation] = [
        .init(testDescription: "none", differs: { _ in false }),
        .init(
            testDescription: "another reason",
            answer: { _, answer in
                let text = String(decoding: answer.body, as: UTF8.self)
                answer.body = Array(text.replacing("BadMessageId", with: "InvalidMessageId").utf8)
            },
            differs: { $0.ours["reason"] == "BadMessageId" }
        ),
        .init(
            testDescription: "another order of checks",
            answer: { request, answer in
                guard answer.status == 404, request.method != "POST" else { return }
                answer.status = 405
                answer.body = Array(#"{"reason":"MethodNotAllowed"}"#.utf8)
            },
            differs: { $0.name == "path /2/device/{token}, method GET" }
        ),
        .init(
            testDescription: "1000 streams at once",
            streams: 1000,
            differs: { $0.name.hasPrefix("stream limit") }
        ),
        .init(
            testDescription: "a limit of 5 KB",
            request: { request in
                guard request.bodyBytes <= 5120, request.bodyBytes > 4096 else { return }
                request.body = Array(request.body.prefix(4096))
                request.bodyBytes = 4096
            },
            differs: { row in
                row.ours["reason"] == "PayloadTooLarge"
                    && !["5121", "8192", "20000"].contains { row.name.contains($0) }
            }
        ),
        .init(
            testDescription: "an echoed apns-id in capitals",
            answer: { request, answer in
                guard let id = request.headers.first(where: { $0.name == "apns-id" })?.value,
                    let place = answer.headers.firstIndex(where: { $0.name == "apns-id" && $0.value == id })
                else { return }
                answer.headers[place].value = id.uppercased()
            },
            differs: { row in
                let id = row.name.hasPrefix("apns-id: ") ? String(row.name.dropFirst(9).prefix { $0 != "," }) : ""
                return row.ours["apns-id"] == "echoed" && id != id.uppercased() && id != "empty"
                    || ["apns-id twice", "the same push twice"].contains { row.name.contains($0) }
            }
        ),
        .init(
            testDescription: "a connection closed after each error",
            closes: true,
            differs: { row in
                let status = row.ours["status"].flatMap { Int($0) } ?? 200
                return status != 200 && status != 431 && row.ours["connection"] == "open"
            }
        ),
    ]

    @Test("Exactly the rows of a deviation differ", arguments: deviations)
    func deviates(_ deviation: StandIn.Deviation) async throws {
        let report = try await Self.withWorld { world in
            let standIn = try await StandIn(at: world.apple, deviation)
            let report = try await world.report(at: standIn.server.port)
            await standIn.server.shutDown()
            return report
        }
        let found = report.rows.filter { $0.verdict == .differs }
        let expected = report.rows.filter(deviation.differs)
        #expect(found.filter { !deviation.differs($0) }.flatMap { $0.lines(of: .apns) } == [])
        #expect(expected.filter { $0.verdict != .differs }.map(\.name) == [])
        #expect(found.isEmpty == (deviation.testDescription == "none"))
    }

    @Test("A report names nobody, whatever the server repeats")
    func redaction() async throws {
        let secret = "SECRETKEY1"
        try await Self.withWorld { world in
            var world = world
            let port = world.apple.server.port(for: .development) ?? 0
            let device = world.identity.device ?? ""
            let secrets = [
                secret, world.apple.key.teamID, world.apple.key.id, Self.topic, device, "127.0.0.1", "localhost",
                "\(port)",
            ]
            world.identity.topic = Self.topic
            let answers = secrets + ["Team\(secret)", "com.Example.Calibrated", "No \(device)"]
            let asked = Counter()
            let standIn = try await StandIn(
                at: world.apple,
                .init(
                    testDescription: "repeats",
                    answer: { _, answer in
                        // The first answer has to be that of an APNs.
                        let place = asked.next()
                        guard place > 1, answer.status == 400 else { return }
                        let text = answers[place % answers.count]
                        answer.body = JSONValue.object(["reason": .string(text), text: .string(text)]).bytes
                        answer.headers = [("apns-id", text), ("content-type", text), ("x-\(text.lowercased())", text)]
                    },
                    differs: { _ in true }
                )
            )
            let report = try await world.report(at: standIn.server.port)
            await standIn.server.shutDown()
            let lines = report.rows.flatMap { $0.lines(of: .apns) }.joined(separator: "\n")
            let texts = [lines, report.markdown, String(decoding: try report.json, as: UTF8.self)]
            #expect(report.count(.differs) > 100)
            for text in texts {
                #expect(text.contains("other text"))
                for secret in secrets { #expect(!text.lowercased().contains(secret.lowercased()), "\(secret)") }
            }
        }
    }

    @Test("A stopped comparison continues with the rows that it has not decided")
    func resumes() async throws {
        struct Stop: Error {}
        try await Self.withWorld { world in
            let standIn = try await StandIn(at: world.apple, Self.deviations[0])
            let rows = Array(APNSCalibrationRow.all.prefix(20))
            var report = Self.emptyReport
            await #expect(throws: Stop.self) {
                try await world.calibration(at: standIn.server.port).run(rows, into: &report) { _, report in
                    if report.rows.count == 12 { throw Stop() }
                }
            }
            report.add(.init(undecided: rows[3].name, because: "no answer in time"))
            let before = standIn.requests.value
            #expect(report.rows.count == 12 && before == 13)
            try await world.calibration(at: standIn.server.port).run(rows, into: &report) { _, _ in }
            #expect(standIn.requests.value - before == 1 + 8 + 1)
            #expect(report.rows.count == 20 && report.count(.agrees) == 20)
            await standIn.server.shutDown()
        }
    }

    @Test("A server that is no APNs, and a refused credential, end the comparison with the cause")
    func obstacles() async throws {
        func obstacle(_ status: Int, _ body: String) async throws -> String {
            try await Self.withWorld { world in
                let standIn = try await StandIn(
                    at: world.apple,
                    .init(
                        testDescription: "another server",
                        answer: { $1 = APNSAnswer(status: status, headers: $1.headers, body: Array(body.utf8)) },
                        differs: { _ in true }
                    )
                )
                var report = Self.emptyReport
                let calibration = world.calibration(at: standIn.server.port)
                let obstacle = await #expect(throws: APNSCalibration.Obstacle.self) {
                    try await calibration.run(APNSCalibrationRow.all, into: &report) { _, _ in }
                }
                await standIn.server.shutDown()
                return obstacle?.description ?? ""
            }
        }
        #expect(try await obstacle(404, "<html>").contains("This is no APNs"))
        let refused = try await obstacle(403, #"{"reason":"InvalidProviderToken"}"#)
        #expect(
            try await obstacle(400, #"{"reason":"InvalidPushType"}"#).contains(
                "expected the app's bundle id, without a suffix"
            )
        )
        #expect(refused.contains("InvalidProviderToken") && refused.contains("Check that key, key id and team id"))
    }

    @Test("A busy server decides nothing, and no wider meaning is read into a value")
    func verdicts() {
        func seen(_ status: String, _ reason: String) -> APNSObservation {
            var seen = APNSObservation()
            seen[.status] = status
            seen[.reason] = reason
            return seen
        }
        let usual = seen("400", "BadTopic")
        #expect(APNSObservation.compare("a", theirs: usual, ours: usual).verdict == .agrees)
        #expect(APNSObservation.compare("a", theirs: seen("400", "BadPath"), ours: usual).verdict == .differs)
        let busy = APNSObservation.compare("a", theirs: seen("503", "ServiceUnavailable"), ours: usual)
        #expect(busy.verdict == .undecided && busy.note == "the answer was 503 ServiceUnavailable")
        let many = seen("429", "TooManyProviderTokenUpdates")
        #expect(APNSObservation.compare("a", theirs: many, ours: many).verdict == .agrees)
    }
}
