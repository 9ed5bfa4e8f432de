import ArgumentParser
import PosthornSimulator

/// The command on a Mac.
@main
struct Posthorn: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "posthorn",
        abstract: "Hands the pushes of a gateway to Xcode's Simulator.",
        discussion: """
            The emulated iPhone and all other commands need Linux, where their frameworks do not shadow Apple's own. The Containerfile builds \
            and runs them on Debian:
                docker build -t posthorn -f Containerfile . && docker run --rm -it posthorn demo
            """,
        subcommands: [SimulatorCommand.self]
    )
}
