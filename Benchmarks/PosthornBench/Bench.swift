import ArgumentParser

/// Benchmarks of parts of the push path, which a release does not contain.
@main
struct Bench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "PosthornBench",
        abstract: "Measures parts of the push path on this machine.",
        subcommands: [
            BenchAPNS.self, BenchCouriers.self, BenchChannels.self, BenchRegistry.self, BenchRoute.self,
            BenchStore.self, BenchGrowth.self, BenchClients.self,
        ]
    )
}
