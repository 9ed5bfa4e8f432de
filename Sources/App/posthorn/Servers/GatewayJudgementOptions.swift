import APNSGateway
import ArgumentParser

/// The rules by which a gateway judges keys and provider tokens.
struct GatewayJudgementOptions: ParsableArguments {
    /// Where the spelling of reasons comes from.
    enum Reasons: String, ExpressibleByArgument, CaseIterable {
        case wire
        case documented
    }

    @Option(
        help: """
            How the reason is spelt with which a key of the other environment is refused: as Apple's service sends it, \
            BadEnvironmentKeyInToken, or as Apple's page has it, BadEnvironmentKeyIdInToken.
            """
    )
    var reasons = Reasons.wire

    @Option(
        help: ArgumentHelp(
            "Maximum number of new provider tokens of one key in 20 minutes, over all connections. The next one is refused with "
                + "TooManyProviderTokenUpdates; those before stay usable. 1 to 1000; Apple publishes no number.",
            valueName: "number"
        )
    )
    var providerTokens = GatewayRules.usualProviderTokens

    func validate() throws {
        let possible = GatewayRules.possibleProviderTokens
        try check("--provider-tokens", providerTokens, in: Int(possible.lowerBound)...Int(possible.upperBound))
    }

    func apply(to rules: inout GatewayRules) {
        rules.spellsReasonsAsDocumented = reasons == .documented
        rules.providerTokens = providerTokens
    }
}
