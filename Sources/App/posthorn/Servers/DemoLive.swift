import ArgumentParser
import PosthornStack

struct DemoLive: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract: "Narrates a Live Activity: a push starts it, others change it, it goes stale, and ends.",
        discussion: """
            Starts the push service, an APNs-compatible gateway and one emulated iPhone with iOS 18 and the sample app. A push \
            starts the Live Activity of a delivery in the app, which does not run. Other pushes change it; the phone's clock is \
            turned past its stale date; a push whose content does not fit is explained; the last one ends it. Then everything \
            keeps running, with the activity on the phone's lock screen; with --exit the demo ends. With --json it prints the \
            journeys instead of the story.
            """
    )

    /// The parent command, whose --exit, --json and --log-level apply here too.
    @ParentCommand var demo: Demo

    func run() async throws { try await demo.run(system: "18.0") { try await $0.runDelivery() } }
}
