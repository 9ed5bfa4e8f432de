import APNSGateway
import ArgumentParser
import Foundation
import PushClock
import PushModel

struct CertRevoke: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a certificate, for good.",
        discussion: "A running gateway finds out at the next connection; it need not be started again."
    )

    @Argument(help: "The certificate's file, or its serial number as 'posthorn cert show' prints it.")
    var certificate: String

    @OptionGroup var secret: PasswordOptions
    @OptionGroup var options: DeveloperOptions

    func run() throws {
        try explaining {
            guard let authority = try options.authority() else {
                throw ValidationError(
                    "There is no authority in '\(options.data)'; expected the data folder of a gateway. "
                        + "Give it with --data."
                )
            }
            let serial = try readSerial(authority)
            try options.revocations().revoke(serial, at: SystemClock().date)
            printLine("Revoked      \(serial.hexadecimal)")
        }
    }

    private func readSerial(_ authority: GatewayAuthority) throws -> [UInt8] {
        let isFile = FileManager.default.fileExists(atPath: certificate)
        if !isFile, let serial = [UInt8](hexadecimal: certificate), (8...20).contains(serial.count) { return serial }
        let read = try PushCertificate(reading: certificate, secret)
        guard authority.hasIssued(read) else {
            throw ValidationError(
                "'\(certificate)' was issued by \(read.issuer), not by the authority in '\(options.data)', which can "
                    + "revoke its own alone."
            )
        }
        return read.serial
    }
}
