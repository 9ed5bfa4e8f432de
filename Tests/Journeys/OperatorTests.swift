import APNSGateway
import AppleDeveloper
import Foundation
import Logging
import PosthornStack
import PushClock
import PushModel
import PushService
import Synchronization
import TestSupport
import Testing

/// Operations on a running service, with real certificates and the real gateway.
@Suite("Operators manage a running service over its socket", .suiteLimit)
struct OperatorTests {
    private static let password = "secret"

    /// A push certificate with its key, in the forms in which people have it.
    private struct Identity {
        var certificate: PushCertificate
        var key: CertificateKey

        init(
            _ authority: GatewayAuthority,
            _ bundleID: String = Stack.bundleID,
            _ environments: Set<APNSEnvironment> = [.development, .production],
            at date: Date = Date()
        ) throws {
            let order = GatewayAuthority.PushOrder(
                appID: try AppID(bundleID: bundleID, hasPush: true),
                teamID: GatewayNode.teamID,
                environments: environments
            )
            key = try CertificateKey()
            certificate = try authority.issue(order, to: key.publicKey, at: date)
        }

        var p12: [UInt8] {
            get throws {
                var random = SystemRandomNumberGenerator()
                return try PKCS12Bundle(certificate, key: key).encoded(password: password, using: &random)
            }
        }

        var pem: [UInt8] { get throws { Array(try (certificate.pem() + key.pem).utf8) } }
    }

    private static func parameters(
        _ app: String,
        _ file: [UInt8],
        password: String? = OperatorTests.password,
        _ environment: APNSEnvironment? = nil
    ) -> JSONObject {
        var object: JSONObject = ["app": .string(app), "certificate": .string(Data(file).base64EncodedString())]
        object["password"] = password.map { .string($0) }
        object["environment"] = environment.map { .string($0.rawValue) }
        return object
    }

    private static func client(_ stack: Stack) async throws -> OperatorClient {
        try await OperatorClient(data: stack.settings.folder, creates: false)
    }

    private static func makeApp(_ client: OperatorClient, _ bundleID: String = Stack.bundleID) async throws -> String {
        let app = try await client.perform(.appCreate, ["name": "A", "bundle_id": .string(bundleID)])
        return try #require(app["app_key"]?.string)
    }

    @Test("Each file that is no usable certificate is refused with its reason", arguments: UnusableCredential.allCases)
    func refusals(_ reason: UnusableCredential) async throws {
        try await withStack(clock: SystemClock(), preparesPhones: false) { stack in
            let authority = stack.gateway.authority
            let day = 86_400.0
            let year = 366 * 86_400.0
            let identity = try Identity(authority)
            let (file, password, environment): ([UInt8], String?, APNSEnvironment?) =
                switch reason {
                case .unreadable: (Array("a picture".utf8), nil, nil)
                case .wrongPassword: (try identity.p12, "other", nil)
                case .keyMissing: (Array(try identity.certificate.pem().utf8), nil, nil)
                case .certificateMissing: (Array(identity.key.pem.utf8), nil, nil)
                case .keyMismatch: (Array(try (identity.certificate.pem() + CertificateKey().pem).utf8), nil, nil)
                case .notForPushes: (try Self.serverIdentity(stack), nil, nil)
                case .otherBundleID: (try Identity(authority, Stack.otherBundleID).p12, Self.password, nil)
                case .otherEnvironment:
                    (try Identity(authority, Stack.bundleID, [.development]).p12, Self.password, .production)
                case .expired: (try Identity(authority, at: Date() - 2 * year).p12, Self.password, nil)
                case .notYetValid: (try Identity(authority, at: Date() + 30 * day).p12, Self.password, nil)
                }
            let client = try await Self.client(stack)
            let app = try await Self.makeApp(client)
            let error = await #expect(throws: OperatorError.self) {
                try await client.perform(
                    .credentialAdd,
                    Self.parameters(app, file, password: password, environment)
                )
            }
            #expect(error?.code == .unusableCredential)
            #expect(error?.reason == reason, "\(String(describing: error))")
            let inspected = try await Self.inspect(Self.parameters(app, file, password: password, environment), client)
            #expect(inspected.reason == reason)
            // A certificate of the future names the machine's time, which goes on.
            let problem = inspected.problem
            let message = error?.message
            #expect(
                problem?.split(separator: ", which says ").first == message?.split(separator: ", which says ").first
            )
            let shown = try await client.perform(.credentialShow, ["app": .string(app)])
            #expect(shown["credentials"]?.array == [], "Nothing is stored.")
        }
    }

    /// Returns why a file is no usable certificate, with or without what it holds.
    private static func inspect(
        _ parameters: JSONObject,
        _ client: OperatorClient
    ) async throws -> (reason: UnusableCredential?, problem: String?) {
        do {
            let answer = try await client.perform(.credentialInspect, parameters)
            #expect(answer["usable"]?.bool == (answer["problem"] == .null))
            return (answer["reason"]?.string.flatMap(UnusableCredential.init(rawValue:)), answer["problem"]?.string)
        } catch let error as OperatorError { return (error.reason, error.message) }
    }

    @Test("A credential is read without being stored: its facts, and whether the app could use it")
    func inspection() async throws {
        try await withStack(clock: SystemClock(), preparesPhones: false) { stack in
            let client = try await Self.client(stack)
            let app = try await Self.makeApp(client)
            let file = try Identity(stack.gateway.authority, Stack.bundleID, [.development]).p12
            let answer = try await client.perform(.credentialInspect, Self.parameters(app, file))
            #expect(answer["usable"] == true && answer["problem"] == .null && answer["reason"] == .null)
            let read = try #require(answer["read"]?.object)
            #expect(read["kind"] == "certificate" && read["environments"] == ["development"])
            #expect(read["topics"]?.array?.first == .string(Stack.bundleID))
            #expect(try #require(read["days_left"]?.integer) > 300)
            // What the file holds is told even if it is of no use to the app.
            let other = try Identity(stack.gateway.authority, Stack.otherBundleID).p12
            let refused = try await client.perform(.credentialInspect, Self.parameters(app, other))
            #expect(refused["usable"] == false)
            #expect(refused["read"]?.object?["topics"]?.array?.first == .string(Stack.otherBundleID))
            let key = stack.gateway.key
            let keyed = try await client.perform(.credentialInspect, Self.parameters(app, key))
            #expect(keyed["read"] == ["kind": "p8", "key_id": .string(key.id), "team_id": .string(key.teamID)])
            let shown = try await client.perform(.credentialShow, ["app": .string(app)])
            #expect(shown["credentials"]?.array == [], "Nothing is stored.")
            let log = try await client.perform(.auditList, [:])
            let actions = log["entries"]?.array?.compactMap { $0.object?["action"]?.string }
            #expect(actions == ["app.create"], "Nothing was changed.")
        }
    }

    /// The gateway's own certificate for TLS with its key: no certificate for pushes.
    private static func serverIdentity(_ stack: Stack) throws -> [UInt8] {
        let folder = stack.settings.folder + "/gateway"
        return try ["server.pem", "server.key"].reduce(into: []) { bytes, name in
            bytes += Array(try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))) + Array("\n".utf8)
        }
    }

    @Test("A certificate, in either form, opens its environments; the trial and the verdict say which")
    func certificates() async throws {
        try await withStack(clock: SystemClock(), preparesPhones: false) { stack in
            let client = try await Self.client(stack)
            let app = try await Self.makeApp(client)
            func trial() async throws -> [String: Bool] {
                let answer = try await client.perform(.credentialTest, ["app": .string(app)])
                let results = (answer["results"]?.array ?? []).compactMap(\.object)
                return Dictionary(
                    uniqueKeysWithValues: results.map {
                        ($0["environment"]?.string ?? "", $0["accepted"]?.bool ?? false)
                    }
                )
            }
            func verdict() async throws -> String {
                try await client.perform(.appShow, ["app": .string(app)])["verdict"]?.string ?? ""
            }
            #expect(try await trial() == ["development": false, "production": false])
            #expect(try await verdict().contains("cannot push to production: it has no credential"))
            let production = try Identity(stack.gateway.authority, Stack.bundleID, [.production])
            let added = try await client.perform(.credentialAdd, Self.parameters(app, try production.p12))
            #expect(added["added"]?.object?["topics"]?.array?.first == .string(Stack.bundleID))
            #expect(try await trial() == ["development": false, "production": true])
            #expect(try await verdict().contains("can push to production; the certificate ends in "))
            let both = try Identity(stack.gateway.authority)
            _ = try await client.perform(.credentialAdd, Self.parameters(app, try both.pem, password: nil))
            #expect(try await trial() == ["development": true, "production": true])
            let removed = try await client.perform(
                .credentialRemove,
                ["app": .string(app), "kind": "certificate", "environment": "production"]
            )
            #expect(removed["credentials"]?.array?.count == 1)
            let key = stack.gateway.key
            let keyed = try await client.perform(.credentialAdd, Self.parameters(app, key))
            let accepted = "APNs accepts it in development. APNs accepts it in production. Credential"
            #expect(keyed["note"]?.string?.hasPrefix(accepted) == true)
            #expect(keyed["note"]?.string?.contains("stays and sends nothing now") == true)
            #expect(try await trial() == ["development": true, "production": true])
            #expect(try await verdict().contains("can push to development and production, with key \(key.id)"))
            let unused = try await client.perform(.credentialAdd, Self.parameters(app, try production.p12))
            #expect(unused["note"]?.string?.hasPrefix("It is stored and not used") == true)
        }
    }

    private static func parameters(_ app: String, _ key: GeneratedKey) -> JSONObject {
        ["app": .string(app), "p8": .string(key.p8), "key_id": .string(key.id), "team_id": .string(key.teamID)]
    }

    /// Tries the credential for production.
    private static func trial(of app: String, _ client: OperatorClient) async throws -> JSONObject {
        let parameters: JSONObject = ["app": .string(app), "environment": "production"]
        let answer = try await client.perform(.credentialTest, parameters)
        return try #require(answer["results"]?.array?.first?.object)
    }

    /// Expects the trial and `doctor` to say why APNs does not accept the certificate.
    private static func expectRefusal(of app: String, _ cause: String, _ client: OperatorClient) async throws {
        let result = try await trial(of: app, client)
        #expect(result["accepted"]?.bool == false)
        #expect(result["status"]?.integer == 403)
        #expect(result["reason"]?.string == "BadCertificate")
        let finding = result["finding"]?.string ?? ""
        #expect(finding.contains("the certificate is revoked, expired, or of an unknown issuer"), "\(finding)")
        #expect(finding.hasSuffix(cause), "\(finding)")
        let examined = try await client.perform(.doctor(app: app, device: nil, message: nil))
        let findings = (try OperatorClient.read(examined) as DoctorAnswer).findings
        let credential = try #require(findings.first { $0.check == "credential.production" })
        #expect(credential.state == .wrong && credential.found == finding)
        #expect(credential.remedy?.contains("A revoked certificate must be replaced") == true)
        #expect(findings.contains { $0.check == "clock" && $0.state == .ok }, "The gateway's refusals have a Date.")
    }

    @Test("A certificate of another authority is accepted here, and the trial says that APNs does not know it")
    func foreign() async throws {
        try await withStack(clock: SystemClock(), preparesPhones: false) { stack in
            let client = try await Self.client(stack)
            let app = try await Self.makeApp(client)
            let foreign = try Identity(try GatewayAuthority(folder: nil))
            _ = try await client.perform(.credentialAdd, Self.parameters(app, try foreign.p12))
            try await Self.expectRefusal(
                of: app,
                "Its issuer is not the gateway's authority, so the issuer is probably unknown there.",
                client
            )
        }
    }

    @Test("A trial that gets no answer blames a certificate for no refused connection")
    func unreachable() async throws {
        try await withStack(clock: SystemClock(), preparesPhones: false) { stack in
            let client = try await Self.client(stack)
            let app = try await Self.makeApp(client)
            let identity = try Identity(stack.gateway.authority)
            _ = try await client.perform(.credentialAdd, Self.parameters(app, try identity.p12))
            await stack.gateway.server.close()
            let result = try await Self.trial(of: app, client)
            #expect(result["status"] == .null)
            #expect(result["finding"]?.string?.contains("revoked") == false)
        }
    }

    @Test(
        "APNs is asked about an app once in ten seconds, by a trial or by the doctor; a changed credential is tried at once"
    )
    func trialsAreRare() async throws {
        let clock = TurnableClock()
        try await withStack(clock: clock, preparesPhones: false) { stack in
            let client = try await Self.client(stack)
            let app = try await Self.makeApp(client)
            let key = stack.gateway.key
            for _ in 0..<2 {
                let trial = try await Self.trial(of: app, client)
                #expect(trial["accepted"]?.bool == false, "Without a credential nothing is sent.")
            }
            let added = try await client.perform(.credentialAdd, Self.parameters(app, key))
            let id = try #require(added["id"])
            func count() -> Int { stack.gateway.server.gateway.statistics.answers.values.reduce(0, +) }
            let before = count()
            #expect(try await Self.trial(of: app, client)["accepted"]?.bool == true)
            #expect(count() == before + 1)
            for parameters in [["app": .string(app), "environment": "production"], ["app": .string(app)]]
                as [JSONObject]
            {
                let error = await #expect(throws: OperatorError.self) {
                    try await client.perform(.credentialTest, parameters)
                }
                #expect(error?.code == .tooManyRequests)
            }
            #expect(count() == before + 1)
            // The doctor says what the trial found, and tries the other environment.
            for _ in 0..<3 {
                let answer = try await client.perform(.doctor(app: app, device: nil, message: nil))
                let findings = (try OperatorClient.read(answer) as DoctorAnswer).findings
                #expect(findings.filter { $0.check.hasPrefix("credential.") }.map(\.state) == [.ok, .ok])
            }
            #expect(count() == before + 2)
            var again = Self.parameters(app, key)
            again["replace"] = id
            _ = try await client.perform(.credentialAdd, again)
            #expect(count() == before + 4, "APNs is asked which environments the key is for.")
            #expect(try await Self.trial(of: app, client)["accepted"]?.bool == true)
            clock.turn(by: .seconds(10))
            #expect(try await Self.trial(of: app, client)["accepted"]?.bool == true)
            #expect(count() == before + 6)
            let entries = try await client.perform(.auditList)["entries"]?.array?.compactMap(\.object) ?? []
            let trials = entries.filter { $0["action"] == "credential.test" }
            #expect(trials.count(where: { $0["ok"] == true }) == 5)
            #expect(entries.count { $0["action"] == "doctor.run" } == 3)
        }
    }

    @Test("A revoked certificate is accepted here, and the trial says that APNs no longer does")
    func revoked() async throws {
        let clock = TurnableClock()
        try await withStack(clock: clock, preparesPhones: false) { stack in
            let client = try await Self.client(stack)
            let app = try await Self.makeApp(client)
            let identity = try Identity(stack.gateway.authority)
            _ = try await client.perform(.credentialAdd, Self.parameters(app, try identity.p12))
            let before = try await Self.trial(of: app, client)
            #expect(before["accepted"]?.bool == true, "\(before)")
            #expect(before["topics"]?.array?.first == .string(Stack.bundleID))
            try RevocationList(folder: stack.settings.folder + "/gateway").revoke(
                identity.certificate.serial,
                at: Date()
            )
            clock.turn(by: .seconds(10))
            try await Self.expectRefusal(
                of: app,
                "The gateway's authority has issued it, so it was probably revoked.",
                client
            )
        }
    }

    @Test("Replacing a credential under load loses no push")
    func replacedUnderLoad() async throws {
        try await withStack(clock: SystemClock(), preparesPhones: false) { stack in
            let client = try await Self.client(stack)
            let app = stack.app.app
            let token = stack.gateway.server.gateway.issueToken(topic: Stack.bundleID, environment: .production)
            let device: JSONValue = ["registration_id": "load1", "token": .string(token.hexadecimal)]
            let imported = try await stack.api.post(
                "/posthorn/v1/devices/import",
                JSONValue.object(["devices": [device]]).bytes
            )
            #expect(imported.json.object?["created"] == 1)
            let body: JSONValue = [
                "platform": "ios", "audience": ["registration_id": ["load1"]], "notification": ["alert": "Hi"],
            ]
            let ids = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var ids: [String] = []
                        for _ in 0..<60 {
                            let answer = try await stack.api.post("/v3/push", body.bytes)
                            ids.append(try #require(answer.json.object?["msg_id"]?.string, "\(answer.json.text)"))
                        }
                        return ids
                    }
                }
                group.addTask {
                    let key = stack.gateway.key
                    for number in 0..<20 {
                        let identity = try Identity(stack.gateway.authority)
                        _ = try await client.perform(
                            .credentialAdd,
                            Self.parameters(app.key.text, try identity.p12)
                        )
                        // The app begins with the key, which goes before certificates: they take turns.
                        if !number.isMultiple(of: 2) {
                            _ = try await client.perform(
                                .credentialAdd,
                                [
                                    "app": .string(app.key.text), "p8": .string(key.p8), "key_id": .string(key.id),
                                    "team_id": .string(key.teamID),
                                ]
                            )
                        } else {
                            _ = try await client.perform(
                                .credentialRemove,
                                ["app": .string(app.key.text), "kind": "p8"]
                            )
                        }
                    }
                    return []
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(ids.count == 240)
            for id in ids {
                let states: Set = ["sent", "stored", "coalesced", "delivered"]
                _ = try await eventual("push \(id) has reached the gateway") {
                    let answer = try await stack.api.get("/posthorn/v1/journeys/\(id)/load1")
                    let state = answer.json.object?["verdict"]?.object?["state"]?.string
                    return state.map(states.contains) == true ? true : nil
                }
            }
        }
    }

    @Test("A running service knows at once what an operator has made")
    func atOnce() async throws {
        try await withStack(clock: SystemClock(), preparesPhones: false) { stack in
            let client = try await Self.client(stack)
            let app = try await client.perform(.appCreate, ["name": "B", "bundle_id": "com.example.b"])
            let key = try #require(app["app_key"]?.string)
            let api = APIClient(
                url: stack.api.url,
                appKey: key,
                masterSecret: try #require(app["master_secret"]?.string)
            )
            #expect(try await api.get("/posthorn/v1/app").json.object?["name"] == "B")
            _ = try await client.perform(
                .appSet,
                [
                    "app": .string(key), "environment": "development",
                    "quiet_hours": ["from": "22:00", "to": "07:00", "zone": "device"],
                ]
            )
            let shown = try await api.get("/posthorn/v1/app").json.object
            #expect(shown?["environment"] == "development")
            #expect(shown?["quiet_hours"]?.object?["from"] == "22:00")
            let listed = try await client.perform(.appList)["apps"]?.array?.compactMap { $0.object?["app_key"]?.string }
            #expect(listed?.contains(key) == true)
        }
    }

    @Test("Only the service's user may connect, however long the folder's path is")
    func socket() async throws {
        try await withTemporaryFolder { folder in
            let long = folder.appending(path: String(repeating: "long/", count: 30)).path
            let settings = Stack.Settings(folder: long) { ($0.phones, $0.preparesPhones) = (0, false) }
            try await Stack.run(settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) { stack in
                let client = try await Self.client(stack)
                #expect(try await client.perform(.appList)["apps"]?.array?.count == 1)
                for (name, mode) in [("run", 0o700), ("run/operator.sock", 0o600)] {
                    let facts = try FileManager.default.attributesOfItem(atPath: long + "/" + name)
                    #expect((facts[.posixPermissions] as? NSNumber)?.intValue == mode, "\(name)")
                }
            }
            // No service runs: the same operations work on the folder.
            let client = try await OperatorClient(data: long, creates: false)
            #expect(try await client.perform(.appList)["apps"]?.array?.count == 1)
            let error = await #expect(throws: OperatorError.self) {
                try await client.perform(.credentialTest, ["app": .string("0")])
            }
            #expect(error?.code == .notFound)
        }
    }

    @Test("Bad parameters are named, with what was found and what was expected")
    func parameters() async throws {
        try await withStack(clock: SystemClock(), preparesPhones: false) { stack in
            let client = try await Self.client(stack)
            let cases: [(OperatorController.Operation, JSONObject, OperatorError.Code, String)] = [
                (.appShow, [:], .badRequest, "Key 'app' is missing"),
                (.appShow, ["app": "x"], .notFound, "There is no app 'x'"),
                (.appShow, ["app": "x", "key": "y"], .badRequest, "Key 'key' is not known here"),
                (.appCreate, ["name": " ", "bundle_id": "a.b"], .badRequest, "'name' is empty"),
                (.appCreate, ["name": "a", "bundle_id": "a b"], .badRequest, "Key 'bundle_id' is 'a b'"),
                (.groupChange, ["group": "x"], .notFound, "There is no group 'x'"),
                (.developerEnable, ["developer": "x"], .notFound, "There is no developer 'x'"),
                (.credentialAdd, ["app": .string(stack.app.app.key.text)], .badRequest, "The credential is missing"),
            ]
            for (action, parameters, code, message) in cases {
                let error = await #expect(throws: OperatorError.self) { try await client.perform(action, parameters) }
                #expect(error?.code == code)
                #expect(error?.message.contains(message) == true, "\(action): \(error?.message ?? "")")
            }
        }
    }

    @Test("Another command that uses the folder is waited for; then the folder is free")
    func twoCommands() async throws {
        try await withTemporaryFolder { folder in
            _ = try await OperatorClient(data: folder.path, creates: true).perform(.appList)
            let first = Mutex<DataFolder?>(try DataFolder(folder.path))
            // Made while the other has the lock, so that it expects a service.
            let client = try await OperatorClient(data: folder.path, creates: false, patience: .seconds(100))
            async let answer = client.perform(.appCreate, ["name": "A", "bundle_id": "com.example.a"])
            first.withLock { $0 = nil }
            #expect(try await answer["app_key"]?.string != nil)
            // Nothing keeps the lock afterwards.
            #expect(throws: Never.self) { _ = try DataFolder(folder.path) }
        }
    }

    @Test("A service waits for a command that uses its folder, and is told of one that stays")
    func startBesideCommand() async throws {
        try await withTemporaryFolder { folder in
            let first = Mutex<DataFolder?>(try DataFolder(folder.path))
            await #expect(throws: DataFolderProblem.self) {
                _ = try await DataFolder.whenUnused(folder.path, within: .zero)
            }
            async let second = DataFolder.whenUnused(folder.path, within: .seconds(100))
            first.withLock { $0 = nil }
            #expect(try await second.path.hasPrefix(folder.path))
        }
    }

    @Test("An older service is named when it does not know a parameter or an operation")
    func newerCommand() async throws {
        try await withStack(clock: SystemClock(), preparesPhones: false) { stack in
            let client = try await Self.client(stack)
            let advice = "The service may be older than this command: restart it with this version."
            let key = JSONValue.string(stack.app.app.key.text)
            let parameter = await #expect(throws: OperatorError.self) {
                try await client.perform(.appShow, ["app": key, "colour": "red"])
            }
            #expect(parameter?.code == .badRequest)
            #expect(parameter?.isUnknownParameter == true)
            #expect(parameter?.message == "Key 'colour' is not known here; expected one of 'app'. \(advice)")
            let wrong = await #expect(throws: OperatorError.self) { try await client.perform(.appShow, ["app": 7]) }
            #expect(wrong?.message.contains("older") == false)
            let operation = await #expect(throws: OperatorError.self) { try await client.perform(named: "app.fly") }
            #expect(operation?.code == .unknownOperation)
            #expect(operation?.message.contains("the service is older than the command") == true)
        }
        // Nobody is older where no service runs.
        try await withTemporaryFolder { folder in
            let client = try await OperatorClient(data: folder.path, creates: true)
            let error = await #expect(throws: OperatorError.self) {
                try await client.perform(.appList, ["colour": "red"])
            }
            #expect(error?.isUnknownParameter == true)
            #expect(error?.message.contains("older") == false)
        }
    }

    @Test("A process without the socket uses the folder: the command names it and what to do")
    func olderService() async throws {
        try await withTemporaryFolder { folder in
            _ = try await OperatorClient(data: folder.path, creates: true).perform(.appList)
            let held = try DataFolder(folder.path)
            let client = try await OperatorClient(data: folder.path, creates: false, patience: .zero)
            let error = await #expect(throws: APIProblem.self) { try await client.perform(.appList) }
            #expect(error?.description.contains("restart the service with this version") == true)
            withExtendedLifetime(held) {}
        }
    }
}
