import ArgumentParser
import Foundation
import PosthornStack
import PushClock
import PushDevice
import PushModel

extension AssistantTool {
    static let all: [AssistantTool] = [
        startSandbox, stopSandbox, sendPush, pushes, waitFor, why, device, setFault, endFaults, turnClock, doctor,
        matrix, when,
    ]

    private static let target = Parameter(
        "target",
        .string,
        about: "The sandbox, or the service that POSTHORN_URL names; by default the sandbox if one runs.",
        values: ["sandbox", "service"]
    )
    private static let messageID = Parameter("msg_id", .string, about: "The msg_id from the response of POST /v3/push.")
    private static let registrationID = Parameter("registration_id", .string, about: "The device's registration id.")

    // MARK: The sandbox

    private static let startSandbox = AssistantTool(
        name: "start_sandbox",
        about: """
            Starts a push service with the JPush REST API v3, an APNs and emulated iPhones with a sample app, on free ports of this \
            machine. Returns addresses, device tokens and registration ids. 'file' is a JSON file with these and the secrets, for the code \
            under test: point it to api.url, or to apns.host and apns.port with apns.ca.
            """,
        isReadOnly: false,
        parameters: [
            Parameter("devices", .integer, about: "The number of iPhones, 0 to 10; 1 by default."),
            Parameter("ios", .string, about: "Their version of iOS, such as 26.0; 17.0 by default."),
        ]
    ) { session, arguments in
        let devices = arguments.number("devices") ?? 1
        guard (0...10).contains(devices) else { throw ToolProblem("'devices' is \(devices); expected 0 to 10.") }
        let stack = try await session.sandbox.start(phones: devices, system: arguments.text("ios") ?? "17.0")
        return try await stack.descriptionForAssistants().text
    }

    private static let stopSandbox = AssistantTool(
        name: "stop_sandbox",
        about: "Stops the sandbox and deletes its data.",
        isReadOnly: false
    ) { session, _ in
        await session.sandbox.stop() ? "stopped" : "No sandbox was running."
    }

    // MARK: Pushes

    private static let sendPush = AssistantTool(
        name: "send_push",
        about: """
            Sends a push: the body of POST /v3/push of the JPush REST API, such as {"platform":["ios"],"audience":"all",\
            "notification":{"ios":{"alert":"Hello"}}}. Returns the response with msg_id.
            """,
        isReadOnly: false,
        parameters: [Parameter("push", .object, about: "The push object.", isRequired: true), target]
    ) { session, arguments in
        let target = try session.target(arguments)
        guard target.stack != nil || session.allowsChanges else {
            throw ToolProblem("Pushes to a real service are off; 'posthorn mcp --allow-changes' permits them.")
        }
        let answer = try await target.client().post(
            "/v3/push",
            Array(JSONValue.object(arguments.object("push")).text.utf8)
        )
        guard answer.status == 200 else { throw ToolProblem(ServerRefusal(answer).description) }
        return answer.json.text
    }

    private static let pushes = AssistantTool(
        name: "pushes",
        about: """
            Shows the requests that the sandbox's APNs has received, with headers, payload and answer, also those of other senders than \
            its service; a refused one with its reason and remedy. Waits for them if asked to.
            """,
        parameters: [
            Parameter("token", .string, about: "Only pushes to this device token."),
            Parameter("topic", .string, about: "Only pushes with this apns-topic."),
            Parameter("text", .string, about: "Only pushes whose payload contains this text."),
            Parameter("reason", .string, about: "Only pushes refused with this reason, such as BadDeviceToken."),
            Parameter("status", .integer, about: "Only pushes answered with this status."),
            Parameter("after", .integer, about: "Only pushes with a higher number."),
            Parameter("count", .integer, about: "The number of pushes to wait for; 1 by default."),
            Parameter("wait", .integer, about: "Seconds to wait for them, 0 to 60; 0 by default."),
        ]
    ) { session, arguments in
        let names = ["token", "topic", "text", "reason", "status", "after", "count", "wait"]
        let query = names.compactMap { name in
            (arguments.text(name) ?? arguments.number(name).map(String.init)).map { "\(name)=\(APIClient.encoded($0))" }
        }
        return try await session.control("GET", "/pushes?" + query.joined(separator: "&"))
    }

    private static let waitFor = AssistantTool(
        name: "wait_for",
        about: """
            Waits until a push has reached a state on a device, and returns its journey: every event and the verdict. If it does not in \
            time, the journey says how far the push came.
            """,
        parameters: [
            Parameter("msg_id", .string, about: messageID.about, isRequired: true),
            Parameter("registration_id", .string, about: registrationID.about, isRequired: true),
            Parameter("state", .string, about: "The verdict's state: shown (the default), opened, refused …"),
            Parameter("within", .integer, about: "Seconds to wait, 0 to 60; 5 by default."), target,
        ]
    ) { session, arguments in
        let client = try session.target(arguments).client()
        let ids = ["msg_id", "registration_id"].map { APIClient.encoded(arguments.text($0) ?? "") }
        let deadline = ContinuousClock.now + .seconds(min(max(arguments.number("within") ?? 5, 0), 60))
        while true {
            let journey = try await client.get("/posthorn/v1/journeys/\(ids[0])/\(ids[1])").members
            let isThere = journey["verdict"]?.object?["state"]?.string == arguments.text("state") ?? "shown"
            if isThere || ContinuousClock.now >= deadline { return JSONValue.object(journey).text }
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private static let why = AssistantTool(
        name: "why",
        about: "Explains what happened to a push on a device; takes msg_id with registration_id, or apns_id.",
        parameters: [
            messageID, registrationID, Parameter("apns_id", .string, about: "The apns-id of the push."), target,
        ]
    ) { session, arguments in
        let ids = ["msg_id", "registration_id"].compactMap(arguments.text)
        let words =
            ["why", "--json"] + arguments.options(["apns_id"]) + (try session.target(arguments).options) + ["--"] + ids
        return try await PrintedLines.ofCommand(words)
    }

    // MARK: Phones, faults and time

    /// The commands of `posthorn device` that touch a running one.
    private static let orders: [String] = DeviceCommand.configuration.subcommands
        .filter { $0 != DeviceCommand.Run.self && $0.configuration.subcommands.isEmpty }.map { $0._commandName }

    private static let device = AssistantTool(
        name: "device",
        about: """
            Does with an emulated iPhone of the sandbox what its user does, and returns what came of it: tap, long-press and dismiss a \
            notification (the newest, or by its id), action with a button's id, reply, lock … 'screen' shows what is on the screen and in \
            the notification centre.
            """,
        isReadOnly: false,
        parameters: [
            Parameter("order", .string, about: "As in 'posthorn device ORDER'.", isRequired: true, values: orders),
            Parameter("arguments", .array, about: "The values after ORDER, such as +1h for clock or a text for reply."),
            Parameter("name", .string, about: "The name of the iPhone; the first one if not given."),
        ]
    ) { session, arguments in
        let stack = try session.runningSandbox()
        let name = arguments.text("name") ?? stack.phones.first?.device.name ?? ""
        let words = ["device", arguments.text("order") ?? "", "--name=\(name)", "--"] + arguments.texts("arguments")
        return try await DeviceName.$performer.withValue(stack.perform) { try await PrintedLines.ofCommand(words) }
    }

    private static let setFault = AssistantTool(
        name: "set_fault",
        about: """
            Lets the sandbox's APNs misbehave: {"kind":"answer","reason":"TooManyRequests","next":3}, {"kind":"latency","seconds":2}, \
            {"kind":"goAway","lastStreamID":"before","next":1}, {"kind":"reset","next":1}, {"kind":"close","next":1} and others.
            """,
        isReadOnly: false,
        parameters: [
            Parameter("fault", .object, about: "As POST /faults of the control endpoint takes it.", isRequired: true)
        ]
    ) { session, arguments in
        try await session.control("POST", "/faults", arguments.object("fault"))
    }

    private static let endFaults = AssistantTool(
        name: "end_faults",
        about: "Ends all faults of the sandbox's APNs.",
        isReadOnly: false
    ) { session, _ in
        try await session.control("DELETE", "/faults")
    }

    private static let turnClock = AssistantTool(
        name: "turn_clock",
        about: "Moves all clocks of the sandbox forward: schedules fire, pushes expire, provider tokens age.",
        isReadOnly: false,
        parameters: [Parameter("seconds", .integer, about: "How far.", isRequired: true)]
    ) { session, arguments in
        try await session.control("POST", "/clock", ["turn": .number(arguments.number("seconds") ?? 0)])
    }

    // MARK: Looking things up

    private static let doctor = AssistantTool(
        name: "doctor",
        about: "Checks service, app, credentials, device, push and files of a build, and says what to do.",
        parameters: [
            Parameter("app", .string, about: "The key of an app."),
            Parameter("device", .string, about: registrationID.about),
            Parameter("message", .string, about: messageID.about),
            Parameter("profile", .string, about: "Path of a .mobileprovision file."),
            Parameter("info_plist", .string, about: "Path of the app's Info.plist."),
            Parameter("entitlements", .string, about: "Path of the app's entitlements."), target,
        ]
    ) { session, arguments in
        let place = try session.target(arguments).operatorOptions
        let names = ["app", "device", "message", "profile", "info_plist", "entitlements"]
        return try await PrintedLines.ofCommand(["doctor", "--json"] + arguments.options(names) + place)
    }

    private static let states = Matrix.Start.allCases.map(\.rawValue)

    private static let matrix = AssistantTool(
        name: "matrix",
        about: "Runs one case on an emulated iPhone, and returns which delegate callbacks an app gets, in order.",
        parameters: [
            Parameter("os", .string, about: "The version of iOS, 7 or later; 17 by default."),
            Parameter("state", .string, about: "The app's state.", isRequired: true, values: states),
            Parameter("do", .string, about: "The user's action.", values: Matrix.Act.allCases.map(\.rawValue)),
            Parameter("local", .boolean, about: "A local notification instead of a push."),
            Parameter("content_available", .boolean, about: "An alert with content-available."),
            Parameter("silent", .boolean, about: "A silent push."),
            Parameter("mutable", .boolean, about: "An alert with mutable-content, and a service extension."),
        ]
    ) { _, arguments in
        let flags = ["local", "content_available", "silent", "mutable"]
        return try await PrintedLines.ofCommand(
            ["matrix", "--json"] + arguments.options(["os", "state", "do"], flags: flags)
        )
    }

    private static let when = AssistantTool(
        name: "when",
        about: "Says when the trigger of a local notification fires, also across changes of daylight saving time.",
        parameters: [
            Parameter("trigger", .string, about: "Such as 'weekday=2 hour=8', or interval=SECONDS.", isRequired: true),
            Parameter("repeats", .boolean, about: "Whether it repeats."),
            Parameter("count", .integer, about: "The number of firings; 5 by default."),
            Parameter("zone", .string, about: "The device's time zone, such as Europe/Berlin."),
            Parameter("from", .string, about: "When it is added, such as 2026-03-01T08:00; now by default."),
        ]
    ) { _, arguments in
        let options = arguments.options(["count", "zone", "from"], flags: ["repeats"])
        return try await PrintedLines.ofCommand(
            ["when", "--json"] + options + ["--", arguments.text("trigger") ?? ""]
        )
    }
}
