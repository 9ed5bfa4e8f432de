import PosthornStack
import PushModel
import PushService

/// The lines of devices as the service has written them in a page.
extension DeviceList {
    /// The first row of a CSV file.
    static let header = Array((DeviceImport.Field.allCases.map(\.rawValue).joined(separator: ",") + "\n").utf8)
    /// The fields in their order, with what stands before each in a line of JSON.
    private static let members = DeviceImport.Field.allCases.enumerated().map { index, field in
        (field, Array("\(index > 0 ? "," : "{")\"\(field.rawValue)\":".utf8))
    }

    /// The registration id of the last device.
    var last: String? { devices.last??[.registrationID]?.json(in: octets).string }

    /// Appends a device as a row of a CSV file.
    func writeRow(_ device: DeviceFields, to output: inout [UInt8]) {
        for (index, (field, _)) in Self.members.enumerated() {
            if index > 0 { output.append(CSVReader.comma) }
            guard let place = device[field] else { continue }
            if place.isText, SpreadsheetText.isPlain(octets.span.extracting(place.range)) {
                output.append(contentsOf: octets[place.range])
                continue
            }
            let value = place.json(in: octets)
            // No tag contains a comma: the API separates tags by it.
            let tags = value.array.map { SpreadsheetText.quoted($0.compactMap(\.string)) }
            let attributes = value.object.map { $0.isEmpty ? "" : value.text }
            let text = tags ?? attributes ?? SpreadsheetText.quoted(value.string ?? "")
            output.append(contentsOf: CSVReader.field(text).utf8)
        }
        output.append(contentsOf: "\n".utf8)
    }

    /// Appends a device as a line of JSON.
    func writeObject(_ device: DeviceFields, to output: inout [UInt8]) {
        for (field, beginning) in Self.members {
            output.append(contentsOf: beginning)
            (device[field]?.json(in: octets) ?? .null).write(to: &output)
        }
        output.append(contentsOf: "}\n".utf8)
    }
}

/// Reads an app's devices from a service page by page, oldest first.
struct DevicePages {
    let client: APIClient
    /// Nil for all devices.
    var tag: String?
    var alias: String?

    /// The maximum number of devices that the service returns at a time.
    static let size = 1000

    /// Reads the devices after one, as the service has written them, and with `withTotal` the number of all.
    func page(after last: String? = nil, withTotal: Bool = false) async throws -> DeviceList {
        let path = path(after: last, Self.size) + (withTotal ? "&total=true" : "")
        let answer = try await client.call("GET", path, isParsed: false)
        guard answer.status == 200 else { throw ServerRefusal(answer) }
        guard let list = try? DeviceList(parsing: answer.bytes, and: "total"), let count = list.count,
            count == 0 || list.last != nil
        else {
            throw JSONProblem("devices", found: nil, expected: "an array of objects")
        }
        return list
    }

    /// Reads up to `limit` devices after one; fewer at the end.
    func devices(after last: String?, limit: Int) async throws -> [RegisteredDeviceAnswer] {
        let answer: DeviceListAnswer = try await client.get(path(after: last, limit)).read()
        return answer.devices
    }

    private func path(after last: String?, _ limit: Int) -> String {
        let given = [("tag", tag), ("alias", alias), ("after", last), ("limit", String(limit))]
        let query = given.compactMap { name, value in value.map { "\(name)=\(APIClient.encoded($0))" } }
        return "/posthorn/v1/devices?" + query.joined(separator: "&")
    }
}
