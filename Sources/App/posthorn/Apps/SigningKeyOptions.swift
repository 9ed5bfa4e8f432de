import ArgumentParser

/// A signing key from Apple with its ids: all three, or none.
struct SigningKeyOptions: ParsableArguments {
    @Option(help: .file("Path of the APNs key, a .p8 file from Apple.")) var p8: String?
    @Option(help: "The id of the .p8 key, ten characters.") var keyID: String?
    @Option(help: "The team of the .p8 key, ten characters.") var teamID: String?

    func validate() throws {
        try require(
            (p8 == nil) == (keyID == nil) && (p8 == nil) == (teamID == nil),
            "--p8, --key-id and --team-id belong together."
        )
    }
}
