package import DeviceLinkNIO

extension GatewayServer.Configuration {
    /// Who may open links on the courier port.
    ///
    /// - Throws: ``GatewayServer/CourierProblem`` if strangers could reach it and no token keeps them out: they could be told all
    ///   journeys, and take the part of devices that have not come yet.
    package func courierAdmission() throws(GatewayServer.CourierProblem) -> LinkAdmission {
        let isUsable = courierToken.map { !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } } ?? true
        guard isUsable, courierToken != nil || HostRule.isLoopback(host) else {
            throw GatewayServer.CourierProblem(host: host, isTokenUsable: isUsable)
        }
        return LinkAdmission(hosts: HostRule(listeningAt: host), token: courierToken)
    }
}

extension GatewayServer {
    /// Why the courier port was not opened.
    package struct CourierProblem: Error, CustomStringConvertible {
        package var host: String
        package var isTokenUsable: Bool

        package var description: String {
            isTokenUsable
                ? "Devices and followers of journeys come in at the courier port, and '\(host)' is not the loopback; give it a "
                    + "courier token, or let it listen on 127.0.0.1."
                : "The courier token is empty, or has a space or a character beyond ASCII, which no header brings; expected a "
                    + "text that nobody guesses."
        }
    }
}
