import APNSProvider
import ArgumentParser
import Foundation
import NetworkSupport
import PushModel

/// The server to send to: Apple's service or a gateway.
struct SendDestination: ParsableArguments {
    @OptionGroup var server: APNSHost
    @Option(help: "The port of the service or gateway; Apple's also listens on 2197.") var port = 443

    @Option(help: ArgumentHelp("The name in the server's certificate, if it is not --host.", valueName: "name"))
    var serverName: String?

    func validate() throws {
        guard server.environment == nil || server.host == nil else { throw APNSHost.choice }
        try check("--port", port, in: 1...65_535)
    }

    func endpoint() throws -> APNSEndpoint {
        guard let host = server.host ?? server.environment?.host else { throw APNSHost.choice }
        return try server.endpoint(host, port: port, serverName: serverName)
    }
}

/// The proxy to a server.
struct ProxyOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "An HTTP proxy to the server, http://USER:PASSWORD@HOST:PORT; also from POSTHORN_PROXY.",
            valueName: "url"
        )
    )
    var proxy: String?

    var value: HTTPProxy? {
        get throws {
            let variable = "POSTHORN_PROXY"
            guard let text = proxy ?? ProcessInfo.processInfo.environment[variable], !text.allSatisfy(\.isWhitespace)
            else { return nil }
            guard let value = HTTPProxy(text) else {
                let name = proxy == nil ? variable : "--proxy"
                throw ValidationError("\(name) is not a URL of a proxy; expected \(HTTPProxy.form).")
            }
            return value
        }
    }
}

/// Returns the path of a PEM file after checking that it has a certificate.
func authorities(_ path: String, _ option: String) throws -> String {
    try require(
        try readText(path, option).contains("-----BEGIN CERTIFICATE-----"),
        "\(option) '\(path)' holds no certificate; expected '-----BEGIN CERTIFICATE-----'."
    )
    return path
}

/// Reads the text of a file that an option names, without a byte order mark.
func readText(_ path: String, _ option: String) throws -> String {
    let bytes = try readBytes(path, option)
    let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    return String(decoding: bytes.dropFirst(isMarked ? 3 : 0), as: UTF8.self)
}
