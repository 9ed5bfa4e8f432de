import Foundation
import PushModel

/// The facts about an app that `posthorn doctor` judges: build, credential and setting must agree.
struct AppFacts {
    var app: App
    var credentials: [CredentialFacts]
    /// The answers of APNs; nil if no service runs, as only the service knows which APNs to ask.
    var tests: [APNSEnvironment: CredentialTest]?
    /// The number of devices with a token by the environment of their build; nil if no service runs.
    var builds: [APNSEnvironment: Int]?

    func findings(at now: Date) -> [Finding] {
        let credentials = APNSEnvironment.allCases.map { credential(for: $0, at: now) }
        return [identity] + credentials + [setting, buildsFinding, clock(at: now)].compactMap(\.self)
    }

    private var identity: Finding {
        for case .certificate(let certificate, _, _) in credentials where certificate.topic != app.bundleID {
            return Finding(
                of: "app",
                .wrong,
                "'\(app.name)' has the bundle id '\(app.bundleID)', and its certificate for \(certificate.environment) is for "
                    + "'\(certificate.topic)'.",
                remedy:
                    "Add a certificate for '\(app.bundleID)', or create an app with the bundle id '\(certificate.topic)'."
            )
        }
        return Finding(of: "app", .ok, "'\(app.name)' has the bundle id and topic \(app.bundleID).")
    }

    private func credential(for environment: APNSEnvironment, at now: Date) -> Finding {
        let check = "credential.\(environment)"
        guard let fact = credentials.first(where: { $0.environments.contains(environment) }) else {
            return missingCredential(for: environment)
        }
        // An expired certificate is not tried, so its trial has nothing to say.
        if case .certificate(let certificate, _, _) = fact, certificate.notAfter <= now {
            let found = "The \(fact.name) expired on \(certificate.notAfter.formatted(.iso8601)): pushes wait."
            return Finding(of: check, .wrong, found, remedy: renewal)
        }
        if let test = tests?[environment], !test.isAccepted {
            return Finding(of: check, test.isTemporary ? .unknown : .wrong, test.finding, remedy: remedy(of: test))
        }
        guard case .certificate(let certificate, _, _) = fact else {
            let found = "The \(fact.name) is valid in both environments and does not expire."
            return Finding(of: check, .ok, found + accepted(environment))
        }
        let end = CredentialFacts.timeLeft(certificate.notAfter, at: now)
        let found = "The \(fact.name) ends \(end)." + accepted(environment)
        guard fact.warning(at: now) != nil else { return Finding(of: check, .ok, found) }
        return Finding(of: check, .warning, found, remedy: renewal)
    }

    private func missingCredential(for environment: APNSEnvironment) -> Finding {
        let check = "credential.\(environment)"
        let devices = builds?[environment] ?? 0
        guard app.defaultEnvironment == environment || devices > 0 else {
            return Finding(of: check, .ok, "There is none for \(environment), and no device needs one.")
        }
        let need = devices > 0 ? "\(devices) devices have a \(environment) build" : "the app is set to \(environment)"
        return Finding(
            of: check,
            .wrong,
            "There is no credential for \(environment), but \(need): such pushes wait.",
            remedy:
                "'posthorn credential add \(app.key)' adds a .p8 for both environments, or a certificate for this one."
        )
    }

    private var renewal: String {
        "Issue a new certificate and add it with 'posthorn credential add \(app.key) --p12 FILE'; device tokens stay as they are. A "
            + ".p8 key does not expire."
    }

    private func accepted(_ environment: APNSEnvironment) -> String {
        guard let test = tests?[environment] else { return "" }
        let note = InspectedCertificate.voipNote(topics: test.topics ?? [], bundleID: app.bundleID)
        return " APNs accepts it for \(app.bundleID)." + (note.map { " \($0)" } ?? "")
    }

    private func remedy(of test: CredentialTest) -> String {
        guard let status = test.status, let reason = test.reason else {
            return test.remedy ?? "Check that this machine reaches APNs (TCP 443)."
        }
        if test.isTemporary { return "Ask again later with 'posthorn credential test \(app.key)'." }
        let advice = reason.advice(status: status).remedy
        return switch reason {
        case .badTopic, .topicDisallowed, .badCertificateEnvironment, .badEnvironmentKeyInToken:
            "\(advice) The app's bundle id is '\(app.bundleID)'; 'posthorn credential add \(app.key)' adds another credential."
        case .badCertificate:
            "\(advice) A revoked certificate must be replaced, and one of an unknown issuer cannot be used: add another with "
                + "'posthorn credential add \(app.key)'."
        case .forbidden, .invalidProviderToken, .expiredProviderToken:
            "\(advice) Compare key id and team id with those at Apple, and this machine's clock with the time; a revoked key must be "
                + "replaced."
        default: advice
        }
    }

    private var setting: Finding {
        let environment = app.defaultEnvironment
        guard credentials.contains(where: { $0.environments.contains(environment) }) else {
            let hasOther = credentials.contains { $0.environments.contains(environment.other) }
            return Finding(
                of: "setting",
                .wrong,
                "The app is set to \(environment), for which it has no credential.",
                remedy: "Add one"
                    + (hasOther ? ", or 'posthorn app set \(app.key) --environment \(environment.other)'." : ".")
            )
        }
        return Finding(of: "setting", .ok, "The app is set to \(environment), for which it has a credential.")
    }

    private var buildsFinding: Finding? {
        guard let builds else { return nil }
        let (here, there) = (builds[app.defaultEnvironment] ?? 0, builds[app.defaultEnvironment.other] ?? 0)
        let other = app.defaultEnvironment.other
        let found =
            "\(here) \(here == 1 ? "device has" : "devices have") a token of a \(app.defaultEnvironment) build, \(there) of a "
            + "\(other) build."
        switch (here, there) {
        case (0, 0):
            return Finding(
                of: "builds",
                .warning,
                "No device of the app has a token.",
                remedy:
                    "Start the app on a phone. It must register for remote notifications and hand the token to the SDK."
            )
        case (0, _):
            return Finding(
                of: "builds",
                .warning,
                found,
                remedy:
                    "A push goes to one environment. Send to \(other) (apns_production: \(other == .production)), or "
                    + "'posthorn app set \(app.key) --environment \(other)'."
            )
        default: return Finding(of: "builds", .ok, found)
        }
    }

    /// Compares this machine's clock with the `Date` of APNs's answers; nil if there is no answer.
    private func clock(at now: Date) -> Finding? {
        guard let tests, tests.values.contains(where: { $0.status != nil }) else { return nil }
        guard let date = tests.values.lazy.compactMap(\.date).first else {
            return Finding(of: "clock", .unknown, "APNs's answer has no Date: this machine's clock is not compared.")
        }
        let difference = Int(now.timeIntervalSince(date).rounded())
        let found =
            "This machine's clock is \(abs(difference)) seconds \(difference < 0 ? "behind" : "ahead of") that of APNs."
        let remedy =
            "Set the clock, and keep it right with NTP: APNs refuses provider tokens that are an hour old, or of the future."
        return switch abs(difference) {
        case ...60: Finding(of: "clock", .ok, found)
        case ...900: Finding(of: "clock", .warning, found, remedy: remedy)
        default: Finding(of: "clock", .wrong, found, remedy: remedy)
        }
    }
}

extension CredentialFacts {
    /// The environments in which it can be used.
    var environments: [APNSEnvironment] {
        switch self {
        case .key: APNSEnvironment.allCases
        case .certificate(let certificate, _, _): [certificate.environment]
        }
    }

    /// Whether pushes go out with it: certificates are not used while there is a key.
    var isUsed: Bool {
        if case .certificate(_, _, let isUsed) = self { isUsed } else { true }
    }

    fileprivate var name: String {
        switch self {
        case .key(let key, _): "key \(key.keyID) of team \(key.teamID)"
        case .certificate(let certificate, _, _): "certificate for \(certificate.topic)"
        }
    }
}
