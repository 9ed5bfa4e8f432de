import Foundation

// On an iPhone the files of Network are the extension's own.
#if canImport(PushLabNetwork)
import PushLabNetwork
#endif

/// The extension's settings. It is a process of its own, with its own Info.plist.
public struct ServiceSettings: Sendable {
    /// The key for sealed bodies: 16, 24 or 32 bytes; nil decrypts none.
    public var bodyKey: Data?
    /// The function that fetches pictures, sounds and videos.
    public var fetch: BoundedFetch.Function
    /// Receives errors, one line each; they never contain a key or a text.
    public var log: @Sendable (String) -> Void

    public init(
        bodyKey: Data?,
        fetch: @escaping BoundedFetch.Function = BoundedFetch.network(from: .main),
        log: @escaping @Sendable (String) -> Void = Self.standardError
    ) {
        self.bodyKey = bodyKey
        self.fetch = fetch
        self.log = log
    }

    /// The settings of the process: the key in base64, from `PushLabBodyKey` of the extension's Info.plist, where the
    /// build puts it, or from the variable `PUSHLAB_BODY_KEY`. It is not in the source.
    public static var main: ServiceSettings {
        let declared = Bundle.main.object(forInfoDictionaryKey: "PushLabBodyKey") as? String
        let text = ProcessInfo.processInfo.environment["PUSHLAB_BODY_KEY"] ?? declared
        return ServiceSettings(bodyKey: text.flatMap { Data(base64Encoded: $0) })
    }

    public static let standardError: @Sendable (String) -> Void = { line in
        FileHandle.standardError.write(Data("PushLab: \(line)\n".utf8))
    }
}
