import APNSProvider
import ArgumentParser
import Foundation
import Logging
import PosthornStack
import PushModel
import PushService
import UnixSignals

struct DemoCertificates: AsyncParsableCommand, ServerProcess {
    static let configuration = CommandConfiguration(
        commandName: "certificates",
        abstract: "Pushes in all eight combinations of build, certificate and environment.",
        discussion: """
            Creates an App ID, and a push certificate and a provisioning profile for each environment, signed by a gateway's \
            authority. Installs the app on two phones with these profiles and sends eight pushes. Then shows what 'posthorn \
            doctor' finds in the files of one that failed, replaces the certificate, and sends it again. Exits with 0 if the \
            two matching pushes and the repaired one are shown, and the other six refused. With --json it prints all as JSON.
            """
    )

    /// The parent command, whose --json and --log-level apply here too.
    @ParentCommand var demo: Demo

    func run() async throws {
        let folder = TemporaryFolder(named: nil)
        defer { folder.remove() }
        let isJSON = demo.json
        let texts = demo.language.texts
        if !isJSON { introduce() }
        do {
            let report = try await CertificateDemo.run(
                folder: folder.path,
                signals: [.sigint, .sigterm],
                logger: demo.log.logger("posthorn", default: .error)
            ) { result in
                if !isJSON { printLine(result.line(texts)) }
            }
            if isJSON { printJSON(report.members) } else { conclude(report.repair, texts) }
            guard report.results.allSatisfy({ $0.attempt.agrees == $0.isShown }), report.repair.result.isShown else {
                throw ExitCode.failure
            }
        } catch is CancellationError {
            // The user pressed Ctrl-C.
        } catch let failure as CertificateDemo.Failure {
            printNote("\(failure)")
            throw ExitCode.failure
        }
    }

    private func introduce() {
        printLine(
            """
            App ID        \(CertificateDemo.bundleID), push on
            Certificates  one for development, one for production
            Profiles      one for development, one for production: a phone with each build

               build        certificate  pushed to    APNs answers
            """
        )
    }

    private func conclude(_ repair: CertificateDemo.Repair, _ texts: Catalogue) {
        printLine(
            """

            'posthorn doctor' with the files of the push with a \(repair.broken.build) build, a \(repair.broken.certificate) \
            certificate, to \(repair.broken.pushedTo):

            \(repair.before.map { $0.lines(texts) }.joined(separator: "\n"))

            With a \(repair.result.attempt.certificate) certificate instead:

            \(repair.after.map { $0.lines(texts) }.joined(separator: "\n"))

            \(repair.result.line(texts))

            A certificate for both environments, or a key, leaves two that must agree: the build, and where it is pushed to.
            """
        )
    }
}

extension CertificateDemo.Report {
    fileprivate var members: JSONMembers {
        [
            "pushes": results.map(\.members),
            "repair": [
                "before": repair.before, "after": repair.after, "push": repair.result.members,
            ] as JSONMembers,
        ]
    }
}

extension CertificateDemo.Result {
    fileprivate func line(_ texts: Catalogue) -> String {
        let columns = [attempt.build, attempt.certificate, attempt.pushedTo].map {
            $0.rawValue.padding(toLength: 13, withPad: " ", startingAt: 0)
        }
        return "\(isShown ? "✔" : "✘")  \(columns.joined())\(answer(texts))"
    }

    private func answer(_ texts: Catalogue) -> String {
        switch outcome {
        case .accepted: isShown ? "200, and the phone shows it" : "200"
        case .refused(let status, let reason, _):
            "\(status) \(reason): \(texts.text("reasons", "\(reason)_meaning") ?? reason.advice.meaning)"
        case .failed(let why): why
        }
    }

    fileprivate var members: JSONMembers {
        [
            "build": attempt.build.rawValue, "certificate": attempt.certificate.rawValue,
            "pushed_to": attempt.pushedTo.rawValue, "answer": answer(Catalogue(.english)),
            "shown": isShown,
        ]
    }
}
