// What each remark says in English. `{name}` is the place of a value; `{days}` is a number of days in words.

extension Remark.Code {
    /// The sentence of what was found, which may be empty, and that of the remedy; nil if nothing is to be done.
    package typealias Words = (found: String, remedy: String?)

    private static let toAddCredential =
        "'posthorn credential add {app}' adds a .p8 for both environments, or a certificate for this "
        + "one."
    private static let toRenew =
        "Issue a new certificate and add it with 'posthorn credential add {app} --p12 FILE'; device "
        + "tokens stay as they are. A .p8 key does not expire."
    private static let toCheckDevice =
        "Compare it with the registration id that the app reports, and its app key with the app's. "
        + "Devices unseen for long are deleted (retention.devices)."
    private static let toCheckMessage =
        "Compare the msg_id with the answer of POST /v3/push, and the app with the one whose key sent"
        + " it."
    private static let toRenewFiles = "Renew the files of http.cert and http.key; a running service reads them again."
    private static let toNameStandby = "Set up a standby and name it in synchronous_standby_names, or accept the loss."
    private static let toSynchronise =
        "Synchronise both with NTP; 'doctor' of an app says which one APNs disagrees with."

    package var words: Words {
        switch self {
        // The app and its credentials.
        case .appIdentity: ("'{name}' has the bundle id and topic {bundleID}.", nil)
        case .appOtherTopic:
            (
                "'{name}' has the bundle id '{bundleID}', and its certificate for {environment} is for "
                    + "'{topic}'.", "Add a certificate for '{bundleID}', or create an app with the bundle id '{topic}'."
            )
        case .credentialNotNeeded: ("There is none for {environment}, and no device needs one.", nil)
        case .credentialMissingForDevices:
            (
                "There is no credential for {environment}, but {count} devices have a {environment} build: "
                    + "such pushes wait.", Self.toAddCredential
            )
        case .credentialMissingForSetting:
            (
                "There is no credential for {environment}, but the app is set to {environment}: such pushes "
                    + "wait.", Self.toAddCredential
            )
        case .certificateExpired: ("The certificate for {topic} expired on {date}: pushes wait.", Self.toRenew)
        case .certificateEnding: ("The certificate for {topic} ends in {days}.", Self.toRenew)
        case .certificateValid: ("The certificate for {topic} ends in {days}.", nil)
        case .keyValid: ("The key {key} of team {team} is valid in both environments and does not expire.", nil)
        case .apnsAccepts: ("APNs accepts it for {bundleID}.", nil)
        case .noVoIPTopic:
            (
                "The certificate does not include the topic '{topic}': APNs refuses VoIP pushes with it. A p8"
                    + " key sends them.", nil
            )
        case .settingWithoutCredential: ("The app is set to {environment}, for which it has no credential.", "Add one.")
        case .settingForOther:
            (
                "The app is set to {environment}, for which it has no credential.",
                "Add one, or 'posthorn app set {app} --environment {other}'."
            )
        case .settingRight: ("The app is set to {environment}, for which it has a credential.", nil)
        case .buildsNone:
            (
                "No device of the app has a token.",
                "Start the app on a phone. It must register for remote notifications and hand the token to "
                    + "the SDK."
            )
        case .buildsOther:
            (
                "Devices with a token: {here} with a {environment} build, {there} with a {other} build.",
                "A push goes to one environment. Send to {other} (apns_production: {production}), or "
                    + "'posthorn app set {app} --environment {other}'."
            )
        case .buildsRight:
            ("Devices with a token: {here} with a {environment} build, {there} with a {other} build.", nil)
        case .clockAhead: ("This machine's clock is {seconds} seconds ahead of that of APNs.", nil)
        case .clockBehind: ("This machine's clock is {seconds} seconds behind that of APNs.", nil)
        case .clockToSet:
            (
                "",
                "Set the clock, and keep it right with NTP: APNs refuses provider tokens that are an hour "
                    + "old, or of the future."
            )
        case .clockUnknown: ("APNs's answer has no Date: this machine's clock is not compared.", nil)
        // A credential tried at APNs.
        case .trialWithoutCredential:
            (
                "The app has no credential for {environment}. 'posthorn credential add' adds one.",
                "Add one with 'posthorn credential add {app}'."
            )
        case .trialUnusable:
            ("The credential cannot be used: {detail}", "Replace it with 'posthorn credential add {app}'.")
        case .trialAccepted: ("{place} accepts the credential for '{bundleID}'.", nil)
        case .trialRefused: ("{place} refuses with {reason}: {advice}.", "{remedy}")
        case .trialRevoked: ("The gateway's authority has issued it, so it was probably revoked.", nil)
        case .trialUnknownIssuer:
            ("Its issuer is not the gateway's authority, so the issuer is probably unknown there.", nil)
        case .trialUnanswered: ("{place} gave no answer: {detail}", "Check that this machine reaches APNs (TCP 443).")
        case .trialHandshakeEnded:
            (
                "{place} gave no answer: {detail} A server may end the handshake if the certificate is "
                    + "revoked, or of an authority that it does not know.",
                "Try another with 'posthorn credential add {app}'."
            )
        case .trialAgainLater: ("", "Ask again later with 'posthorn credential test {app}'.")
        case .trialForBundleID:
            (
                "",
                "The app's bundle id is '{bundleID}'; 'posthorn credential add {app}' adds another "
                    + "credential."
            )
        case .trialForCertificate:
            (
                "",
                "A revoked certificate must be replaced, and one of an unknown issuer cannot be used: add "
                    + "another with 'posthorn credential add {app}'."
            )
        case .trialForKey:
            (
                "",
                "Compare key id and team id with those at Apple, and this machine's clock with the time; a "
                    + "revoked key must be replaced."
            )
        // What an app's credentials are good for.
        case .verdictKey: ("The app can push to development and production, with key {key} of team {team}.", nil)
        case .verdictKeyFirst: ("The key goes first: the app's certificates are not used.", nil)
        case .verdictRefused: ("But APNs refused it in {environment}: {reason}.", nil)
        case .verdictNone: ("The app cannot push to {environment}: it has no credential for it.", nil)
        case .verdictToAdd: ("'posthorn credential add' adds one.", nil)
        case .verdictExpired:
            (
                "The app cannot push to {environment}: its certificate expired on {date}. Issue a new one and"
                    + " add it.", nil
            )
        case .verdictCertificate: ("The app can push to {environment}; the certificate ends in {days}.", nil)
        case .verdictCertificateEnding:
            (
                "The app can push to {environment}; the certificate ends in {days}: issue a new one and add "
                    + "it.", nil
            )
        case .warningExpired:
            ("The certificate expired on {date}, and its pushes wait: issue a new one and add it.", nil)
        case .warningEnding: ("The certificate ends in {days}: issue a new one and add it.", nil)
        case .noteCertificateUnused:
            (
                "The certificate is stored and not used: the app's p8 key goes first. 'posthorn credential "
                    + "remove {app} --p8' puts the certificate into use.", nil
            )
        case .noteLeftOut: ("Left out of the file, because the app needs one certificate: {names}.", nil)
        case .noteKeyFirst: ("The key goes first: the app's certificates stay stored and are not used.", nil)
        // The device.
        case .deviceKnown: ("The app '{name}' has the device, last seen on {date}.", nil)
        case .deviceUnknown: ("The app '{app}' has no device '{id}'.", Self.toCheckDevice)
        case .deviceUnknownAnywhere: ("No app has a device '{id}'.", Self.toCheckDevice)
        case .tokenRefused:
            (
                "APNs has refused the token with {reason}: nothing is sent to it until the app registers "
                    + "again.",
                "Start the app once. If the token stays, it is of another build, environment or app: see the "
                    + "check 'build'."
            )
        case .tokenMissing:
            (
                "The device has no APNs token: it gets custom messages only.",
                "The app must call registerForRemoteNotifications and hand the token to registerDeviceToken. "
                    + "Error 3000 there means that the profile has no 'aps-environment': turn push on for the App "
                    + "ID and make a new profile. No callback at all: the phone does not reach Apple on TCP 5223."
            )
        case .tokenConfirmed: ("The token {token}… was last confirmed on {date}.", nil)
        case .buildWithoutCredential:
            (
                "The device has a {environment} build, and the app has no credential for {environment}.",
                Self.toAddCredential
            )
        case .buildOther:
            (
                "The device has a {other} build, and the app is set to {environment}: pushes to {environment}"
                    + " do not reach it.",
                "Send to {other} (apns_production: {production}), or 'posthorn app set {app} --environment "
                    + "{other}'."
            )
        case .buildRight: ("The device has a {environment} build; credential and setting agree with it.", nil)
        case .pushOn: ("Push is switched on in the app.", nil)
        case .pushOff:
            (
                "The app has switched push off (stopPush): the device gets neither notifications nor "
                    + "messages.", "The app must switch it on again (resumePush)."
            )
        case .online: ("The device is online: custom messages reach it at once.", nil)
        case .offline:
            (
                "The device is offline, last seen on {date}: custom messages wait, notifications do not.",
                "Custom messages need the app in the foreground; with time_to_live 0 they do not wait."
            )
        case .aliasAndTags: ("The device has the alias '{alias}' and the tags {tags}.", nil)
        case .aliasOnly: ("The device has the alias '{alias}' and no tags.", nil)
        case .tagsOnly: ("The device has no alias and the tags {tags}.", nil)
        case .noNames:
            (
                "The device has no alias and no tags. Only its registration id and 'all' select it.",
                "If it should have some, look in the app whether setTags and setAlias complete with code 0."
            )
        case .badgeRight: ("The service's badge is {badge}: '+1' makes it {next}.", nil)
        case .badgeNotReset:
            (
                "The service's badge is {badge}: '+1' makes it {next}. The app has not reset it since.",
                "When the user has seen the notifications, the app must call JPUSHService.resetBadge() or "
                    + "setBadge(0), besides clearing the icon itself; otherwise the count keeps growing."
            )
        // The push.
        case .messageUnknown: ("The app has no push {message}.", Self.toCheckMessage)
        case .messageUnknownAnywhere: ("No app has a push {message}.", Self.toCheckMessage)
        case .messageDeleted:
            (
                "The push was deleted {count} days after its last delivery (setting retention.messages).",
                Self.toCheckMessage
            )
        case .deviceDeleted:
            (
                "The device has unregistered, or was deleted {count} days after it was last seen (setting retention.devices).",
                Self.toCheckMessage
            )
        case .messageForNobody:
            (
                "The push has no device with a token in its environment.",
                "Compare 'apns_production' with the builds of the devices: --device says more."
            )
        case .messageSent: ("APNs has accepted it for {sent} of {target} devices.", nil)
        case .customArrived: ("{received} of {target} messages arrived.", nil)
        case .messagePartly:
            (
                "",
                "The others wait, were refused, or were not sent: 'posthorn doctor --device' or 'posthorn "
                    + "why' says why."
            )
        case .journeyOfAnother:
            (
                "The push was not for this device.",
                "Compare its audience with the device's tags and alias: the check 'names' has them."
            )
        case .journeyRight: ("{sentence}.", nil)
        case .journeyOther: ("{sentence}.", "'posthorn why {message} {id}' tells the way step by step.")
        case .payloadFull: ("The push has an alert, a sound and mutable-content.", nil)
        case .payloadDoesNotWake: ("It does not wake the app in the background.", nil)
        case .payloadOtherBuild:
            (
                "It went to {environment}, and the device has a {other} build.",
                "Send it with apns_production: {production}."
            )
        case .payloadCustomOnly:
            (
                "It has no notification: the phone shows nothing, and only a connected app gets the message.",
                "Add a notification if the user is to see something."
            )
        case .payloadWithoutAlert:
            (
                "It has no alert: the phone shows no banner.",
                "Set notification.ios.alert, or content-available to wake the app instead."
            )
        case .payloadWakesUnseen:
            (
                "It has content-available and no alert: the phone shows no banner.",
                "Set notification.ios.alert if the user is to see something."
            )
        case .payloadSilent:
            (
                "It is silent (content-available without alert): it wakes the app only in the background, not"
                    + " after the user has force-quit it, and with priority 5, which iOS may delay or drop.",
                "Set notification.ios.alert if the user must see it. The app needs the background mode "
                    + "remote-notification."
            )
        case .payloadMute: ("It has no sound.", "Set notification.ios.sound, such as 'default'.")
        case .payloadSoundWithoutExtension:
            (
                "The sound '{sound}' has no extension, so iOS may not find the file and plays the default.",
                "Name the file in the app's bundle with its extension, such as '{sound}.caf'."
            )
        case .payloadNotMutable:
            (
                "It has no mutable-content: no service extension runs, so there are no delivery statistics "
                    + "from it.", "Set notification.ios.mutable-content to true."
            )
        case .payloadNotKept:
            (
                "Its time_to_live is 0, and the device is offline: neither APNs nor the service keeps it.",
                "Leave time_to_live out, or set the seconds for which the push is of use."
            )
        // The service and its machine.
        case .serviceRuns: ("The service runs.", nil)
        case .serviceDrains: ("The service runs, and is shutting down.", nil)
        case .serviceMissing: ("No service runs on this folder.", "Start 'posthorn serve'.")
        case .storeProblem: ("{detail}", "Free space on the disk or repair it, or see to the database server.")
        case .storeRight: ("The store takes writes.", nil)
        case .databaseRight: ("The pages of the database are intact.", nil)
        case .databaseDamaged:
            (
                "The database '{file}' is damaged: {detail}",
                "Stop the service and restore the last good backup: 'posthorn restore FILE --data FOLDER --replace' keeps this database in "
                    + "a folder beside it. Without a backup, 'sqlite3 FILE .recover' saves what can be read."
            )
        case .databaseUnchecked: ("The database could not be checked: {detail}", nil)
        case .apnsUnused: ("APNs ({environment}) is not used by any app.", nil)
        case .apnsReached: ("APNs ({environment}) can be reached.", nil)
        case .apnsUnreachable:
            (
                "APNs ({environment}) cannot be reached.",
                "Let this machine connect to the endpoint: TCP 443, or apns.host and its ports. The log has "
                    + "the address and the error."
            )
        case .queueUnknown: ("The store does not tell which pushes are due: {detail}", nil)
        case .queueLate:
            (
                "The oldest push that is due has waited for {seconds} seconds.",
                "Look at push.service.lanes.lag and push.service.notifications at /metrics: APNs may be slow "
                    + "or refuse."
            )
        case .queuePaused:
            (
                "Lanes that wait for an app's credential: {count}.",
                "'posthorn doctor --app' of these apps says what is wrong with it; 'posthorn credential list'"
                    + " shows all."
            )
        case .queueRight: ("No push that is due waits longer than {seconds} seconds.", nil)
        case .diskUnknown: ("The free space on the disk is not known.", nil)
        case .diskShort:
            (
                "The disk of the data folder has {mebibytes} MiB free.",
                "Free space on the disk, or shorten retention.messages: on a full disk pushes are answered "
                    + "with 503."
            )
        case .diskRight: ("The disk of the data folder has {mebibytes} MiB free.", nil)
        case .filesFew:
            (
                "{files} files may be open, which is too few for {connections} connections.",
                "Raise the limit with LimitNOFILE= or 'ulimit -Hn', or set http.connections lower."
            )
        case .filesRight: ("{files} files may be open, and {connections} connections are accepted.", nil)
        case .fileReadable:
            (
                "'{path}' has mode {mode}, which lets others than its owner at it; 'chmod {wanted}' keeps "
                    + "them out.",
                "Change the mode. If others have used this machine, change master secrets and keys too."
            )
        case .filesReadable: ("Others can open {count} more.", nil)
        case .filesPrivate: ("Only the service's user can read its secrets.", nil)
        case .tlsLocal: ("The API speaks plain HTTP on the loopback alone.", nil)
        case .tlsMissing:
            (
                "The API speaks plain HTTP on {host}: master secrets and pushes can be read in transit.",
                "Set http.cert and http.key, or listen on 127.0.0.1 behind a proxy with TLS."
            )
        case .tlsExpired: ("The certificate expired on {date}.", Self.toRenewFiles)
        case .tlsEnding: ("The API speaks HTTPS; its certificate ends on {date}, in {days}.", Self.toRenewFiles)
        case .tlsRight: ("The API speaks HTTPS; its certificate ends on {date}, in {days}.", nil)
        // A store in PostgreSQL.
        case .postgresAway:
            (
                "PostgreSQL is not available: {detail}.",
                "Start the server, or correct the setting 'store'. Nodes go on by themselves when it answers."
            )
        case .postgresSilent: ("The server did not answer the questions about it: {detail}.", nil)
        case .postgresOld: ("The server is PostgreSQL {version}.", "Upgrade it to PostgreSQL 15 or newer.")
        case .postgresEncoding:
            (
                "The database has the encoding {encoding}, which has not all characters of pushes and tags.",
                "Create a database with ENCODING 'UTF8', and move the data there with pg_dump."
            )
        case .postgresVersion: ("The server is PostgreSQL {version}.", nil)
        case .postgresFsyncOff:
            (
                "fsync is off: a crash of the server's machine can destroy the database.",
                "Set fsync = on in postgresql.conf and restart the server."
            )
        case .postgresPartialPages:
            (
                "full_page_writes is off: a crash of the server's machine can damage pages of the database.",
                "Set full_page_writes = on in postgresql.conf and reload the server, unless its file system "
                    + "writes pages as a whole."
            )
        case .postgresCommitOff:
            (
                "synchronous_commit is off: pushes that were answered with 200 can be lost in a crash of the "
                    + "server.", "Set synchronous_commit = on for the server, the database and the role of the service."
            )
        case .postgresCommitLocal:
            (
                "synchronous_commit is {setting}: a commit does not wait until a standby has it on disk.",
                "Set synchronous_commit = on if the standby is to take over without loss."
            )
        case .postgresDurable: ("Commits are on disk (synchronous_commit = {setting}, fsync = on).", nil)
        case .postgresNoStandby:
            (
                "The server has no standby: if its disk is lost, so is the data since the last backup.",
                Self.toNameStandby
            )
        case .postgresStandbyNotAwaited:
            (
                "The server waits for no standby: the newest commits are lost if a standby takes over.",
                Self.toNameStandby
            )
        case .postgresStandbyUnseen:
            (
                "Commits wait for {names}; the role may not see whether it is connected.",
                "GRANT pg_monitor to the role of the service."
            )
        case .postgresStandbyAway:
            (
                "Commits wait for {names}, and no synchronous standby is connected: pushes are not answered.",
                "Start the standby, or remove it from synchronous_standby_names and reload the server."
            )
        case .postgresStandby: ("Commits wait for {names}; {count} connected.", nil)
        case .postgresClockRight: ("The clocks of the server and of this machine agree.", nil)
        case .postgresClockAhead:
            (
                "The server's clock is {seconds} seconds ahead of this machine's. Pushes and schedules follow"
                    + " the server's, certificates and provider tokens the machine's.", Self.toSynchronise
            )
        case .postgresClockBehind:
            (
                "The server's clock is {seconds} seconds behind this machine's. Pushes and schedules follow "
                    + "the server's, certificates and provider tokens the machine's.", Self.toSynchronise
            )
        case .postgresConnectionsFew:
            (
                "Connections that the nodes ({nodes}) need at most: {needed}; the server has {left} for them:"
                    + " requests get 503 when they are used up.",
                "Raise max_connections (and the limits of the role and the database), set "
                    + "postgres.connections lower, or run fewer nodes."
            )
        case .postgresConnectionsShort:
            (
                "Connections that the nodes ({nodes}) need at most: {needed}; the server has {left} for them:"
                    + " too few for one more node, as during an upgrade.", "Raise max_connections by {missing} or more."
            )
        case .postgresConnections:
            ("Connections that the nodes ({nodes}) need at most: {needed}; the server has {left} for them.", nil)
        case .postgresSchema: ("The tables have the version of this program, {known}.", nil)
        case .postgresSchemaOlder:
            (
                "The tables have version {version}, and this program has {known}.",
                "They are migrated when 'posthorn serve' starts."
            )
        case .postgresSchemaNewer:
            (
                "The tables have version {version} of a newer program; this one knows {known}.",
                "Finish the upgrade: restart this node with the newer program."
            )
        case .postgresForbidden:
            (
                "The role may not read and change {tables}.",
                "GRANT SELECT, INSERT, UPDATE, DELETE on these tables, and TRUNCATE on usedcid0 and usedcid1,"
                    + " or make the role their owner."
            )
        case .postgresMayNotCreate:
            (
                "The role may not create tables: an upgrade that changes them does not start.",
                "GRANT CREATE on the schema to the role, at least during upgrades."
            )
        case .postgresPrivileges: ("The role may read, change and migrate the tables.", nil)
        case .postgresPrivate: ("The connection is encrypted, or stays on this machine.", nil)
        case .postgresReadable:
            (
                "The connection to the server is not encrypted: pushes and device tokens can be read in "
                    + "transit.", "Add sslmode=verify-full (and sslrootcert=FILE) to the URL of the store."
            )
        // Refusals of a key or certificate.
        case .credentialMissing:
            (
                "The credential is missing; expected either 'p8' with 'key_id' and 'team_id', or "
                    + "'certificate'.", nil
            )
        case .p8Unusable: ("The p8 key cannot be used: {detail}.", nil)
        case .fileUnreadable: ("{detail}", nil)
        case .filePasswordWrong: ("{detail}", nil)
        case .fileKeyMissing: ("{detail}", nil)
        case .fileCertificateMissing: ("{detail}", nil)
        case .fileKeyMismatch: ("{detail}", nil)
        case .fileNotForPushes: ("{detail}", nil)
        case .certificateForOtherApp:
            (
                "The certificate is for '{topic}', and the app's bundle id is '{bundleID}'. Choose the "
                    + "certificate of this app, or the app of this certificate.", nil
            )
        case .certificateForOtherEnvironment:
            (
                "The certificate is for {other} and cannot be used for {environment}. Export the certificate "
                    + "for {environment}, or leave the environment out.", nil
            )
        case .certificateOver:
            ("The certificate expired on {date}. Issue a new one; device tokens stay as they are.", nil)
        case .certificateNotYetValid:
            ("The certificate is not valid before {date}. Check this machine's clock, which says {now}.", nil)
        case .keyForBothEnvironments: ("A p8 key is for both environments; remove it without 'environment'.", nil)
        case .noSuchCredential:
            ("The app '{app}' has no such credential; 'posthorn credential show {app}' shows what it has.", nil)
        case .tooManyUploads: ("Too many certificates are being read; upload it again in {seconds} seconds.", nil)
        // Other refusals of operations.
        case .parameter: ("Key '{key}' is {found}; expected {expected}.", nil)
        case .document: ("The document is {found}; expected {expected}.", nil)
        case .quietHours:
            (
                "The quiet hours from '{from}' to '{to}' in the zone '{zone}' are not valid; expected two "
                    + "different times of day such as 22:00, and an IANA zone such as Asia/Shanghai.", nil
            )
        case .nameEmpty: ("Key 'name' is empty; expected a name.", nil)
        case .nameControl:
            ("The name has the character {character}, which controls how text is shown; leave it out.", nil)
        case .passwordLength: ("The password has {bytes} bytes; expected {least} to {most}.", nil)
        case .bodyNotJSON: ("The body is not JSON: {detail}.", nil)
        case .textWithNUL: ("The request has a text with the character U+0000; leave it out.", nil)
        case .unknownOperation:
            (
                "This service has no operation '{name}'. If a command sent it, the service is older than the "
                    + "command: restart it with the command's version.", nil
            )
        case .userUnknown: ("There is no user '{name}'; 'posthorn user list' shows all.", nil)
        case .usersExist: ("There are users already; an administrator creates others.", nil)
        case .userExists: ("There is a user '{name}' already; 'posthorn user set' changes it.", nil)
        case .userLastAdministrator:
            (
                "'{name}' is the only administrator and must stay one; give another user the role 'admin' "
                    + "first.", nil
            )
        case .userNotVerified: ("There is no user with this name and this password.", nil)
        case .appUnknown: ("There is no app '{key}'; 'posthorn app list' shows all.", nil)
        case .groupUnknown: ("There is no group '{key}'; 'posthorn group list' shows all.", nil)
        case .developerUnknown: ("There is no developer '{key}'; 'posthorn dev list' shows all.", nil)
        case .nodeUnknown: ("There is no node {number}; 'posthorn node list' shows all.", nil)
        case .storeNotShared: ("This service is alone: its store is not shared with other nodes.", nil)
        case .serviceNeeded: ("No service runs on this data folder. Start 'posthorn serve'.", nil)
        case .settingsNotHere:
            ("No service that has settings runs here; 'posthorn serve' reads them when it starts.", nil)
        case .auditNotWritten: ("The operation was carried out, but the audit log cannot be written: {detail}", nil)
        case .tooManyChanges: ("Too many changes in a minute; wait until it is over.", nil)
        case .trialTooSoon:
            ("The credentials of the app '{app}' were tried a moment ago; APNs is asked once in ten seconds.", nil)
        case .storeBusy: ("{detail}", nil)
        case .operationFailed: ("The operation failed: {detail}", nil)
        }
    }
}
