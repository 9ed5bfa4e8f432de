import ArgumentParser
import Foundation
import PushService

/// The key by which an app's backend proves which alias a device has.
struct AppAliasKey: OperatorCommand {
    static let configuration = CommandConfiguration(
        commandName: "alias-key",
        abstract: "Makes the key for proofs of aliases, and prints it; it is shown only once.",
        discussion: """
            The app's backend makes a proof by HMAC-SHA256 with this key, for a registration id and an alias. Keep it where the master \
            secret is; no copy of the app may have it.

            With --rotate, another key takes its place. Proofs by the key before are refused from then on, or after --overlap hours. \
            Aliases that were proved stay so.
            """
    )

    @Argument(help: "The app's key.") var key: String
    @Flag(help: "Make another key in place of the present one.") var rotate = false

    @Option(help: ArgumentHelp("Hours for which proofs by the key before stay valid, up to 720.", valueName: "hours"))
    var overlap: Int?

    @OptionGroup var options: OperatorOptions

    func validate() throws {
        try require(overlap == nil || rotate, "--overlap goes with --rotate.")
        if let overlap { try check("--overlap", overlap, in: 0...720, unit: "hours") }
    }

    var request: OperatorRequest { .appAliasKey(app: key, rotate: rotate, overlapHours: overlap) }

    func tell(_ made: AliasKeyAnswer) {
        printLine("Alias key  \(made.aliasKey)   (shown only now: write it down)")
        if let until = made.formerKeyUntil {
            printLine("Proofs by the key before are valid until \(ServiceTimes.ofOperators.text(until)).")
        }
    }
}
