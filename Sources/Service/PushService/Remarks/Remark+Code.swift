import PushModel

extension Remark {
    /// The codes of all remarks. ``PushModel/Words`` has what each says in English; the portal has the words of other languages.
    /// In these, `{name}` is the place of a value, and `{days}` a number of days in words.
    package enum Code: String, Sendable, CaseIterable {
        // The app and its credentials.
        case appIdentity, appOtherTopic, credentialNotNeeded, credentialMissingForDevices,
            credentialMissingForSetting, certificateExpired, certificateEnding, certificateValid, keyValid,
            apnsAccepts, noVoIPTopic, settingWithoutCredential, settingForOther, settingRight, buildsNone,
            buildsOther, buildsRight, clockAhead, clockBehind, clockToSet, clockUnknown

        // A credential tried at APNs.
        case trialWithoutCredential, trialUnusable, trialAccepted, trialRefused, trialRevoked,
            trialUnknownIssuer, trialUnanswered, trialHandshakeEnded, trialAgainLater, trialForBundleID,
            trialForCertificate, trialForKey

        // What an app's credentials are good for.
        case verdictKey, verdictKeyFirst, verdictRefused, verdictNone, verdictToAdd, verdictExpired,
            verdictCertificate, verdictCertificateEnding, warningExpired, warningEnding, noteCertificateUnused,
            noteLeftOut,
            noteKeyFirst

        // The device.
        case deviceKnown, deviceUnknown, deviceUnknownAnywhere, tokenRefused, tokenMissing,
            tokenConfirmed, buildWithoutCredential, buildOther, buildRight, pushOn, pushOff, online, offline,
            aliasAndTags, aliasOnly, tagsOnly, noNames, badgeRight, badgeNotReset

        // The push.
        case messageUnknown, messageUnknownAnywhere, messageDeleted, deviceDeleted, messageForNobody,
            messageSent, customArrived, messagePartly, journeyOfAnother, journeyRight, journeyOther,
            payloadFull, payloadDoesNotWake, payloadOtherBuild, payloadCustomOnly, payloadWithoutAlert,
            payloadWakesUnseen, payloadSilent, payloadMute, payloadSoundWithoutExtension, payloadNotMutable,
            payloadNotKept

        // The service and its machine.
        case serviceRuns, serviceDrains, serviceMissing, storeProblem, storeRight, databaseRight,
            databaseDamaged, databaseUnchecked, apnsUnused, apnsReached, apnsUnreachable, queueUnknown, queueLate,
            queuePaused, queueRight, diskUnknown,
            diskShort, diskRight, filesFew, filesRight, fileReadable, filesReadable, filesPrivate, tlsLocal,
            tlsMissing, tlsExpired, tlsEnding, tlsRight, proxyRight, proxyUnusable

        // A store in PostgreSQL.
        case postgresAway, postgresSilent, postgresOld, postgresEncoding, postgresVersion,
            postgresFsyncOff, postgresPartialPages, postgresCommitOff, postgresCommitLocal, postgresDurable,
            postgresNoStandby, postgresStandbyNotAwaited, postgresStandbyUnseen, postgresStandbyAway,
            postgresStandby, postgresClockRight, postgresClockAhead, postgresClockBehind,
            postgresConnectionsFew, postgresConnectionsShort, postgresConnections, postgresSchema,
            postgresSchemaOlder, postgresSchemaNewer, postgresForbidden, postgresMayNotCreate,
            postgresPrivileges, postgresPrivate, postgresReadable

        // Refusals of a key or certificate.
        case credentialMissing, p8Unusable, fileUnreadable, filePasswordWrong, fileKeyMissing,
            fileCertificateMissing, fileKeyMismatch, fileNotForPushes, certificateForOtherApp,
            certificateForOtherEnvironment, certificateOver, certificateNotYetValid, keyForBothEnvironments,
            noSuchCredential, tooManyUploads

        // Other refusals of operations.
        case parameter, document, quietHours, nameEmpty, nameControl, passwordLength, bodyNotJSON, textWithNUL,
            unknownOperation, userUnknown, userExists, usersExist, userLastAdministrator, userNotVerified, appUnknown,
            groupUnknown, developerUnknown, nodeUnknown, storeNotShared, serviceNeeded, settingsNotHere,
            auditNotWritten, tooManyChanges, trialTooSoon, storeBusy, operationFailed

        /// The sentence of what was found; empty for a remark that only adds a remedy.
        package var found: String { Words.remarks[rawValue] ?? "" }
        /// The sentence of the remedy; nil if nothing is to be done.
        package var remedy: String? { Words.remarks["\(rawValue)_remedy"] }
    }
}
