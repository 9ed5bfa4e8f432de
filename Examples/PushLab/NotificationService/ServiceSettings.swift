import Foundation

// On an iPhone the files of Network are the extension's own.
#if canImport(PushLabNetwork)
import PushLabNetwork
#endif

/// What the extension is told from outside. It is a process of its own, with an Info.plist of its own.
public struct ServiceSettings: Sendable {
    /// Opens sealed bodies: 16, 24 or 32 bytes; nil opens none.
    public var bodyKey: Data?
    /// How pictures come.
    public var fetch: BoundedFetch.Function
    /// Is told what went wrong, a line each; never of a key or of a text.
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

    /// Those of the process: the key in base64, from `PushLabBodyKey` of the extension's Info.plist, where the build puts it, or
    /// from the variable `PUSHLAB_BODY_KEY`. It is in no source.
    public static var main: ServiceSettings {
        let declared = Bundle.main.object(forInfoDictionaryKey: "PushLabBodyKey") as? String
        let text = ProcessInfo.processInfo.environment["PUSHLAB_BODY_KEY"] ?? declared
        return ServiceSettings(bodyKey: text.flatMap { Data(base64Encoded: $0) })
    }

    public static let standardError: @Sendable (String) -> Void = { line in
        FileHandle.standardError.write(Data("PushLab: \(line)\n".utf8))
    }
}
