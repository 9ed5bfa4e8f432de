import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A running `posthorn`. It ends when the test process does, too, which closes its standard input.
final class Program: Sendable {
    private let process: Process
    private let input: FileHandle
    let folder: URL
    /// The line that the program has printed.
    let facts: Data

    /// Starts the program and waits until it is ready, at most a minute.
    ///
    /// `words` makes the arguments from the path of a new folder.
    init(_ words: (String) -> [String]) async throws {
        let file = try Self.file()
        folder = URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent("posthorn-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let log = folder.appendingPathComponent("log")
        guard FileManager.default.createFile(atPath: log.path, contents: nil) else {
            throw PosthornError("\(log.path) cannot be written.")
        }
        let (input, output) = (Pipe(), Pipe())
        let process = Process()
        process.executableURL = URL(fileURLWithPath: file)
        process.arguments = words(folder.path)
        process.standardInput = input
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: log)
        try process.run()
        self.process = process
        self.input = input.fileHandleForWriting
        let identifier = process.processIdentifier
        let limit = Task {
            try await Task.sleep(nanoseconds: 60_000_000_000)
            kill(identifier, SIGKILL)
        }
        defer { limit.cancel() }
        facts = await Self.firstLine(of: output.fileHandleForReading)
        guard !facts.isEmpty else {
            process.waitUntilExit()
            let text = String(decoding: try Data(contentsOf: log), as: UTF8.self)
            let status = process.terminationStatus
            throw PosthornError("posthorn has ended with status \(status). Its last words:\n\(text.suffix(2000))")
        }
    }

    /// Ends the program.
    func stop() {
        // Programs that were started meanwhile may hold the other end of its input open.
        process.terminate()
        process.waitUntilExit()
        try? input.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Reading blocks, so it has a thread of its own.
    private static func firstLine(of handle: FileHandle) async -> Data {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                var line = Data()
                while !line.contains(UInt8(ascii: "\n")) {
                    let piece = handle.availableData
                    guard !piece.isEmpty else { break }
                    line += piece
                }
                continuation.resume(returning: line.prefix { $0 != UInt8(ascii: "\n") })
            }
            thread.start()
        }
    }

    /// The path of the program: that of the variable POSTHORN, or of `posthorn` on the PATH.
    private static func file() throws -> String {
        let environment = ProcessInfo.processInfo.environment
        let name = environment["POSTHORN"].flatMap { $0.isEmpty ? nil : $0 } ?? "posthorn"
        let folders = name.contains("/") ? [""] : (environment["PATH"] ?? "").split(separator: ":").map { $0 + "/" }
        guard let found = folders.map({ $0 + name }).first(where: FileManager.default.isExecutableFile) else {
            throw PosthornError(
                "'\(name)' is not there. Unpack the tarball of posthorn and put bin/posthorn on the PATH or into the "
                    + "variable POSTHORN."
            )
        }
        return found
    }
}

/// An HTTP endpoint that speaks JSON.
struct Endpoint: Sendable {
    var url: String
    /// The user and the password; nil for none.
    var login: (String, String)?

    /// Sends a request.
    ///
    /// - Throws: ``PosthornError`` if it is refused.
    @discardableResult
    func callAsFunction(
        _ method: String,
        _ resource: String,
        _ body: [String: Any]? = nil
    ) async throws -> [String: Any] {
        guard let address = URL(string: "\(url)/\(resource)") else {
            throw PosthornError("'\(url)/\(resource)' is not a URL.")
        }
        var request = URLRequest(url: address, timeoutInterval: 90)
        request.httpMethod = method
        request.httpBody = try body.map { try JSONSerialization.data(withJSONObject: $0) }
        if let (user, password) = login {
            let token = Data("\(user):\(password)".utf8).base64EncodedString()
            request.setValue("Basic " + token, forHTTPHeaderField: "Authorization")
        }
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status < 300 else {
            throw PosthornError("\(method) \(resource): \(status) \(String(decoding: data, as: UTF8.self))")
        }
        guard !data.isEmpty else { return [:] }
        return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    }
}

/// The program was not found, has ended or has refused a request, or what a test waited for did not happen.
///
/// The description says what happened instead.
public struct PosthornError: Error, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
