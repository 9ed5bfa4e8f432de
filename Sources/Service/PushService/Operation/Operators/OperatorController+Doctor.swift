import Foundation
import PushClock
import PushModel

extension OperatorController {
    /// Checks the service, and what is named. Without an app, that of the device or the message.
    func examine(_ key: String?, device registrationID: String?, message text: String?) async throws -> DoctorAnswer {
        let asked: App? = if let key { try await app(key) } else { nil }
        let message = try text.map(Self.message)
        var findings = try await doctor?.service() ?? [Finding(of: "service", .wrong, .serviceMissing)]
        findings += await machine?.storeInspector?.findings() ?? []
        findings += machine?.facts().findings(at: clock.date) ?? []
        findings += await machine?.proxies().map(\.finding) ?? []
        guard let doctor else {
            guard registrationID == nil, message == nil else {
                throw Self.noService(", and only the service knows its devices and pushes. Start 'posthorn serve'.")
            }
            if let asked { findings += try await self.findings(of: asked) }
            return DoctorAnswer(findings)
        }
        let (app, device, unknown) = try await subjects(of: asked, device: registrationID, message: message, doctor)
        if let app { findings += try await self.findings(of: app) }
        findings += unknown
        if let app, let device {
            let facts = DeviceFacts(
                device: device,
                presence: doctor.registry.presence(of: device.id, at: clock.date),
                app: app,
                credentials: try await environments(of: app),
                separated: device.separatedID.map { doctor.registry.name(of: $0).text }
            )
            findings += facts.findings()
        }
        if let app, let message { findings += try await doctor.findings(of: message, to: device, app) }
        return DoctorAnswer(findings)
    }

    private static func message(_ text: String) throws -> MessageID {
        guard let message = MessageID(text) else {
            throw JSONProblem("message", found: .string(text), expected: "a msg_id, in decimal digits")
        }
        return message
    }

    /// Returns the app and the device to examine, and findings about those that are not there.
    private func subjects(
        of asked: App?,
        device registrationID: String?,
        message: MessageID?,
        _ doctor: Doctor
    ) async throws -> (app: App?, device: RegisteredDevice?, unknown: [Finding]) {
        var app: App? = asked
        var device: RegisteredDevice? = nil
        var unknown: [Finding] = []
        if let registrationID {
            if let id = RegistrationID(registrationID), let found = try await doctor.device(id, of: asked) {
                (device, app) = found
            } else {
                let code: Remark.Code = asked == nil ? .deviceUnknownAnywhere : .deviceUnknown
                let values = ["app": asked?.key.text ?? "", "id": registrationID]
                unknown.append(Finding(of: "device", .wrong, code, with: values))
            }
        }
        if let message, app == nil {
            app = try await doctor.app(of: message)
            if app == nil {
                unknown.append(Finding(of: "message", .wrong, .messageUnknownAnywhere, with: ["message": message]))
            }
        }
        return (app, device, unknown)
    }

    private func findings(of app: App) async throws -> [Finding] {
        var facts = AppSetupFacts(app: app, credentials: try await facts(about: app))
        facts.builds = doctor?.registry.builds(of: app.id)
        if let trials = notifier.trials {
            var tests: [APNSEnvironment: CredentialTest] = [:]
            for environment in APNSEnvironment.allCases {
                tests[environment] = try await test(of: app, environment, by: trials)
            }
            facts.tests = tests
            // An answer may have put another credential first.
            facts.credentials = try await self.facts(about: app)
        }
        return facts.findings(at: clock.date)
    }

    /// Tries the credential that sends an app's notifications, and the next one if APNs says that it is not made for the environment.
    ///
    /// - Returns: the answer to the last one; nil if the app has none.
    private func test(
        of app: App,
        _ environment: APNSEnvironment,
        by trials: CredentialTrials
    ) async throws -> CredentialTest? {
        var last: CredentialTest?
        for _ in 0..<SealedCredential.most {
            let set = try await credentials(of: app)
            guard let chosen = set.choice(in: environment, at: clock.date) else { break }
            let trial = CredentialTrial(app: app, environment: environment, credential: chosen.id)
            guard let test = await trials.latest(trial) else { break }
            last = test
            guard try await record(test, of: trial, in: set) else { break }
        }
        return last
    }

    /// The environments for which an app has a credential.
    private func environments(of app: App) async throws -> Set<APNSEnvironment> {
        let set = try await credentials(of: app)
        return Set(APNSEnvironment.allCases.filter { set.choice(in: $0, at: clock.date) != nil })
    }
}

package struct DoctorAnswer: Codable, Sendable {
    /// Whether no finding is wrong.
    package let ok: Bool
    package let findings: [Finding]

    package init(_ findings: [Finding]) {
        ok = !findings.contains { $0.state == .wrong }
        self.findings = findings
    }
}
