import ArgumentParser

struct CertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cert",
        abstract: "Push certificates by a gateway's own authority, as at Apple's developer site.",
        discussion: """
            With a certificate signing request, as Keychain Access or openssl make it:
            openssl req -new -newkey rsa:2048 -nodes -keyout push.key -out push.csr -subj /CN=Me
            posthorn cert issue --csr push.csr --app-id com.example.app --environment both --out push.pem
            posthorn cert export push.pem --key push.key --p12 push.p12 --password secret

            Or all at once:
            posthorn cert issue --new --app-id com.example.app --environment both --p12 push.p12 --password secret
            """,
        subcommands: [CertIssue.self, CertExport.self, CertShow.self, CertRevoke.self]
    )
}

/// A password for a `.p12`.
struct PasswordOptions: ParsableArguments {
    @Option(
        help: "The password of the .p12 (or POSTHORN_PASSWORD, which does not show in the process list); may be empty."
    )
    var password: String?
}
