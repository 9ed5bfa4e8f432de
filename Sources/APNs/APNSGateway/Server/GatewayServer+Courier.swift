package import DeviceLinkNIO
import NetworkSupport

extension GatewayServer.Configuration {
    /// Returns the admission rule for links on the courier port.
    ///
    /// - Throws: ``GatewayServer/CourierProblem`` if other machines can reach the port and no token is required: anyone could read
    ///   all journeys, and impersonate devices that have not connected yet.
    package func courierAdmission() throws(GatewayServer.CourierProblem) -> LinkAdmission {
        let isUsable = courierToken.map { !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } } ?? true
        guard isUsable, courierToken != nil || HostRule.isLoopback(host) else {
            throw GatewayServer.CourierProblem(host: host, isTokenUsable: isUsable)
        }
        return LinkAdmission(hosts: HostRule(listeningAt: host), token: courierToken)
    }
}

extension GatewayServer {
    /// The reason why the courier port was not opened.
    package struct CourierProblem: Error, CustomStringConvertible {
        package var host: String
        package var isTokenUsable: Bool

        package var description: String {
            isTokenUsable
                ? "The courier port is for devices and followers of journeys, and '\(host)' is not the loopback; set a courier "
                    + "token, or listen on 127.0.0.1."
                : "The courier token is empty, or has a space or a character outside ASCII, which a header cannot carry; expected "
                    + "a text that is hard to guess."
        }
    }
}
