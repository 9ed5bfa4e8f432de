package import PushModel

/// A sentence for people with its code and values, so that a page can say it in another language.
package struct Remark: Hashable, Sendable {
    package var code: Code
    /// The values by the names of their places in the sentences. Dates are in ISO 8601.
    package var values: [String: String]

    package init(_ code: Code, _ values: [String: any CustomStringConvertible] = [:]) {
        self.code = code
        self.values = values.mapValues { "\($0)" }
    }

    /// The finding in English; empty for a remark that only adds a remedy.
    package var found: String { fill(code.found) }
    /// The remedy in English; nil if nothing is to be done.
    package var remedy: String? { code.remedy.map(fill) }

    private func fill(_ words: String) -> String {
        Words.fill(words) { name in
            values[name].map { name == "days" ? Self.days($0) { Words.english.remarks[$0] } : $0 }
        }
    }

    /// Returns a number of days in the words of a language.
    static func days(_ text: String, _ words: (_ key: String) -> String?) -> String {
        let key =
            switch Int(text) ?? 0 {
            case ..<1: "days_none"
            case 1: "days_one"
            default: "days_many"
            }
        return Words.fill(words(key) ?? text) { _ in text }
    }

    /// `{"code":"diskShort","values":{"mebibytes":"80"}}`.
    package var json: JSONValue {
        let values = values.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }
        return ["code": .string(code.rawValue), "values": .object(JSONObject(values))]
    }

    /// Reads a remark from an answer; nil if this version does not know its code.
    package init?(json: JSONValue) {
        guard let code = json.object?["code"]?.string.flatMap(Code.init(rawValue:)) else { return nil }
        self.init(code)
        for member in json.object?["values"]?.object?.members ?? [] { values[member.key] = member.value.string }
    }
}

extension Remark: JSONVersioned {
    package static var form: JSONForm<Remark> { JSONForm("a remark", Remark.init(json:)) }
}

extension [Remark] {
    /// The finding in English.
    package var found: String { map(\.found).filter { !$0.isEmpty }.joined(separator: " ") }
    /// The remedies in English; nil if nothing is to be done.
    package var remedy: String? {
        let remedies = compactMap(\.remedy)
        return remedies.isEmpty ? nil : remedies.joined(separator: " ")
    }
}

extension Remark {
    /// The codes of all remarks. ``PushModel/Words`` has what each says in each language; the portal has others where it names its
    /// pages. In these, `{name}` is the place of a value, and `{days}` a number of days in words.
    package enum Code: String, Sendable, CaseIterable {
        // The app and its credentials.
        case appIdentity, appOtherTopic, credentialNotNeeded, credentialMissingForDevices,
            credentialMissingForSetting, certificateExpired, certificateEnding, certificateValid, keyUsed,
            apnsAccepts, noVoIPTopic, settingWithoutCredential, settingForOther, settingRight, buildsNone,
            buildsOther, buildsRight, clockAhead, clockBehind, clockToSet, clockUnknown

        // A credential tried at APNs.
        case trialWithoutCredential, trialUnusable, trialAccepted, trialRefused, trialRevoked, trialUnknownIssuer,
            trialUnanswered, trialHandshakeEnded, trialAgainLater, trialForBundleID, trialForCertificate, trialForKey

        // What an app's credentials are good for.
        case verdictKey, verdictKeyOfOne, verdictKeyFirst, verdictNotMade, verdictRefused, verdictNone, verdictToAdd,
            verdictExpired, verdictCertificate, verdictCertificateEnding, verdictTopic, verdictTopicNone,
            verdictTopicRefused, verdictUnused, warningExpired, warningEnding, noteUnused, noteExists, noteTakesOver,
            noteLeftOut,
            learntAccepted, learntRefused, learntUnknown, learntNothing

        // The device.
        case deviceKnown, deviceUnknown, deviceUnknownAnywhere, tokenRefused, tokenMissing,
            tokenConfirmed, buildWithoutCredential, buildOther, buildRight, pushOn, pushOff, online, offline,
            aliasAndTags, aliasOnly, tagsOnly, noNames, badgeRight, badgeNotReset,
            registrationShared

        // The push.
        case messageUnknown, messageUnknownAnywhere, messageDeleted, deviceDeleted, messageForNobody, messageSent,
            customArrived, messagePartly, journeyOfAnother, journeyRight, journeyOther, payloadFull, payloadDoesNotWake,
            payloadOtherBuild, payloadCustomOnly, payloadWithoutAlert, payloadWakesUnseen, payloadSilent, payloadMute,
            payloadSoundWithoutExtension, payloadNotMutable, payloadNotKept

        // The service and its machine.
        case serviceRuns, serviceDrains, serviceMissing, storeProblem, storeRight, databaseRight, databaseDamaged,
            databaseUnchecked, apnsUnused, apnsReached, apnsUnreachable, queueUnknown, queueLate, queuePaused,
            queueRight, diskUnknown, diskShort, diskRight, filesFew, filesRight, fileReadable, filesReadable,
            filesPrivate, tlsLocal, tlsMissing, tlsExpired, tlsEnding, tlsRight, proxyRight, proxyUnusable

        // A store in PostgreSQL.
        case postgresAway, postgresSilent, postgresOld, postgresEncoding, postgresVersion, postgresFsyncOff,
            postgresPartialPages, postgresCommitOff, postgresCommitLocal, postgresDurable, postgresNoStandby,
            postgresStandbyNotAwaited, postgresStandbyUnseen, postgresStandbyAway, postgresStandby, postgresClockRight,
            postgresClockAhead, postgresClockBehind, postgresConnectionsFew, postgresConnectionsShort,
            postgresConnections, postgresSchema, postgresSchemaOlder, postgresSchemaNewer, postgresForbidden,
            postgresMayNotCreate, postgresPrivileges, postgresPrivate, postgresReadable

        // The files of a build.
        case profileExpired, profileWildcard, profileWithoutPush, profileValid, pushCertificateLocked,
            pushCertificateUnusable, pushCertificateExpired, pushCertificateNotYetValid, pushCertificateEnding,
            pushCertificateValid, pushKeyValid, pushKeyUnusable, entitlementsWithoutPush, entitlementsUnknown,
            entitlementsValid, modeMissing, modeThere, bundleIDsDiffer, bundleIDsAgree, environmentOfCertificate,
            environmentOfSetting, environmentOfProfile, environmentsAgree, teamsDiffer, teamsAgree

        // Refusals of a key or certificate.
        case credentialMissing, p8Unusable, fileUnreadable, filePasswordWrong, fileKeyMissing, fileCertificateMissing,
            fileKeyMismatch, fileNotForPushes, certificateForOtherApp, certificateForOtherEnvironment, certificateOver,
            certificateNotYetValid, removalUnclear, severalKeys, noSuchCredential, credentialUnknown, credentialExists,
            tooManyCredentials, tooManySecrets, topicsOfOthers, tooManyUploads

        // Other refusals of operations.
        case parameter, document, quietHours, nameEmpty, nameControl, nameDiffers, passwordLength, bodyNotJSON,
            textWithNUL,
            unknownOperation, userUnknown, userExists, usersExist, userLastAdministrator, userNotVerified, appUnknown,
            aliasKeyExists, groupUnknown, developerUnknown, nodeUnknown, storeNotShared, serviceNeeded, settingsNotHere,
            auditNotWritten, tooManyChanges, trialTooSoon, storeBusy, operationFailed

        /// The sentence of what was found; empty for a remark that only adds a remedy.
        package var found: String { Words.english.remarks[rawValue] ?? "" }
        /// The sentence of the remedy; nil if nothing is to be done.
        package var remedy: String? { Words.english.remarks["\(rawValue)_remedy"] }
    }
}
