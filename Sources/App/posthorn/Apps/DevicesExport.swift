import ArgumentParser
import Foundation
import PushModel
import PushService

struct DevicesExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes devices to a file that 'posthorn import' reads.",
        discussion: """
            Oldest first: registration id, token, environment, alias, tags and attributes. The file contains device tokens, so only its owner \
            can read it. Devices without a token are written too, and 'posthorn import' leaves them out.
            """
    )

    @Option(help: .file("Path of the file to write; standard output if not given."))
    var out: String?

    @Option(help: "Format: csv, or jsonl for a line of JSON per device.")
    var format = ImportFormat.csv

    @Option(help: "Only devices with this tag.")
    var tag: String?

    @Option(help: "Only devices with this alias.")
    var alias: String?

    @Flag(help: "With --out: print what was written as one line of JSON.")
    var json = false

    @OptionGroup var server: ServerOptions

    func validate() throws {
        guard !json || out != nil else {
            throw ValidationError("--json needs --out; without it, '--format jsonl' prints the devices as JSON.")
        }
    }

    func run() async throws {
        var pages = DevicePages(client: try server.client(), tag: tag, alias: alias)
        let file = try out.map { try Self.create($0) }
        func write(_ lines: [String]) throws {
            guard let file else {
                for line in lines { printLine(line) }
                return
            }
            try file.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
        }
        let fields = DeviceImport.Field.allCases
        if format == .csv { try write([fields.map(\.rawValue).joined(separator: ",")]) }
        var (count, withoutToken) = (0, 0)
        // On the standard output, the devices themselves show how far it is.
        let bar = ProgressBar(isQuiet: out == nil || json)
        defer { bar.clear() }
        while true {
            let page = try await pages.next()
            try write(page.map { (format == .csv ? Self.row : Self.object)(JSONCoding.object(of: $0), fields) })
            count += page.count
            withoutToken += page.count { $0.token == nil }
            bar.show("\(count) devices")
            guard page.count == DevicePages.size else { break }
        }
        try file?.close()
        bar.clear()
        if let out { report(count, withoutToken, to: out) }
    }

    private func report(_ count: Int, _ withoutToken: Int, to file: String) {
        guard !json else {
            let summary: JSONValue = [
                "written": .string(file), "devices": .number(count), "without_token": .number(withoutToken),
            ]
            return printLine(summary.text)
        }
        let rest = withoutToken > 0 ? ", \(withoutToken) of them without a token" : ""
        printNote("\(count) devices written\(rest).")
    }

    private static func create(_ path: String) throws -> FileHandle {
        _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        do { return try FileHandle(forWritingTo: URL(filePath: path)) } catch {
            throw ValidationError("--out '\(path)' cannot be written: \(error.localizedDescription)")
        }
    }

    private static func row(_ device: JSONObject, _ fields: [DeviceImport.Field]) -> String {
        fields.map { field in
            let value = device[field.rawValue]
            // No tag contains a comma: the API separates tags by it.
            let tags = value?.array.map { SpreadsheetText.quoted($0.compactMap(\.string)) }
            let attributes = value?.object.map { $0.isEmpty ? "" : JSONValue.object($0).text }
            return CSVReader.field(tags ?? attributes ?? SpreadsheetText.quoted(value?.string ?? ""))
        }.joined(separator: ",")
    }

    private static func object(_ device: JSONObject, _ fields: [DeviceImport.Field]) -> String {
        JSONValue.object(JSONObject(fields.map { ($0.rawValue, device[$0.rawValue] ?? .null) })).text
    }
}
