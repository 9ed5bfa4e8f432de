import ArgumentParser

struct CertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cert",
        abstract: "Issues and manages push certificates of a gateway's own authority, as on Apple's developer site.",
        discussion: """
            With a certificate signing request from Keychain Access or openssl:
            openssl req -new -newkey rsa:2048 -nodes -keyout push.key -out push.csr -subj /CN=Me
            posthorn cert issue --csr push.csr --app-id com.example.app --environment both --out push.pem
            posthorn cert export push.pem --key push.key --p12 push.p12 --password secret

            Or in one step:
            posthorn cert issue --new --app-id com.example.app --environment both --p12 push.p12 --password secret
            """,
        subcommands: [CertIssue.self, CertExport.self, CertShow.self, CertRevoke.self]
    )
}

/// The password option of a `.p12`.
struct PasswordOptions: ParsableArguments {
    @Option(
        help: "The password of the .p12 (or POSTHORN_PASSWORD, which the process list does not show); may be empty."
    )
    var password: String?
}
