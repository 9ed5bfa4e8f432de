import APNSProvider
import AppleDeveloper
import Foundation
import PushModel

/// The provider token of a key between two runs of `posthorn send`, in a file that only the user may read.
///
/// APNs limits new tokens by key, so a command that signed one for each push would be refused after some pushes. A file that cannot be
/// read or written costs no more than a new token.
struct KeptProviderToken {
    /// The maximum size of the file in bytes; a token has about 220.
    private static let mostBytes = 4096

    let key: APNSSigningKey
    private let path: String?

    /// `environment` has the variables of the process, such as `XDG_CACHE_HOME`.
    init(of key: APNSSigningKey, environment: [String: String] = ProcessInfo.processInfo.environment) {
        self.key = key
        let home = environment["HOME"].map { $0 + "/.cache" }
        let name = [UInt8]("\(key.teamID) \(key.keyID) ".utf8) + key.fingerprint
        path = (environment["XDG_CACHE_HOME"] ?? home).flatMap { folder in
            folder.hasPrefix("/") ? "\(folder)/posthorn/provider-tokens/\(name.hexadecimal).json" : nil
        }
    }

    /// Lets the key use the token of an earlier run, if there is one that is young enough.
    func load() {
        guard let path, let data = try? PrivateFile.read(path), data.count <= Self.mostBytes,
            let object = (try? JSONValue(parsing: [UInt8](data)))?.object, let text = object["token"]?.string,
            let date = object["signed_at"]?.integer
        else { return }
        key.use(text, signedAt: Date(timeIntervalSince1970: Double(date)))
    }

    /// Keeps the token in use for later runs.
    func keep() {
        guard let path, let token = key.tokenInUse else { return }
        let object: JSONMembers = ["token": token.text, "signed_at": Int64(token.date.timeIntervalSince1970)]
        try? PrivateFile.makeFolder(URL(filePath: path).deletingLastPathComponent().path)
        try? PrivateFile.write(Data(object.json.bytes), to: path)
    }

    /// Forgets a token that APNs has refused.
    func forget() {
        if let path { try? FileManager.default.removeItem(atPath: path) }
    }
}
