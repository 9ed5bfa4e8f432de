import ArgumentParser
import Foundation
import PosthornStack
import PushModel

/// A batch that sends one push for each line of a file.
struct PushBatchFile {
    enum Target: String, ExpressibleByArgument, CaseIterable {
        case registrationID = "registration-id"
        case alias

        fileprivate var path: String { self == .alias ? "/v3/push/batch/alias/single" : "/v3/push/batch/regid/single" }
    }

    let file: String
    let by: Target
    let content: PushContent
    let client: APIClient
    let isJSON: Bool

    /// The maximum number of pushes per call.
    private static let size = 1000

    private struct Entry {
        var line: Int
        var cid: String?
        var push: JSONObject
    }

    /// Sends all pushes, a thousand per call.
    ///
    /// - Returns: whether every push was accepted.
    /// - Throws: before anything is sent, when a line is invalid; when the service does not answer, or refuses a call.
    func send() async throws -> Bool {
        let entries = try await entries()
        var refused = 0
        let bar = ProgressBar(isQuiet: isJSON)
        defer { bar.clear() }
        for part in entries.slices(of: Self.size) {
            bar.show(part.startIndex, of: entries.count)
            refused += try await send(Array(part), bar)
        }
        bar.clear()
        if !isJSON { printLine("\(entries.count - refused) accepted, \(refused) refused.") }
        return refused == 0
    }

    private func entries() async throws -> [Entry] {
        var reader = JSONLinesReader()
        reader.add(try readBytes(file))
        var entries: [Entry] = []
        var parts: JSONObject?
        while let line = reader.next(isEnd: true) {
            try require(
                !line.isTooLong,
                "'\(file)', line \(line.line), has more than \(JSONLinesReader.lineBytes) bytes."
            )
            if line.bytes.first(where: { $0 != UInt8(ascii: " ") }) == UInt8(ascii: "{") {
                entries.append(try entry(line))
                continue
            }
            if parts == nil {
                try require(
                    content.hasNotification,
                    "'\(file)', line \(line.line): only a target; say what to push: --alert."
                )
                parts = try await content.parts(client)
            }
            var push = parts ?? [:]
            let target = String(decoding: line.bytes, as: UTF8.self).trimmingCharacters(in: .whitespaces)
            push["target"] = .string(target)
            entries.append(Entry(line: line.line, push: push))
        }
        try require(!entries.isEmpty, "'\(file)' is empty; expected one push per line.")
        return entries
    }

    private func entry(_ line: JSONLinesReader.Line) throws -> Entry {
        let json: JSONValue
        do { json = try JSONValue(parsing: line.bytes) } catch {
            throw ValidationError("'\(file)', line \(line.line), is not JSON: \(error).")
        }
        guard var push = json.object, push["target"]?.string != nil else {
            throw ValidationError("'\(file)', line \(line.line): no 'target'; expected a registration id or an alias.")
        }
        let cid = push["cid"]?.string
        push["cid"] = nil
        return Entry(line: line.line, cid: cid, push: push)
    }

    /// Sends the entries in one call. Returns the number of refused pushes.
    private func send(_ entries: [Entry], _ bar: ProgressBar) async throws -> Int {
        var made = try await cids(entries.count { $0.cid == nil })[...]
        let named = entries.map { (cid: $0.cid ?? made.popFirst() ?? "", entry: $0) }
        let list = JSONObject(named.map { ($0.cid, .object($0.entry.push)) })
        let results = try await client.post(by.path, ["pushlist": list]).members
        // A dictionary, because a lookup in a JSON object is a linear search.
        let found = Dictionary(results.members.map { ($0.key, $0.value.object) }) { first, _ in first }
        return named.reduce(0) {
            $0 + (report($1.entry, cid: $1.cid, result: found[$1.cid].flatMap(\.self) ?? [:], bar) ? 0 : 1)
        }
    }

    private struct CIDList: Decodable { let cidlist: [String] }

    private func cids(_ count: Int) async throws -> [String] {
        guard count > 0 else { return [] }
        let answer: CIDList = try await client.get("/v3/push/cid?count=\(count)").read()
        return answer.cidlist
    }

    /// Prints the result of a push, a refusal in the place of the bar. Returns whether it was accepted.
    private func report(_ entry: Entry, cid: String, result: JSONObject, _ bar: ProgressBar) -> Bool {
        let error = JPushError(json: .object(result))
        let push = error == nil ? try? JSONCoding.read(AcceptedPush.self, from: .object(result)) : nil
        if isJSON {
            var object: JSONMembers = ["line": entry.line, "cid": cid]
            for member in result.members { object[member.key] = member.value }
            printJSON(object)
        } else if let push {
            if push.warnings?.isEmpty == false { bar.clear() }
            printWarnings(push.warnings, of: "line \(entry.line): ")
        } else {
            bar.clear()
            let problem =
                error.map { Language.ofProcess.said($0.description) } ?? "the service reported nothing about it"
            printNote("line \(entry.line): \(problem)")
        }
        return push != nil
    }
}
