import DeviceLinkNIO

extension GatewayServer {
    /// The control endpoint: everything that ``Gateway`` lets a test do, over HTTP/1.1 and JSON.
    package struct Control: Sendable {
        /// Where it listens; by default only who is on this machine reaches it.
        package var host: String
        /// 0 takes any free port.
        package var port: Int
        /// What has to come as `Authorization: Bearer`; nil asks for nothing, which is for the loopback alone.
        package var token: String?
        /// Told the port once requests are answered, which is after ``GatewayServer/run()`` has begun.
        package var isRunning: @Sendable (Int) -> Void

        package init(
            host: String = "127.0.0.1",
            port: Int = 0,
            token: String? = nil,
            isRunning: @escaping @Sendable (Int) -> Void = { _ in }
        ) {
            self.host = host
            self.port = port
            self.token = token
            self.isRunning = isRunning
        }

        /// - Throws: ``ControlProblem`` if strangers could reach it and no token keeps them out.
        package func check() throws(ControlProblem) {
            guard token?.isEmpty == false || (token == nil && HostRule.isLoopback(host)) else {
                throw ControlProblem(host: host, hasEmptyToken: token != nil)
            }
        }
    }

    /// Why a control endpoint was not opened.
    package struct ControlProblem: Error, CustomStringConvertible {
        package var host: String
        package var hasEmptyToken: Bool

        package var description: String {
            hasEmptyToken
                ? "The control token is empty; expected some text that nobody guesses."
                : "The control endpoint may do everything, and '\(host)' is not the loopback; give it a control token, or let it "
                    + "listen on 127.0.0.1."
        }
    }
}
