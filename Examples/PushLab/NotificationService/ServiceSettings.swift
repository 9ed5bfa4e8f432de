import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What the extension is told from outside. It is a process of its own, with an Info.plist of its own.
public struct ServiceSettings: Sendable {
    /// Sends a request; throws when no answer comes.
    public typealias Fetch = @Sendable (URLRequest) async throws -> (Data, URLResponse)

    /// Opens sealed bodies: 16, 24 or 32 bytes; nil opens none.
    public var bodyKey: Data?
    /// How pictures come.
    public var fetch: Fetch
    /// Is told what went wrong, a line each; never of a key or of a text.
    public var log: @Sendable (String) -> Void

    public init(
        bodyKey: Data?,
        fetch: @escaping Fetch = Self.network,
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

    /// Foundation's own.
    public static let network: Fetch = { [session = URLSession(configuration: .ephemeral)] request in
        try await session.data(for: request)
    }

    public static let standardError: @Sendable (String) -> Void = { line in
        FileHandle.standardError.write(Data("PushLab: \(line)\n".utf8))
    }
}
