PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
INSERT INTO grdb_migrations VALUES('0.1.0');
CREATE TABLE setting (key text PRIMARY KEY NOT NULL, value BLOB NOT NULL) WITHOUT ROWID;
INSERT INTO setting VALUES('kept',X'01');
CREATE TABLE app (
    id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 65535),
    key text NOT NULL UNIQUE,
    secretHash BLOB NOT NULL,
    name text NOT NULL,
    bundleID text NOT NULL,
    environment text NOT NULL CHECK (environment IN ('development', 'production')),
    createdAt INTEGER NOT NULL,
    deletedAt INTEGER,
    -- Whether no data of the deleted app is left.
    isEmptied INTEGER NOT NULL DEFAULT false,
    -- As JSON; null if the app has none.
    quietHours text
);
INSERT INTO app VALUES(1,'aaaaaaaaaaaaaaaaaaaaaaaa',X'00','App','com.example','production',0,NULL,0,NULL);
CREATE TABLE credential (
    app INTEGER PRIMARY KEY REFERENCES app,
    keyID text NOT NULL,
    teamID text NOT NULL,
    sealedPrivateKey BLOB NOT NULL
);
INSERT INTO credential VALUES(1,'ABCDE12345','TEAM123456',X'01');
CREATE TABLE certificate (
    app INTEGER NOT NULL REFERENCES app,
    environment text NOT NULL CHECK (environment IN ('development', 'production')),
    sealed BLOB NOT NULL,
    topic text NOT NULL,
    notAfter INTEGER NOT NULL,
    fingerprint BLOB NOT NULL,
    warnedDays INTEGER,
    PRIMARY KEY (app, environment)
) WITHOUT ROWID;
INSERT INTO certificate VALUES(1,'production',X'01','t',1767225600000,X'01',NULL);
CREATE TABLE pause (
    app INTEGER NOT NULL REFERENCES app,
    environment text NOT NULL,
    reason text NOT NULL,
    detail text NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (app, environment)
) WITHOUT ROWID;
INSERT INTO pause VALUES(1,'development','noCredential','none',1767225600000);
CREATE TABLE developer (
    id INTEGER PRIMARY KEY,
    key text NOT NULL UNIQUE,
    secretHash BLOB NOT NULL,
    name text NOT NULL,
    isEnabled INTEGER NOT NULL,
    createdAt INTEGER NOT NULL
);
INSERT INTO developer VALUES(1,'d',X'00','D',1,0);
CREATE TABLE ownedApp (
    app INTEGER PRIMARY KEY REFERENCES app,
    developer INTEGER NOT NULL,
    package text NOT NULL,
    groupName text,
    sealedSecret BLOB NOT NULL
);
INSERT INTO ownedApp VALUES(1,1,'com.example',NULL,X'01');
CREATE TABLE audienceFile (
    -- The order of creation.
    number INTEGER PRIMARY KEY,
    id text NOT NULL UNIQUE,
    owner text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('alias', 'registration_id')),
    name text,
    content BLOB NOT NULL,
    createdAt INTEGER NOT NULL,
    -- Whether the caller chose how long the file is kept; only then do responses contain its end.
    tellsExpiry INTEGER NOT NULL,
    expiresAt INTEGER NOT NULL
);
INSERT INTO audienceFile VALUES(1,'f','o','alias',NULL,X'62',0,0,1767312000000);
CREATE TABLE IF NOT EXISTS "user" (
    name text PRIMARY KEY NOT NULL,
    -- 'viewer', 'sender' or 'admin'.
    role text NOT NULL,
    -- The scrypt hash with its salt and cost.
    password text NOT NULL,
    createdAt INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO user VALUES('ana','admin','$scrypt$ln=1,r=1,p=1$AA==$AA==',1767225600000);
CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    actor text NOT NULL,
    address text,
    action text NOT NULL,
    subject text,
    detail text,
    isDone INTEGER NOT NULL,
    -- The number of equal refusals, and the time of the last of several.
    count INTEGER NOT NULL DEFAULT 1,
    lastAt INTEGER
);
INSERT INTO audit VALUES(1,1767225600000,'ana',NULL,'app.create',NULL,NULL,1,1,NULL);
CREATE TABLE device (
    app INTEGER NOT NULL REFERENCES app,
    ordinal INTEGER NOT NULL CHECK (ordinal BETWEEN 0 AND 4294967295),
    installation text NOT NULL,
    secretHash BLOB NOT NULL,
    token BLOB,
    environment text NOT NULL CHECK (environment IN ('development', 'production')),
    tokenRegisteredAt INTEGER NOT NULL,
    alias text,
    tags text NOT NULL,
    badge INTEGER NOT NULL,
    system text NOT NULL,
    channel text,
    lastSeen INTEGER NOT NULL,
    version INTEGER NOT NULL,
    mobile text,
    isStopped INTEGER NOT NULL DEFAULT false,
    -- The time zone, an IANA name; null if unknown.
    zone text,
    -- The reason why APNs refused the token, if it would do so again; null for a usable token.
    tokenRefusal text,
    -- The version of the app, as its SDK sent it; null if unknown, as are the next two.
    appVersion text,
    language text,
    permission text,
    PRIMARY KEY (app, ordinal)
) WITHOUT ROWID;
INSERT INTO device VALUES(1,0,'i',X'01',X'0000000000000000000000000000000000000000000000000000000000000000','production',1767225600000,'bob','["a","b"]',4,'iOS',NULL,1767225600000,7,'123',0,NULL,NULL,NULL,'en','authorized');
CREATE TABLE deviceFloor (app INTEGER PRIMARY KEY REFERENCES app, ordinal INTEGER NOT NULL, days INTEGER NOT NULL);
INSERT INTO deviceFloor VALUES(1,0,255);
CREATE TABLE tag (
    app INTEGER NOT NULL REFERENCES app,
    name text NOT NULL,
    PRIMARY KEY (app, name)
) WITHOUT ROWID;
INSERT INTO tag VALUES(1,'a');
CREATE TABLE importedID (
    app INTEGER NOT NULL REFERENCES app,
    id text NOT NULL,
    ordinal INTEGER NOT NULL,
    -- Whether the service uses this id as the device's name.
    isName INTEGER NOT NULL,
    PRIMARY KEY (app, id)
) WITHOUT ROWID;
INSERT INTO importedID VALUES(1,'f0',0,0);
CREATE TABLE channelToken (
    app INTEGER NOT NULL REFERENCES app,
    ordinal INTEGER NOT NULL,
    channel text NOT NULL CHECK (channel IN ('voip', 'activity', 'activityStart')),
    -- The id of the Live Activity, or its attributes type; empty for VoIP.
    name text NOT NULL,
    token BLOB NOT NULL,
    environment text NOT NULL CHECK (environment IN ('development', 'production')),
    at INTEGER NOT NULL,
    PRIMARY KEY (app, ordinal, channel, name)
) WITHOUT ROWID;
INSERT INTO channelToken VALUES(1,0,'voip','',X'01','production',1767225600000);
CREATE TABLE message (
    id INTEGER PRIMARY KEY,
    app INTEGER NOT NULL REFERENCES app,
    acceptedAt INTEGER NOT NULL,
    body BLOB NOT NULL,
    environment text NOT NULL,
    timeToLive INTEGER NOT NULL,
    sendno INTEGER NOT NULL,
    cid text,
    -- The ordinals of the only chunk until it is leased; null for all other messages.
    unstarted BLOB,
    -- Four times the app's number, plus two for production, plus one for pushes to many devices.
    lane INTEGER NOT NULL DEFAULT 0,
    -- Null for a single message. Otherwise the row represents all messages from its id through this one.
    lastID INTEGER,
    -- The number of chunks at acceptance. The numbers of chunks of a kind ascend with their devices; chunks split off later have
    -- higher numbers. Null: all of them.
    chunkCount INTEGER,
    -- The id of the request that contained the push or the batch; null for pushes of the service itself.
    requestID text,
    -- Its context in a distributed trace, as a JSON object of strings; null if it has none.
    trace text
);
INSERT INTO message VALUES(7,1,1767225600000,X'7b22706c6174666f726d223a5b22696f73225d2c2261756469656e6365223a7b22616c696173223a5b22626f62225d7d2c226e6f74696669636174696f6e223a7b22696f73223a7b22616c657274223a22476f6f64206d6f726e696e67227d7d2c226f7074696f6e73223a7b2261706e735f70726f64756374696f6e223a747275657d7d','production',86400,3,'c',NULL,6,NULL,1,NULL,NULL);
CREATE TABLE batch (
    first INTEGER PRIMARY KEY,
    acceptedAt INTEGER NOT NULL,
    -- The number of pushes: fewer than ids if one of them repeated an earlier one.
    count INTEGER NOT NULL,
    -- The kind of the targets.
    kind text NOT NULL CHECK (kind IN ('registration_id', 'alias')),
    -- Ids, sendnos and cids.
    names BLOB NOT NULL,
    -- The pushes as the caller wrote them.
    texts BLOB NOT NULL
);
INSERT INTO batch VALUES(1,0,0,'alias',X'',X'');
CREATE TABLE cid (
    app INTEGER NOT NULL REFERENCES app,
    cid text NOT NULL,
    message INTEGER NOT NULL,
    sendno INTEGER NOT NULL,
    usedAt INTEGER NOT NULL,
    PRIMARY KEY (app, cid)
) WITHOUT ROWID;
INSERT INTO cid VALUES(1,'c',7,3,1767225600000);
CREATE TABLE voipPush (message INTEGER PRIMARY KEY, voip INTEGER NOT NULL UNIQUE);
INSERT INTO voipPush VALUES(7,7);
CREATE TABLE chunk (
    message INTEGER NOT NULL REFERENCES message,
    number INTEGER NOT NULL,
    app INTEGER NOT NULL,
    kind text NOT NULL,
    ordinals BLOB NOT NULL,
    firstOrdinal INTEGER NOT NULL,
    lastOrdinal INTEGER NOT NULL,
    isPaced INTEGER NOT NULL,
    dueAt INTEGER NOT NULL,
    isDone INTEGER NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0,
    cursor INTEGER NOT NULL DEFAULT 0,
    prepared INTEGER NOT NULL DEFAULT 0,
    sent BLOB NOT NULL DEFAULT x'',
    settled BLOB NOT NULL DEFAULT x'',
    problem text,
    updatedAt INTEGER NOT NULL,
    -- As in message.
    lane INTEGER NOT NULL DEFAULT 0,
    -- Null for a chunk that no worker has leased.
    leaseOwner INTEGER,
    leasedUntil INTEGER,
    -- Grows with each lease.
    fence INTEGER NOT NULL DEFAULT 0,
    -- In a retry, the number of the chunk that its devices came from.
    origin INTEGER,
    -- The places whose devices were handed to retries.
    deferred BLOB NOT NULL DEFAULT x'',
    PRIMARY KEY (message, number)
) WITHOUT ROWID;
INSERT INTO chunk VALUES(7,0,1,'send',X'00',0,0,0,1767225600000,0,0,0,0,X'',X'',NULL,1767225600000,6,NULL,NULL,0,NULL,X'');
CREATE TABLE stepEvent (
    number INTEGER PRIMARY KEY,
    message INTEGER NOT NULL,
    at INTEGER NOT NULL,
    event text NOT NULL,
    firstOrdinal INTEGER NOT NULL,
    lastOrdinal INTEGER NOT NULL,
    ordinals BLOB NOT NULL
);
INSERT INTO stepEvent VALUES(1,7,1767225600000,'delivered',0,0,X'00');
CREATE TABLE journeyEvent (
    number INTEGER PRIMARY KEY,
    message INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    at INTEGER NOT NULL,
    event text NOT NULL
);
INSERT INTO journeyEvent VALUES(1,7,0,1767225600000,'delivered');
CREATE TABLE appGroup (
    id INTEGER PRIMARY KEY,
    key text NOT NULL UNIQUE,
    secretHash BLOB NOT NULL,
    name text NOT NULL,
    createdAt INTEGER NOT NULL
);
INSERT INTO appGroup VALUES(1,'g',X'00','G',0);
CREATE TABLE appGroupMember (
    appGroup INTEGER NOT NULL REFERENCES appGroup ON DELETE CASCADE,
    app INTEGER NOT NULL REFERENCES app ON DELETE CASCADE,
    PRIMARY KEY (appGroup, app)
) WITHOUT ROWID;
INSERT INTO appGroupMember VALUES(1,1);
CREATE TABLE groupPush (
    id text PRIMARY KEY NOT NULL,
    appGroup INTEGER NOT NULL,
    cid text,
    acceptedAt INTEGER NOT NULL,
    answer text NOT NULL
) WITHOUT ROWID;
INSERT INTO groupPush VALUES('p',1,NULL,1767225600000,'{}');
CREATE TABLE groupPushMessage (
    groupPush text NOT NULL REFERENCES groupPush ON DELETE CASCADE,
    app INTEGER NOT NULL,
    message INTEGER NOT NULL,
    PRIMARY KEY (groupPush, app)
) WITHOUT ROWID;
INSERT INTO groupPushMessage VALUES('p',1,7);
CREATE TABLE broadcast (
    app INTEGER NOT NULL REFERENCES app,
    day INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (app, day)
) WITHOUT ROWID;
INSERT INTO broadcast VALUES(1,20000,1);
CREATE TABLE chunkReport (
    message INTEGER NOT NULL,
    number INTEGER NOT NULL,
    received BLOB NOT NULL,
    displayed BLOB NOT NULL,
    clicked BLOB NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (message, number)
) WITHOUT ROWID;
INSERT INTO chunkReport VALUES(7,0,X'01',X'',X'',1767225600000);
CREATE TABLE deviceUse (
    app INTEGER NOT NULL REFERENCES app,
    unit text NOT NULL CHECK (unit IN ('HOUR', 'DAY', 'MONTH')),
    time text NOT NULL,
    measure text NOT NULL CHECK (measure IN ('new', 'online', 'active')),
    page INTEGER NOT NULL,
    devices BLOB NOT NULL,
    PRIMARY KEY (app, unit, time, measure, page)
) WITHOUT ROWID;
INSERT INTO deviceUse VALUES(1,'DAY','2026-01-01','new',0,X'01');
CREATE TABLE deviceUseCount (
    app INTEGER NOT NULL REFERENCES app,
    unit text NOT NULL,
    time text NOT NULL,
    measure text NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (app, unit, time, measure)
) WITHOUT ROWID;
INSERT INTO deviceUseCount VALUES(1,'DAY','2025-12-31','new',1);
CREATE TABLE deletedMessage (
    app INTEGER NOT NULL REFERENCES app,
    page INTEGER NOT NULL,
    numbers BLOB NOT NULL,
    days INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (app, page)
) WITHOUT ROWID;
INSERT INTO deletedMessage VALUES(1,0,X'01',31,1767225600000);
CREATE TABLE schedule (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id text NOT NULL UNIQUE,
    app INTEGER NOT NULL REFERENCES app,
    name text NOT NULL,
    isEnabled INTEGER NOT NULL,
    trigger text NOT NULL,
    push BLOB NOT NULL,
    createdAt INTEGER NOT NULL,
    -- Null if no firing is to come.
    dueAt INTEGER,
    version INTEGER NOT NULL,
    -- The date of the last firing; null while another is to come.
    endedAt INTEGER
);
INSERT INTO schedule VALUES(1,'s',1,'S',0,'{}',X'7b7d',1767225600000,NULL,1,NULL);
CREATE TABLE scheduleCID (
    app INTEGER NOT NULL REFERENCES app,
    cid text NOT NULL,
    schedule text NOT NULL,
    name text NOT NULL,
    usedAt INTEGER NOT NULL,
    PRIMARY KEY (app, cid)
) WITHOUT ROWID;
INSERT INTO scheduleCID VALUES(1,'sc','s','S',1767225600000);
CREATE TABLE scheduleFiring (
    schedule text NOT NULL,
    dueAt INTEGER NOT NULL,
    at INTEGER NOT NULL,
    message INTEGER,
    errorStatus INTEGER,
    errorCode INTEGER,
    errorText text,
    PRIMARY KEY (schedule, dueAt)
) WITHOUT ROWID;
INSERT INTO scheduleFiring VALUES('s',1767225600000,1767225600000,7,NULL,NULL,NULL);
CREATE TABLE customMessage (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    app INTEGER NOT NULL REFERENCES app,
    message INTEGER NOT NULL UNIQUE,
    expiresAt INTEGER NOT NULL,
    -- The only device of the audience; null if it has several.
    onlyOrdinal INTEGER
);
INSERT INTO customMessage VALUES(1,1,7,1767225600000,0);
CREATE TABLE messageCursor (
    app INTEGER NOT NULL REFERENCES app,
    ordinal INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (app, ordinal)
) WITHOUT ROWID;
INSERT INTO messageCursor VALUES(1,0,1);
CREATE TABLE callbackReceiver (
    id INTEGER PRIMARY KEY,
    app INTEGER NOT NULL,
    -- Scheme, host and port of its addresses.
    name text NOT NULL,
    -- The number of lots that have failed since the last that did not, and ever.
    failures INTEGER NOT NULL DEFAULT 0,
    failed INTEGER NOT NULL DEFAULT 0,
    -- The last failure of those.
    problem text,
    -- The time from which its events are delivered; null if none of them is counted.
    dueAt INTEGER,
    UNIQUE (app, name)
);
INSERT INTO callbackReceiver VALUES(1,1,'https://x',0,0,NULL,NULL);
CREATE TABLE callback (
    message INTEGER PRIMARY KEY,
    app INTEGER NOT NULL,
    -- The push as its sender knows it: for a VoIP push beside a notification, the message of the notification.
    origin INTEGER NOT NULL,
    isVoIP INTEGER NOT NULL,
    url text NOT NULL,
    params text NOT NULL,
    kinds INTEGER NOT NULL,
    -- The numbers of events that the address has taken, and that were given up.
    delivered INTEGER NOT NULL DEFAULT 0,
    lost INTEGER NOT NULL DEFAULT 0,
    problem text,
    receiver INTEGER NOT NULL
);
INSERT INTO callback VALUES(7,1,7,0,'https://x','{}',15,0,0,NULL,1);
CREATE TABLE callbackEvent (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    message INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    part text NOT NULL,
    at INTEGER NOT NULL,
    ordinals BLOB NOT NULL,
    receiver INTEGER NOT NULL,
    -- Null until the row is counted.
    dueAt INTEGER,
    -- The receiver's failures when the row was counted, less those of the row alone.
    failedBefore INTEGER NOT NULL DEFAULT 0
);
INSERT INTO callbackEvent VALUES(1,7,8,'notification',0,X'00',1,1767312000000,0);
CREATE TABLE callbackCount (app INTEGER PRIMARY KEY, waiting INTEGER NOT NULL);
INSERT INTO callbackCount VALUES(1,1);
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('audit',1);
INSERT INTO sqlite_sequence VALUES('schedule',1);
INSERT INTO sqlite_sequence VALUES('customMessage',1);
INSERT INTO sqlite_sequence VALUES('callbackEvent',1);
CREATE INDEX appDeleted ON app (id) WHERE deletedAt IS NOT NULL AND NOT isEmptied;
CREATE INDEX ownedAppPackage ON ownedApp (developer, package);
CREATE INDEX audienceFileOwner ON audienceFile (owner, createdAt, number);
CREATE INDEX audienceFileExpiry ON audienceFile (expiresAt);
CREATE INDEX auditRefusal ON audit (actor, at) WHERE NOT isDone;
CREATE UNIQUE INDEX deviceInstallation ON device (app, installation);
CREATE INDEX deviceTokenRefusal ON device (app, ordinal) WHERE tokenRefusal IS NOT NULL;
CREATE INDEX importedIDOfDevice ON importedID (app, ordinal);
CREATE INDEX channelTokenOfName ON channelToken (app, channel, name, ordinal, environment);
CREATE INDEX chunkWaiting ON chunk (lane, dueAt, message, number) WHERE NOT isDone AND leaseOwner IS NULL;
CREATE INDEX chunkLeased ON chunk (lane, leaseOwner) WHERE NOT isDone AND leaseOwner IS NOT NULL;
CREATE INDEX chunkPaced ON chunk (app, message) WHERE NOT isDone AND isPaced;
CREATE INDEX chunkPlace ON chunk (message, kind, firstOrdinal, lastOrdinal) WHERE number > 0;
CREATE VIEW unstartedChunk AS
SELECT id AS message, 0 AS number, app, 'send' AS kind, unstarted AS ordinals, 0 AS firstOrdinal,
    4294967295 AS lastOrdinal, false AS isPaced, acceptedAt AS dueAt, false AS isDone, 0 AS attempt, 0 AS cursor,
    0 AS prepared, x'' AS sent, x'' AS settled, NULL AS problem, acceptedAt AS updatedAt, lane,
    NULL AS leaseOwner, NULL AS leasedUntil, 0 AS fence, NULL AS origin, x'' AS deferred
FROM message WHERE unstarted IS NOT NULL;
CREATE VIEW anyChunk AS SELECT * FROM chunk UNION ALL SELECT * FROM unstartedChunk;
CREATE INDEX stepEventOfMessage ON stepEvent (message, firstOrdinal);
CREATE INDEX groupPushCID ON groupPush (appGroup, cid) WHERE cid IS NOT NULL;
CREATE INDEX groupPushAccepted ON groupPush (acceptedAt);
CREATE INDEX deviceUseCountTime ON deviceUseCount (unit, time);
CREATE INDEX deletedMessageAt ON deletedMessage (at);
CREATE INDEX scheduleDue ON schedule (dueAt, number) WHERE dueAt IS NOT NULL;
CREATE INDEX scheduleOfApp ON schedule (app, number) WHERE dueAt IS NOT NULL;
CREATE INDEX scheduleEnded ON schedule (endedAt) WHERE endedAt IS NOT NULL;
CREATE INDEX scheduleEndedOfApp ON schedule (app) WHERE endedAt IS NOT NULL;
CREATE INDEX scheduleCIDUsed ON scheduleCID (usedAt);
CREATE INDEX customMessageOfDevice ON customMessage (app, onlyOrdinal, position) WHERE onlyOrdinal IS NOT NULL;
CREATE INDEX customMessageOfMany ON customMessage (app, position) WHERE onlyOrdinal IS NULL;
CREATE INDEX customMessageExpiry ON customMessage (expiresAt);
CREATE INDEX callbackReceiverDue ON callbackReceiver (app, dueAt) WHERE dueAt IS NOT NULL;
CREATE INDEX callbackOfOrigin ON callback (origin);
CREATE INDEX callbackOfReceiver ON callback (receiver);
CREATE INDEX callbackEventNew ON callbackEvent (number) WHERE dueAt IS NULL;
CREATE INDEX callbackEventOfReceiver ON callbackEvent (receiver, dueAt, number) WHERE dueAt IS NOT NULL;
CREATE INDEX callbackEventAge ON callbackEvent (receiver, failedBefore) WHERE dueAt IS NOT NULL;
CREATE INDEX callbackEventOfMessage ON callbackEvent (message);
CREATE UNIQUE INDEX journeyEventOnce ON journeyEvent (message, ordinal, event);
CREATE INDEX messageUnstarted ON message (lane, acceptedAt) WHERE unstarted IS NOT NULL;
CREATE INDEX batchAccepted ON batch (acceptedAt);
CREATE TRIGGER deviceGone AFTER DELETE ON device
BEGIN
    DELETE FROM importedID WHERE app = OLD.app AND ordinal = OLD.ordinal;
    DELETE FROM channelToken WHERE app = OLD.app AND ordinal = OLD.ordinal;
    DELETE FROM messageCursor WHERE app = OLD.app AND ordinal = OLD.ordinal;
END;
COMMIT;
