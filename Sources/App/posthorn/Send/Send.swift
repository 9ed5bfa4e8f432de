import APNSProvider
import ArgumentParser
import Foundation
import PushModel

struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Sends one push directly to APNs or to a gateway and explains the response.",
        usage: """
            posthorn send --environment development --p8 AuthKey_ABC123DEFG.p8 --team-id TEAM123456 \\
                --topic com.example.app --token 0123… --alert "Lunch is ready"
            posthorn send --host localhost --port 2197 --ca ca.pem --p12 push.p12 --token 0123… --payload push.json
            """,
        discussion: """
            Exits with 0 if the response is 200, with 1 if it is another one, and with 2 if there is none.

            APNs limits the new provider tokens of a key. The token of --p8 is therefore kept for at most 50 minutes in \
            ~/.cache/posthorn, readable for its owner alone, and used again by later runs.
            """
    )

    @OptionGroup(title: "Where to") var destination: SendDestination
    @OptionGroup(title: "As whom") var identity: SendIdentity
    @OptionGroup(title: "What") var content: SendContent
    @Flag(help: "Send the push even if APNs is certain to refuse it.") var unchecked = false
    @Flag(help: "Sign a new provider token, and keep none for later runs.") var newToken = false
    @Option(help: "Timeout for the response, in seconds.") var timeout = 30
    @Flag(help: "Print the response as one line of JSON.") var json = false
    @OptionGroup var language: LanguageOptions

    func validate() throws {
        try require(timeout > 0, "--timeout is \(timeout); expected 1 or more.")
    }

    func run() async throws {
        let endpoint = try destination.endpoint()
        let credential = try identity.credential(topic: content.topic, environment: destination.server.environment)
        let push = try content.push()
        let now = Date()
        let expired = [push.headers.expiration?.caution(at: now)].compactMap(\.self)
        for caution in expired + push.cautions + cautions(about: credential) { printNote("Caution: \(caution)") }
        let report = await report(of: push, to: endpoint, as: credential)
        if json { printLine(report.json.text) } else { report.lines(language.texts).forEach(printLine) }
        guard report.exitCode == 0 else { throw ExitCode(report.exitCode) }
    }

    private func cautions(about credential: APNSCredential) -> [String] {
        guard case .certificate(let certificate) = credential else { return [] }
        var cautions = [certificate.warning(at: Date())].compactMap(\.self)
        if let environment = destination.server.environment, !certificate.environments.contains(environment) {
            cautions.append("The certificate is not for \(environment.rawValue).")
        }
        return cautions
    }

    private func report(
        of push: APNSPush,
        to endpoint: APNSEndpoint,
        as credential: APNSCredential
    ) async -> SendReport {
        if !unchecked, let problem = credential.problem(with: push) { return .notSent(problem) }
        let kept: KeptProviderToken? =
            if case .key(let key) = credential, !newToken { KeptProviderToken(of: key) } else { nil }
        kept?.load()
        let probe = APNSProbe(credential: credential, endpoint: endpoint, timeout: .seconds(timeout))
        do {
            let answer = try await probe.send(push, replacing: content.fields)
            let isRefused = [.expiredProviderToken, .invalidProviderToken].contains(answer.reason)
            if isRefused { kept?.forget() } else { kept?.keep() }
            return .answered(answer, push.headers.expiration)
        } catch {
            return .noAnswer(error.description)
        }
    }
}
