import APNSGateway
import ArgumentParser
import Foundation

/// The rules for pushes to offline devices, and for background and low-priority pushes.
struct GatewayStorageOptions: ParsableArguments {
    enum OfflinePolicy: String, ExpressibleByArgument, CaseIterable {
        case placePerCollapseID = "place-per-collapse-id"
        case single
    }

    @Option(
        help: """
            The pushes stored for an offline device: the newest one without a collapse id and the newest of each collapse id, or \
            only the newest one.
            """
    )
    var offlinePolicy = OfflinePolicy.placePerCollapseID

    @Option(
        help: ArgumentHelp(
            "Maximum number of background pushes per device token in a number of seconds, such as 3/3600. Of the pushes beyond "
                + "it, the newest waits. No limit if not given.",
            valueName: "pushes/seconds"
        ),
        transform: Self.budget
    )
    var silentBudget: SilentBudget?

    @Option(
        help: .seconds("Longest time that pushes of priority 5 are held back for grouping while their device sleeps.")
    )
    var longestGrouping = Int(GatewayRules.usualGrouping)

    var rules: GatewayRules {
        var rules = GatewayRules()
        rules.policy = offlinePolicy == .single ? .single : .placePerCollapseID
        rules.silentBudget = silentBudget
        rules.longestGrouping = TimeInterval(longestGrouping)
        return rules
    }

    func validate() throws { try check("--longest-grouping", longestGrouping, in: 0...86_400, unit: "seconds") }

    static func budget(_ text: String) throws -> SilentBudget {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let pushes = parts[0], let seconds = parts[1], (1...1000).contains(pushes),
            (1...2_592_000).contains(seconds)
        else {
            throw ValidationError(
                "--silent-budget is '\(text)'; expected 1 to 1000 pushes, a slash, and 1 to 2592000 seconds, such as '3/3600'."
            )
        }
        return SilentBudget(pushes: pushes, interval: TimeInterval(seconds))
    }
}
