import APNSProvider
import Foundation
import PushModel

/// Pushes with `APNSProvider` to the APNs whose files are in the folder $APNS.
@main
struct Push {
    static func main() async {
        do { try await pushes() } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    static func pushes() async throws {
        let key = try APNSSigningKey(p8: read("key.p8"), keyID: read("keyID"), teamID: read("teamID"))
        // In production: .apple(.production)
        let endpoint = try APNSEndpoint(
            host: "localhost",
            port: Int(read("port")) ?? 443,
            trust: .file("\(folder)/ca.pem")
        )
        let client = APNSClient(credential: .key(key), endpoint: endpoint)

        func push(_ name: String, expected: String) async throws {
            let digits = try read(name).prefix { $0 != "\n" }
            guard let token = DeviceToken(digits) else { throw Surprise("\(name) holds no token") }
            let payload = APNSPayload(APS(alert: "Lunch is ready"))
            let outcome = await client.send(try APNSPush(payload, to: token, app: read("topic")), within: .seconds(10))
            let answer =
                switch outcome {
                case .accepted: "200"
                case .refused(let status, let reason, _): "\(status) \(reason)"
                case .failed(let why): why
                }
            print("\(name): \(answer)")
            // Here your code forgets the token, unless the app has registered it again since.
            if case .refused(410, _, let date?) = outcome { print("  dead since \(date.ISO8601Format())") }
            guard answer == expected else { throw Surprise("\(name): expected \(expected), got \(answer)") }
        }

        try await push("tokens", expected: "200")
        try await push("unregistered", expected: "410 Unregistered")
        try await push("otherEnvironment", expected: "400 BadDeviceToken")
        await client.shutdown()
    }

    static let folder = ProcessInfo.processInfo.environment["APNS"] ?? "."

    static func read(_ name: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    struct Surprise: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }
}
