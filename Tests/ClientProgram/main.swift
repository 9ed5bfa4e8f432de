import Dispatch
import Foundation
import PosthornClient

// An app's use of PosthornClient as a process, for Interop/test_client.py: commands on standard input, one JSON object a line;
// events on standard output, the same way. It can kill itself before any of its steps.

/// Prints an event.
func say(_ event: String, _ members: [String: Any] = [:]) {
    var object = members
    object["event"] = event
    guard let data = try? JSONSerialization.data(withJSONObject: object, options: .sortedKeys) else { return }
    FileHandle.standardOutput.write(data + Data("\n".utf8))
}

/// The settings in the program's arguments: one JSON object.
struct Settings: Decodable {
    var service: String
    var appKey: String
    var bundleID: String
    var folder: String
    var diesAt: Int?
    var patience: Double?
    var longestWait: Double?
    var timeout: Double?
    /// Added to the time of receipts, as a clock would have it that jumps.
    var clockOffset: Double?
}

let settings = try JSONDecoder().decode(Settings.self, from: Data(CommandLine.arguments[1].utf8))
let deaths = Deaths(at: settings.diesAt)

func makeConfiguration() throws -> PosthornConfiguration {
    var values = DeviceValues(environment: AppBuild.read().environment, system: "iOS 17.0")
    values.zone = "Europe/Berlin"
    values.language = "en"
    var configuration = try PosthornConfiguration(
        service: URL(string: settings.service) ?? URL(fileURLWithPath: "/"),
        appKey: settings.appKey,
        bundleID: settings.bundleID,
        values: values,
        store: MortalStore(base: FileStateStore(folder: URL(fileURLWithPath: settings.folder)), deaths: deaths)
    )
    configuration.transport = MortalTransport(
        base: URLSessionTransport(timeout: settings.timeout ?? 10),
        deaths: deaths
    )
    configuration.backoff = Backoff(first: 0.02, longest: settings.longestWait ?? 0.1)
    configuration.patience = settings.patience ?? 20
    configuration.log = { say("log", ["line": $0]) }
    return configuration
}

let configuration = try makeConfiguration()
let client = PosthornClient(configuration)
client.onIdentity { result, _ in
    switch result {
    case .success(let registration): say("registered", ["id": registration.id, "secret": registration.secret])
    case .failure(let error): say("refused", ["code": error.code])
    }
}
client.onMessage { message in
    say("message", ["content": message.content, "position": message.position, "extras": message.extras])
}
client.onTokenWanted { say("token-wanted") }

/// The operation in a command.
func operation(_ command: [String: Any]) -> DeviceOperation? {
    let tags = command["tags"] as? [String] ?? []
    switch command["do"] as? String {
    case "addTags": return .addTags(tags)
    case "setTags": return .setTags(tags)
    case "deleteTags": return .deleteTags(tags)
    case "cleanTags": return .cleanTags
    case "getTags": return .getTags
    case "checkTag": return .checkTag(command["tag"] as? String ?? "")
    case "setAlias": return .setAlias(command["alias"] as? String ?? "")
    case "deleteAlias": return .deleteAlias
    case "getAlias": return .getAlias
    case "setBadge": return .setBadge(command["badge"] as? Int ?? 0)
    case "setMobile": return .setMobile(command["mobile"] as? String)
    case "setPush": return .setPush(command["on"] as? Bool ?? true)
    case "getPush": return .getPush
    default: return nil
    }
}

func report(_ command: [String: Any]) -> (Receipt.Event, Int64, Date) {
    let event = Receipt.Event(rawValue: command["kind"] as? String ?? "") ?? .received
    let id = Int64(command["id"] as? String ?? "") ?? 0
    return (event, id, Date(timeIntervalSinceNow: settings.clockOffset ?? 0))
}

func bytes(_ text: String) -> Data {
    let digits = Array(text.utf8)
    return Data(
        stride(from: 0, to: digits.count, by: 2).compactMap { place in
            UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16)
        }
    )
}

func carryOut(_ command: [String: Any]) {
    switch command["do"] as? String {
    case "start": client.start()
    case "token": client.setDeviceToken(bytes(command["token"] as? String ?? ""))
    case "voip": client.setVoIPToken(bytes(command["token"] as? String ?? ""))
    case "activity":
        client.setActivityToken((command["token"] as? String).map(bytes), for: command["activity"] as? String ?? "")
    case "permission":
        client.setPermission(DeviceValues.Permission(rawValue: command["permission"] as? String ?? "") ?? .denied)
    case "report":
        let (event, id, date) = report(command)
        client.report(event, of: id, at: date)
    case "extension":
        let (event, id, date) = report(command)
        ReceiptReporter(configuration).report(event, of: id, at: date, within: 5) { say("reported", ["sent": $0]) }
    case "fetch": client.fetchMessages()
    case "front": client.setInFront(command["is"] as? Bool ?? true)
    case "flush": client.flush(within: 20) { say("flushed", ["sent": $0]) }
    case "unregister": client.unregister { say("unregistered") }
    case "diagnose":
        client.diagnose(language: command["language"] as? String, wait: 5) { result in
            switch result {
            case .success(let found): say("diagnosis", ["cause": found.cause, "sentence": found.sentence])
            case .failure(let error): say("diagnosis", ["code": error.code])
            }
        }
    default:
        guard let operation = operation(command) else { return say("unknown") }
        client.perform(operation) { result in
            switch result {
            case .failure(let error): say("answer", ["code": error.code])
            case .success(let answer):
                var members: [String: Any] = ["code": 0]
                members["tags"] = answer.tags
                members["alias"] = answer.alias
                members["bound"] = answer.isBound
                members["on"] = answer.isOn
                say("answer", members)
            }
        }
    }
}

// The main thread waits for commands: the client works on a queue of its own.
while let line = readLine() {
    let command = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
    carryOut(command ?? [:])
}
