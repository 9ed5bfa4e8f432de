import Foundation
import PushModel

/// The facts about an app that `posthorn doctor` judges: build, credential and setting must agree.
struct AppSetupFacts {
    var app: App
    var credentials: CredentialFacts
    /// The answers of APNs; nil if no service runs, as only the service knows which APNs to ask.
    var tests: [APNSEnvironment: CredentialTest]?
    /// The number of devices with a token by the environment of their build; nil if no service runs.
    var builds: [APNSEnvironment: Int]?

    func findings(at now: Date) -> [Finding] {
        let credentials = APNSEnvironment.allCases.map { credential(for: $0, at: now) }
        return [identity] + credentials + [setting, buildsFinding, clock(at: now)].compactMap(\.self)
    }

    private var identity: Finding {
        for credential in credentials.set.credentials {
            guard let topic = credential.certificate?.bundleID, topic != app.bundleID else { continue }
            let environments = credential.environments.map(\.rawValue).sorted().joined(separator: ", ")
            let values: [String: any CustomStringConvertible] = [
                "name": app.name, "bundleID": app.bundleID, "environment": environments, "topic": topic,
            ]
            return Finding(of: "app", .wrong, .appOtherTopic, with: values)
        }
        return Finding(of: "app", .ok, .appIdentity, with: ["name": app.name, "bundleID": app.bundleID])
    }

    private func credential(for environment: APNSEnvironment, at now: Date) -> Finding {
        let check = "credential.\(environment)"
        guard let credential = credentials.set.choice(in: environment, at: now) else {
            return missingCredential(for: environment)
        }
        // An expired certificate is not tried, so its trial has nothing to say.
        if let certificate = credential.certificate, certificate.notAfter <= now {
            let end = certificate.notAfter.formatted(.iso8601)
            return Finding(
                of: check,
                .wrong,
                .certificateExpired,
                with: ["topic": certificate.bundleID, "date": end, "app": app.key]
            )
        }
        if let test = tests?[environment], !test.isAccepted {
            return Finding(of: check, test.isTemporary ? .unknown : .wrong, test.remarks + advice(about: test))
        }
        // No service runs that could ask again.
        if tests == nil, let reason = credentials.refusal(of: Destination(app: app.id, environment: environment)) {
            let values = ["environment": environment.rawValue, "credential": credential.name, "reason": reason]
            return Finding(of: check, .wrong, .verdictNotMade, with: values)
        }
        switch credential.content {
        case .key(let key):
            let values = ["key": key.id, "team": key.teamID, "environment": environment.rawValue]
            return Finding(
                of: check,
                .ok,
                [Remark(.keyUsed, values)] + accepted(environment) + others(environment, at: now)
            )
        case .certificate(let certificate):
            let isEnding = credentials.warning(about: credential) != nil
            let days = CredentialFacts.daysLeft(certificate.notAfter, at: now)
            let end = Remark(
                isEnding ? .certificateEnding : .certificateValid,
                ["topic": certificate.bundleID, "days": days, "app": app.key]
            )
            let rest = accepted(environment) + others(environment, at: now)
            return Finding(of: check, isEnding ? .warning : .ok, [end] + rest)
        }
    }

    /// The topics of calls and Live Activities that APNs refuses, or that another credential sends.
    private func others(_ environment: APNSEnvironment, at now: Date) -> [Remark] {
        credentials.topics.filter { $0.values["environment"] == environment.rawValue }
    }

    private func missingCredential(for environment: APNSEnvironment) -> Finding {
        let check = "credential.\(environment)"
        let devices = builds?[environment] ?? 0
        guard app.defaultEnvironment == environment || devices > 0 else {
            return Finding(of: check, .ok, .credentialNotNeeded, with: ["environment": environment.rawValue])
        }
        return Finding(
            of: check,
            .wrong,
            devices > 0 ? .credentialMissingForDevices : .credentialMissingForSetting,
            with: ["environment": environment.rawValue, "count": devices, "app": app.key]
        )
    }

    private func accepted(_ environment: APNSEnvironment) -> [Remark] {
        guard let test = tests?[environment] else { return [] }
        let note = InspectedCertificate.voipNote(topics: test.topics ?? [], bundleID: app.bundleID)
        return [Remark(.apnsAccepts, ["bundleID": app.bundleID]), note].compactMap(\.self)
    }

    /// Remedies for a refusal besides the one of the reason itself.
    private func advice(about test: CredentialTest) -> [Remark] {
        guard let reason = test.reason else { return [] }
        if test.isTemporary { return [Remark(.trialAgainLater, ["app": app.key])] }
        return switch reason {
        case .badTopic, .topicDisallowed, .badCertificateEnvironment, .badEnvironmentKeyInToken:
            [Remark(.trialForBundleID, ["bundleID": app.bundleID, "app": app.key])]
        case .badCertificate: [Remark(.trialForCertificate, ["app": app.key])]
        case .forbidden, .invalidProviderToken, .expiredProviderToken: [Remark(.trialForKey)]
        default: []
        }
    }

    private var setting: Finding {
        let environment = app.defaultEnvironment
        let values: [String: any CustomStringConvertible] = [
            "environment": environment.rawValue, "other": environment.other.rawValue, "app": app.key,
        ]
        guard credentials.set.choice(in: environment, at: credentials.now) != nil else {
            let hasOther = credentials.set.choice(in: environment.other, at: credentials.now) != nil
            return Finding(of: "setting", .wrong, hasOther ? .settingForOther : .settingWithoutCredential, with: values)
        }
        return Finding(of: "setting", .ok, .settingRight, with: values)
    }

    private var buildsFinding: Finding? {
        guard let builds else { return nil }
        let other = app.defaultEnvironment.other
        let here = builds[app.defaultEnvironment] ?? 0
        let there = builds[other] ?? 0
        let values: [String: any CustomStringConvertible] = [
            "here": here, "environment": app.defaultEnvironment.rawValue, "there": there, "other": other.rawValue,
            "production": other == .production, "app": app.key,
        ]
        return switch (here, there) {
        case (0, 0): Finding(of: "builds", .warning, .buildsNone)
        case (0, _): Finding(of: "builds", .warning, .buildsOther, with: values)
        default: Finding(of: "builds", .ok, .buildsRight, with: values)
        }
    }

    /// Compares this machine's clock with the `Date` of APNs's answers; nil if there is no answer.
    private func clock(at now: Date) -> Finding? {
        guard let tests, tests.values.contains(where: { $0.status != nil }) else { return nil }
        guard let date = tests.values.lazy.compactMap(\.date).first else {
            return Finding(of: "clock", .unknown, .clockUnknown)
        }
        let difference = Int(now.timeIntervalSince(date).rounded())
        let found = Remark(difference < 0 ? .clockBehind : .clockAhead, ["seconds": abs(difference)])
        return switch abs(difference) {
        case ...60: Finding(of: "clock", .ok, [found])
        case ...900: Finding(of: "clock", .warning, [found, Remark(.clockToSet)])
        default: Finding(of: "clock", .wrong, [found, Remark(.clockToSet)])
        }
    }
}
