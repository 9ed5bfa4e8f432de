import APNSProvider
import ArgumentParser
import PushModel

/// Apple's service or a gateway, and the way there.
struct APNSHost: ParsableArguments {
    @Option(help: "Use Apple's service, for apps built for development or production.")
    var environment: APNSEnvironment?

    @Option(help: "Use this gateway instead of Apple's service.", transform: \.withoutBrackets)
    var host: String?

    @Option(help: .file("Path of a PEM file with authorities to trust instead of the system's.")) var ca: String?
    @OptionGroup var proxy: ProxyOption

    /// The error for none of them, or both.
    static let choice = ValidationError(
        "Say where to: --environment development or production for Apple's service, or --host for a gateway."
    )

    /// Returns an endpoint that is reached as the options say.
    func endpoint(_ host: String, port: Int, serverName: String? = nil) throws -> APNSEndpoint {
        let trust: APNSEndpoint.Trust = try ca.map { .file(try authorities($0, "--ca")) } ?? .system
        var endpoint = APNSEndpoint(host: host, port: port, serverName: serverName, trust: trust)
        endpoint.proxy = try proxy.value
        return endpoint
    }
}
