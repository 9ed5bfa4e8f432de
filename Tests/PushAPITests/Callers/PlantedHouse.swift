import Foundation
import PushClock
import PushModel
import PushService
import TestSupport
import Testing

/// Kinds of callers, in the order of the columns of ``CallerTable``.
///
/// These are all credentials that the HTTP API knows: an app's, a group's, a developer's and a device's. There are none that may
/// only read.
enum Caller: String, CaseIterable {
    /// No credentials.
    case none
    /// The right key with another's secret.
    case wrongApp = "app?"
    case wrongGroup = "group?"
    case wrongDeveloper = "dev?"
    case wrongDevice = "rid?"
    /// The right kind, of somebody else.
    case otherApp = "app2"
    case otherGroup = "group2"
    case otherDeveloper = "dev2"
    case otherDevice = "rid2"
    /// Whose data it is.
    case app
    case group
    case developer = "dev"
    case device = "rid"

    var isOwner: Bool { [.app, .group, .developer, .device].contains(self) }
}

/// A service with data of an app, of its group and of a developer, and others who must not see it.
struct PlantedHouse {
    private static let tag = "planted_tag"
    private static let alias = "planted_alias"
    private static let mobile = "13812345678"
    private static let segment = "planted_segment"
    private static let template = "planted_template"
    private static let plan = "planted_plan"
    private static let description = "planted_description"
    private static let topic = "planted_topic"
    private static let rule = "{\"audience\":{\"tag\":[\"\(tag)\"]}}"
    private static let fileName = "planted.txt"
    private static let schedule = "planted_schedule"
    private static let package = "cn.example.planted"

    private let credentials: [Caller: String]
    private let registrationID: String
    private let token: String
    private let messageID: String
    private let apnsID: String
    private let groupMessageID: String
    private let fileID: String
    private let scheduleID: String
    private let templateID: String
    /// The developer's app.
    private let owned: (key: String, secret: String)
    /// The first app.
    private let app: (key: String, secret: String, bundleID: String)

    init(_ api: TestAPI) async throws {
        app = (api.app.key.text, api.masterSecret, api.app.bundleID)
        let device = try await api.addDevice()
        registrationID = api.core.registry.registrationID(of: device.id).text
        token = try #require(device.token).hexadecimal
        try await Self.plantNames(api, registrationID)
        templateID = try await Self.plantTemplate(api)
        let pushed = try await api.call("POST", "/v3/push", hello)
        messageID = try #require(pushed.json?["msg_id"]?.string, "\(pushed.text)")
        let message = try #require(MessageID(messageID))
        let id = try #require(RegistrationID(registrationID))
        try await eventually("the push has an apns-id") {
            try await api.core.journeys.journey(of: message, to: id, app: api.app)?.apnsID != nil
        }
        apnsID = try #require(try await api.core.journeys.journey(of: message, to: id, app: api.app)?.apnsID)
        let file = try await Self.form(api, "/v3/files/alias", Self.file, api.authorization)
        fileID = try #require(file.json?["file_id"]?.string, "\(file.text)")
        let schedule = try await api.call("POST", "/v3/schedules", Self.scheduled(Self.schedule))
        scheduleID = try #require(schedule.json?["schedule_id"]?.string, "\(schedule.text)")
        let first = try await Self.developer(api)
        let second = try await Self.developer(api)
        owned = try await Self.madeApp(api, Self.package, first.right)
        let other = try await Self.madeApp(api, "cn.example.other", second.right)
        let otherKey = try #require(AppKey(other.key))
        let otherApp = try #require(try await api.core.registry.app(otherKey))
        let group = try await Self.group(api, api.app.id)
        let otherGroup = try await Self.group(api, otherApp.id)
        let grouped = try await api.call("POST", "/v3/grouppush", hello, authorization: .some(group.right))
        groupMessageID = try #require(grouped.json?["group_msgid"]?.string, "\(grouped.text)")
        credentials = [
            .wrongApp: TestAPI.basic("\(app.key):\(other.secret)"), .wrongGroup: group.wrong,
            .wrongDeveloper: first.wrong, .otherApp: TestAPI.basic("\(other.key):\(other.secret)"),
            .otherGroup: otherGroup.right, .otherDeveloper: second.right, .app: api.authorization,
            .group: group.right, .developer: first.right, .device: TestAPI.basic("\(registrationID):s"),
            .wrongDevice: TestAPI.basic("\(registrationID):\(app.secret)"),
            .otherDevice: try await Self.registered(api, other.key, "cn.example.other"),
        ]
        // Else their counts would change later, as if a caller had changed something.
        try await eventually("the pushes are sent") {
            let messages = try await api.call("GET", "/posthorn/v1/messages").json?["messages"]?.array ?? []
            return messages.count == 2 && messages.allSatisfy { $0.object?["waiting"] == false }
        }
    }

    func authorization(_ caller: Caller) -> String? { credentials[caller] }

    /// Calls as somebody, about what is planted.
    ///
    /// - Returns: the cell of the table: the status, the code of an error, and a star if the answer tells something that is
    ///   planted and was not in the request.
    func call(_ operation: Operation, as caller: Caller, _ api: TestAPI) async throws -> String {
        let target = target(operation)
        let body = body(operation)
        let answer =
            if let form = form(operation) {
                try await Self.form(api, target, form, credentials[caller])
            } else {
                try await api.call(operation.method, target, body, authorization: .some(credentials[caller]))
            }
        // A refusal repeats the id of a device that is taken for an app.
        let name = caller == .device || caller == .wrongDevice ? registrationID : ""
        let sent = target + (form(operation) ?? body ?? "") + name
        let heads = answer.headers.values.joined(separator: "\n")
        let isTold = planted.contains { !sent.contains($0) && (answer.text.contains($0) || heads.contains($0)) }
        return "\(answer.status)" + (answer.code.map { "/\($0)" } ?? "") + (isTold ? "*" : "")
    }

    /// The owners' view of the planted objects.
    func state(_ api: TestAPI) async throws -> [String] {
        let targets = [
            "/posthorn/v1/app", "/posthorn/v1/devices", "/v3/tags", "/v3/files", "/v3/schedules",
            "/v3/messages/detail?msg_ids=\(messageID)", "/posthorn/v1/journeys/\(messageID)/\(registrationID)",
            "/posthorn/v1/messages", "/posthorn/v1/messages/\(messageID)", "/posthorn/v1/templates",
            "/posthorn/v1/topics",
            "/v3/push_plan/list", "/posthorn/v1/plans/\(Self.plan)", "/posthorn/v1/segments",
        ]
        let app = TestAPI.basic("\(owned.key):\(owned.secret)")
        let requests =
            targets.map { api.request("GET", $0) } + [api.request("GET", "/posthorn/v1/app", authorization: .some(app))]
        return try await RawConnection.open(api.port) { connection in
            var answers: [String] = []
            for request in requests {
                try await connection.send(request)
                answers.append(try await connection.answer().text)
            }
            return answers
        }
    }

    private var planted: [String] {
        [
            registrationID, token, messageID, apnsID, groupMessageID, fileID, scheduleID, owned.key, owned.secret,
            app.key,
            app.secret, app.bundleID, Self.tag, Self.alias, Self.mobile, Self.segment, Self.fileName, Self.schedule,
            Self.package, templateID, Self.template, Self.plan, Self.description, Self.topic,
        ]
    }

    // MARK: - Requests

    /// The path with what is planted in its parameters.
    private func target(_ operation: Operation) -> String {
        let query: [String: String] = [
            "/posthorn/v1/reports/app-versions": "msg_ids=\(messageID)",
            "/posthorn/v1/reports/languages": "msg_ids=\(messageID)",
            "/v3/received": "msg_ids=\(messageID)", "/v3/received/detail": "msg_ids=\(messageID)",
            "/v3/messages": "msg_ids=\(messageID)", "/v3/messages/detail": "msg_ids=\(messageID)",
            "/v3/users": "time_unit=DAY&start=2026-01-01&duration=1",
            "/v3/group/users": "time_unit=DAY&start=2026-01-01&duration=1",
            "/v3/group/messages/detail": "group_msgids=\(groupMessageID)",
            "/posthorn/v1/registrations/{}/diagnosis": "wait=0",
        ]
        let values: [(prefix: String, values: [String])] = [
            ("/v3/push/", [messageID]), ("/v3/files/", [fileID]), ("/v3/images/", ["1"]),
            ("/v3/devices/", [registrationID]), ("/v3/tags/", [Self.tag, registrationID]),
            ("/v3/aliases/", [Self.alias]), ("/v3/schedules/", [scheduleID]), ("/v1/app/", [owned.key]),
            ("/posthorn/v1/journeys/", [messageID, registrationID]), ("/posthorn/v1/apns/", [apnsID]),
            ("/posthorn/v1/messages/", [messageID]), ("/posthorn/v1/segments/", [Self.segment]),
            ("/posthorn/v1/templates/", [templateID]), ("/posthorn/v1/plans/", [Self.plan]),
            ("/posthorn/v1/devices/", [registrationID]), ("/posthorn/v1/registrations/", [registrationID]),
        ]
        var path = operation.path
        for value in values.first(where: { path.hasPrefix($0.prefix) })?.values ?? [] {
            if let place = path.firstRange(of: "{}") { path.replaceSubrange(place, with: value) }
        }
        return path + (query[operation.path].map { "?\($0)" } ?? "")
    }

    private func body(_ operation: Operation) -> String? {
        let toDevice = hello.replacing("\"all\",\"n", with: "{\"registration_id\":[\"\(registrationID)\"]},\"n")
        let toFile = hello.replacing("\"all\",\"n", with: "{\"file\":{\"file_id\":\"\(fileID)\"}},\"n")
        let single = { (target: String) in
            "{\"pushlist\":{\"\":{\"platform\":\"all\",\"target\":\"\(target)\",\"notification\":{\"alert\":\"a\"}}}}"
        }
        let params = "{\"keys\":{},\"audience\":{\"registration_id\":[\"\(registrationID)\"]}}"
        let members = "{\"registration_ids\":{\"add\":[\"\(registrationID)\"]}}"
        let bodies = [
            "POST /v3/push": toDevice, "POST /v3/push/validate": toDevice, "POST /v3/push/file": toFile,
            "POST /v3/push/batch/regid/single": single(registrationID),
            "POST /v3/push/batch/alias/single": single(Self.alias), "POST /v3/grouppush": toDevice,
            "POST /v3/grouppush/file": toFile, "POST /v3/images/byurls": "{}", "PUT /v3/images/byurls/{}": "{}",
            "POST /v3/images/byfiles": "{}", "PUT /v3/images/byfiles/{}": "{}",
            "POST /v3/devices/{}": "{\"alias\":\"changed\"}",
            "POST /v3/devices/status": "{\"registration_ids\":[\"\(registrationID)\"]}",
            "POST /v3/tags/{}": members, "POST /v3/aliases/{}": members.replacing("add", with: "remove"),
            "POST /v3/schedules": Self.scheduled("changed"), "PUT /v3/schedules/{}": "{\"name\":\"changed\"}",
            "POST /v3/status/message": "{\"msg_id\":\(messageID),\"registration_ids\":[\"\(registrationID)\"]}",
            "POST /v1/app": "{\"app_name\":\"App\",\"android_package\":\"\(Self.package)\"}",
            "POST /v1/app/{}/delete": "", "PUT /posthorn/v1/app": "{\"quiet_hours\":null}",
            "POST /posthorn/v1/audience": "{\"audience\":{\"registration_id\":[\"\(registrationID)\"]}}",
            "PUT /posthorn/v1/segments/{}": Self.rule, "PUT /posthorn/v1/topics": "{\"topics\":[]}",
            "POST /posthorn/v1/templates": Self.named("changed"),
            "PUT /posthorn/v1/templates/{}": Self.named("changed"),
            "POST /v3/push/template": "{\"id\":\"\(templateID)\",\"params\":[\(params)]}",
            "POST /v3/push/template/schedule":
                "{\"id\":\"\(templateID)\",\"params\":[\(params)],\"schedule_name\":\"n\",\(Self.trigger)}",
            "POST /v3/push_plan/create": "{\"name\":\"changed\"}",
            "PUT /v3/push_plan/update": "{\"name\":\"\(Self.plan)\",\"description\":\"changed\"}",
            "POST /posthorn/v1/registrations/{}/topics": "{\"declined\":[]}",
            "POST /posthorn/v1/devices/import":
                "{\"devices\":[{\"token\":\"\(token)\",\"registration_id\":\"\(registrationID)\"}]}",
            "POST /posthorn/v1/registrations": Self.registration(app.key, "com.example.wrong"),
            "PUT /posthorn/v1/registrations/{}": "{}",
            "POST /posthorn/v1/registrations/{}/tags": "{\"operation\":\"get\"}",
            "POST /posthorn/v1/registrations/{}/alias": "{\"operation\":\"get\"}",
            "POST /posthorn/v1/registrations/{}/badge": "{\"badge\":1}",
            "POST /posthorn/v1/registrations/{}/mobile": "{\"mobile\":\"1\"}",
            "POST /posthorn/v1/registrations/{}/attributes": "{\"attributes\":{\"a\":\"1\"}}",
            "POST /posthorn/v1/registrations/{}/push-switch": "{\"on\":false}",
            "POST /posthorn/v1/registrations/{}/receipts":
                "{\"receipts\":[{\"msg_id\":\"\(messageID)\",\"event\":\"opened\",\"time\":1}]}",
        ]
        return bodies["\(operation)"]
    }

    /// The body of an upload.
    private func form(_ operation: Operation) -> String? {
        switch "\(operation)" {
        case "POST /v3/files/alias": Self.part("name=\"filename\"; filename=\"b.txt\"", "bob")
        case "POST /v3/files/registration_id", "POST /v3/files/{}":
            Self.part("name=\"filename\"; filename=\"b.txt\"", registrationID)
        case "POST /v1/app/{}/certificate": Self.part("name=\"proCertificateFile\"; filename=\"b.p12\"", "nothing")
        default: nil
        }
    }

    private static let file = part("name=\"filename\"; filename=\"\(fileName)\"", alias)

    private static func part(_ disposition: String, _ content: String) -> String {
        "--b\r\nContent-Disposition: form-data; \(disposition)\r\n\r\n\(content)\r\n--b--"
    }

    private static func form(
        _ api: TestAPI,
        _ target: String,
        _ form: String,
        _ authorization: String?
    ) async throws -> Answer {
        try await RawConnection.open(api.port) { connection in
            let type = "Content-Type: multipart/form-data; boundary=b"
            try await connection.send(
                api.request("POST", target, form, authorization: .some(authorization), headers: type)
            )
            return try await connection.answer()
        }
    }

    private static let trigger = "\"trigger\":{\"single\":{\"time\":\"2026-01-01 16:30:00\"}}"

    private static func scheduled(_ name: String) -> String {
        """
        {"name":"\(name)","enabled":true,\(trigger),"push":\(hello)}
        """
    }

    private static func registration(_ key: String, _ bundleID: String) -> String {
        """
        {"app_key":"\(key)","bundle_id":"\(bundleID)","environment":"production","system":"iOS 17.0","installation":"i"}
        """
    }

    // MARK: - Planting

    /// Registers a device over HTTP.
    ///
    /// - Returns: its credentials.
    private static func registered(_ api: TestAPI, _ key: String, _ bundleID: String) async throws -> String {
        let answer = try await api.call("POST", "/posthorn/v1/registrations", registration(key, bundleID))
        let id = try #require(answer.json?["registration_id"]?.string, "\(answer.text)")
        return TestAPI.basic("\(id):\(try #require(answer.json?["secret"]?.string))")
    }

    private static func plantNames(_ api: TestAPI, _ registrationID: String) async throws {
        let body = "{\"tags\":{\"add\":[\"\(tag)\"]},\"alias\":\"\(alias)\",\"mobile\":\"\(mobile)\"}"
        let answer = try await api.call("POST", "/v3/devices/\(registrationID)", body)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(try await api.call("PUT", "/posthorn/v1/segments/\(segment)", rule).status == 200)
    }

    private static func plantTemplate(_ api: TestAPI) async throws -> String {
        let body = "{\"name\":\"\(plan)\",\"description\":\"\(description)\"}"
        #expect(try await api.call("POST", "/v3/push_plan/create", body).status == 200)
        let topics = "{\"topics\":[{\"name\":\"\(topic)\"}]}"
        #expect(try await api.call("PUT", "/posthorn/v1/topics", topics).status == 200)
        let made = try await api.call("POST", "/posthorn/v1/templates", named(template))
        return try #require(made.json?["id"]?.string, "\(made.text)")
    }

    private static func named(_ name: String) -> String {
        "{\"name\":\"\(name)\",\"push\":{\"platform\":\"all\",\"notification\":{\"alert\":\"a\"}}}"
    }

    private static func developer(_ api: TestAPI) async throws -> (right: String, wrong: String) {
        let made = try await api.core.store.createDeveloper(name: "developer", at: api.clock.date)
        let key = made.developer.key
        return (TestAPI.basic("\(key):\(made.secret)"), TestAPI.basic("\(key):\(api.masterSecret)"))
    }

    private static func madeApp(
        _ api: TestAPI,
        _ package: String,
        _ developer: String
    ) async throws -> (key: String, secret: String) {
        let body = "{\"app_name\":\"App\",\"android_package\":\"\(package)\"}"
        let answer = try await api.call("POST", "/v1/app", body, authorization: .some(developer))
        let key = try #require(answer.json?["app_key"]?.string, "\(answer.text)")
        return (key, try #require(answer.json?["master_secret"]?.string))
    }

    private static func group(_ api: TestAPI, _ app: App.ID) async throws -> (right: String, wrong: String) {
        let made = try await api.core.store.createGroup(name: "G", apps: [app], at: api.clock.date)
        let key = made.group.key
        return (TestAPI.basic("group-\(key):\(made.masterSecret)"), TestAPI.basic("group-\(key):\(api.masterSecret)"))
    }
}
