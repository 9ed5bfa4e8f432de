import AppleDeveloper
import ArgumentParser
import PushModel

struct CertExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Exports a certificate and its key as one .p12, as Keychain Access does."
    )

    @Argument(help: .file("Path of the certificate, PEM or DER."))
    var certificate: String

    @Option(help: .file("Path of the private key of its request, PEM."))
    var key: String

    @Option(help: .file("Path of the .p12 to write."))
    var p12: String

    @Flag(help: "Print as JSON.")
    var json = false

    @OptionGroup var secret: PasswordOptions

    func run() throws {
        try explaining {
            let certificate = try PushCertificate(readBytes(certificate, "The certificate"))
            let key = try CertificateKey(pem: readText(key, "--key"))
            try PKCS12Bundle(certificate, key: key).write(to: p12, password: secret.required())
            printLine(json ? (["written": .string(p12)] as JSONValue).text : "Written      \(p12)")
        }
    }
}
