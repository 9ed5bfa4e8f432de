@testable import PosthornClient

/// The service's side of the calls as a value, for tests of the client's rules. Interop/test_client.py runs the client against the
/// real one.
struct ServiceModel: Hashable, Sendable {
    struct Device: Hashable, Sendable {
        var id: String
        var secret: String
        var values: DeviceValues
        var tags: Set<String> = []
        var alias: String?
        var badge = 0
        var isPushOn = true
        /// The number of the last operation that was carried out.
        var sequence = 0
        var receipts: Set<String> = []
    }

    /// By installation.
    var devices: [String: Device] = [:]
    var messages: [CustomMessage] = []
    /// The installation of the device on the link.
    var linked: String?
    /// Whether it says at a login on the link what it has, as from version 0.2.0 on.
    var tellsState = true
    private var lastID = 0
    private var lastSecret = 0

    mutating func answer(_ call: ServiceCall, of client: SavedState) -> CallOutcome {
        if case .register(let values) = call { return register(values, client) }
        guard var device = devices[client.installation], device.id == client.registration?.id,
            device.secret == client.registration?.secret
        else { return .refused(PosthornError(code: 6016, message: "unknown")) }
        defer { if devices[client.installation] != nil { devices[client.installation] = device } }
        switch call {
        case .register: return .done
        case .update(let values, _):
            device.values = values
            return .updated(
                hasToken: values.token != nil,
                isPushOn: device.isPushOn,
                sequence: Int64(device.sequence)
            )
        case .operation(let number, let operation): return .answered(device.perform(operation, numbered: number))
        case .receipts(let receipts):
            for receipt in receipts { device.receipts.insert("\(receipt.messageID) \(receipt.event)") }
            return .done
        case .messages(let position):
            let waiting = messages.filter { $0.position > position ?? 0 }.prefix(5)
            return .received(Array(waiting), position: waiting.last?.position ?? position)
        case .unregister:
            devices[client.installation] = nil
            return .done
        }
    }

    mutating func register(_ values: DeviceValues, _ client: SavedState) -> CallOutcome {
        if client.appKey == "unknown" { return .refused(PosthornError(code: 1005, message: "no such app")) }
        lastSecret += 1
        if devices[client.installation] == nil { lastID += 1 }
        var device =
            devices[client.installation] ?? Device(id: "id-\(lastID)", secret: "", values: values)
        device.secret = "secret-\(lastSecret)"
        device.values = values
        device.isPushOn = true
        device.sequence = 0
        devices[client.installation] = device
        return .registered(Registration(id: device.id, secret: device.secret), hasToken: values.token != nil)
    }

    /// The state that has to be equal at the end, whichever way led there: identities and secrets differ.
    var outcome: [String] {
        devices.values.map { device in
            let names = [device.tags.sorted(), device.receipts.sorted()].map { $0.joined(separator: ",") }
            return """
                \(device.values.token ?? "") \(device.values.zone ?? "") \(device.alias ?? "") \(device.badge) \
                \(device.isPushOn) \(names)
                """
        }
    }
}

extension ServiceModel.Device {
    mutating func perform(_ operation: DeviceOperation, numbered number: Int?) -> DeviceAnswer {
        if let number, !operation.isQuestion {
            // One that arrives again after a later one.
            guard number > sequence else { return DeviceAnswer() }
            sequence = number
        }
        switch operation {
        case .addTags(let added, _): tags.formUnion(added)
        case .setTags(let all, _): tags = Set(all)
        case .deleteTags(let gone): tags.subtract(gone)
        case .cleanTags: tags = []
        case .setAlias(let name, _): alias = name
        case .deleteAlias: alias = nil
        case .setBadge(let number): badge = number
        case .setPush(let isOn): isPushOn = isOn
        case .setMobile, .setAttributes, .declineTopics: break
        case .getTags: return DeviceAnswer(tags: tags.sorted())
        case .checkTag(let tag): return DeviceAnswer(isBound: tags.contains(tag))
        case .getAlias: return DeviceAnswer(alias: alias)
        case .getPush: return DeviceAnswer(isOn: isPushOn)
        case .getTopics: break
        }
        return DeviceAnswer()
    }
}

/// Reads a message, for files in which another module has a type of the same name.
func customMessage(_ object: [String: Any]) -> CustomMessage? { CustomMessage(object) }
