import ArgumentParser

/// The authorities to trust for the URL of a service.
struct AuthoritiesOption: ParsableArguments {
    @Option(
        help: .file(
            "Path of a PEM file with the authorities to trust for an https URL, instead of the system's (or POSTHORN_CA)."
        )
    )
    var ca: String?

    /// The path of the file; nil to trust those of the system.
    var path: String? {
        get throws { try (ca ?? EnvironmentSettings["POSTHORN_CA"]).map { try authorities($0, "--ca") } }
    }
}
