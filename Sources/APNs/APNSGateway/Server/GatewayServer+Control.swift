package import DeviceLinkNIO
import NetworkSupport

extension GatewayServer {
    /// The control endpoint: all test functions of ``Gateway``, over HTTP/1.1 and JSON.
    package struct Control: Sendable {
        /// The listening address; by default only this machine can reach it.
        package var host: String
        /// The port; 0 takes any free one.
        package var port: Int
        /// The token that requests must send as `Authorization: Bearer`; nil requires none, which is for the loopback alone.
        package var token: String?
        /// Pages for people; nil for none.
        package var pages: (any ControlPages)?
        /// Receives the port once requests are answered, which is after ``GatewayServer/run()`` has begun.
        package var isRunning: @Sendable (Int) -> Void

        package init(
            host: String = "127.0.0.1",
            port: Int = 0,
            token: String? = nil,
            pages: (any ControlPages)? = nil,
            isRunning: @escaping @Sendable (Int) -> Void = { _ in }
        ) {
            self.host = host
            self.port = port
            self.token = token
            self.pages = pages
            self.isRunning = isRunning
        }

        /// - Throws: ``ControlProblem`` if other machines can reach it and no token is required.
        package func check() throws(ControlProblem) {
            guard token?.isEmpty != true else {
                throw ControlProblem(description: "The control token is empty; expected a text that is hard to guess.")
            }
            guard token != nil || HostRule.isLoopback(host) else {
                throw ControlProblem(
                    description:
                        "The control endpoint gives full access, and '\(host)' is not the loopback; set a control "
                        + "token, or listen on 127.0.0.1."
                )
            }
        }
    }

    /// The reason why a control endpoint was not opened.
    package struct ControlProblem: Error, CustomStringConvertible {
        package var description: String
    }

    /// The reason why the courier port was not opened.
    package struct CourierProblem: Error, CustomStringConvertible {
        package var description: String
    }
}

extension GatewayServer.Configuration {
    /// Returns the admission rule for links on the courier port.
    ///
    /// - Throws: ``GatewayServer/CourierProblem`` if other machines can reach the port and no token is required: anyone could read
    ///   all journeys, and impersonate devices that have not connected yet.
    package func courierAdmission() throws(GatewayServer.CourierProblem) -> LinkAdmission {
        let isUsable = courierToken.map { !$0.isEmpty && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } } ?? true
        guard isUsable else {
            throw .init(
                description:
                    "The courier token is empty, or has a space or a character outside ASCII, which a header cannot "
                    + "carry; expected a text that is hard to guess."
            )
        }
        guard courierToken != nil || HostRule.isLoopback(host) else {
            throw .init(
                description:
                    "The courier port is for devices and followers of journeys, and '\(host)' is not the loopback; "
                    + "set a courier token, or listen on 127.0.0.1."
            )
        }
        return LinkAdmission(hosts: HostRule(listeningAt: host), token: courierToken)
    }
}
