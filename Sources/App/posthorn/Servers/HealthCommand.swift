import ArgumentParser
import PosthornStack
import PushModel

struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "health",
        abstract: "Asks whether a service is healthy; for the health check of a container.",
        discussion: """
            Exits with 0 if the service answers /health with 200; otherwise with 1, after a sentence on standard error.

            Without a URL it asks POSTHORN_URL, or port POSTHORN_HTTP_PORT of this machine, which is 8080 if it is not set.
            """
    )

    @Argument(help: "URL of the service.") var address: String?
    @Option(help: "The URL of the service, as an option.") var url: String?

    @OptionGroup var authorities: AuthoritiesOption

    func validate() throws {
        try require(address == nil || url == nil, "Give the URL once: as an argument, or with --url.")
    }

    func run() async throws {
        let own = "http://127.0.0.1:\(EnvironmentSettings["POSTHORN_HTTP_PORT"] ?? "8080")"
        let service = APIClient(
            url: address ?? url ?? EnvironmentSettings["POSTHORN_URL"] ?? own,
            appKey: "",
            masterSecret: "",
            authorities: try authorities.path
        )
        let status = try await service.get("/health").status
        guard status == 200 else {
            printNote("Error: \(service.url.printed) is not healthy: it answered /health with \(status).")
            throw ExitCode.failure
        }
        printLine("\(service.url.printed) is healthy.")
    }
}
