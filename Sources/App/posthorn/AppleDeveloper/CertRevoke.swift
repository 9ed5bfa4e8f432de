import APNSGateway
import AppleDeveloper
import ArgumentParser
import Foundation
import PushClock
import PushModel

struct CertRevoke: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revokes a certificate permanently.",
        discussion: "A running gateway applies it from the next connection on, without a restart."
    )

    @Argument(help: "Path of the certificate, or its serial number as printed by 'posthorn cert show'.")
    var certificate: String

    @Flag(help: "Print as JSON.")
    var json = false

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
            let text = serial.hexadecimal
            printLine(json ? (["revoked": .string(text)] as JSONValue).text : "Revoked      \(text)")
        }
    }

    private func readSerial(_ authority: GatewayAuthority) throws -> [UInt8] {
        let isFile = FileManager.default.fileExists(atPath: certificate)
        if !isFile, let serial = [UInt8](hexadecimal: certificate), (8...20).contains(serial.count) { return serial }
        let read = try PushCertificate(reading: certificate, secret)
        guard authority.hasIssued(read) else {
            throw ValidationError(
                "'\(certificate)' was issued by \(read.issuer), not by the authority in '\(options.data)', which can "
                    + "only revoke its own."
            )
        }
        return read.serial
    }
}
