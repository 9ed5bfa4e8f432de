import GRDB

extension Schema {
    /// "5 reports, developers and retention".
    static func reports(_ database: Database) throws {
        try database.execute(
            sql: """
                -- The reports of devices: one bit for each, at the device's place in the chunk.
                CREATE TABLE chunkReport (
                    message INTEGER NOT NULL,
                    number INTEGER NOT NULL,
                    received BLOB NOT NULL,
                    displayed BLOB NOT NULL,
                    clicked BLOB NOT NULL,
                    at INTEGER NOT NULL,
                    PRIMARY KEY (message, number)
                ) WITHOUT ROWID;

                -- The devices in use in a period that has not ended: one bit per device, 4096 per row.
                CREATE TABLE deviceUse (
                    app INTEGER NOT NULL REFERENCES app,
                    unit TEXT NOT NULL CHECK (unit IN ('HOUR', 'DAY', 'MONTH')),
                    time TEXT NOT NULL,
                    measure TEXT NOT NULL CHECK (measure IN ('new', 'online', 'active')),
                    page INTEGER NOT NULL,
                    devices BLOB NOT NULL,
                    PRIMARY KEY (app, unit, time, measure, page)
                ) WITHOUT ROWID;

                -- The number of devices in use in a period that has ended.
                CREATE TABLE deviceUseCount (
                    app INTEGER NOT NULL REFERENCES app,
                    unit TEXT NOT NULL,
                    time TEXT NOT NULL,
                    measure TEXT NOT NULL,
                    count INTEGER NOT NULL,
                    PRIMARY KEY (app, unit, time, measure)
                ) WITHOUT ROWID;

                -- All ordinals of an app below this one have been assigned; their devices may have been deleted since.
                CREATE TABLE deviceFloor (
                    app INTEGER PRIMARY KEY REFERENCES app,
                    ordinal INTEGER NOT NULL,
                    days INTEGER NOT NULL
                );

                -- Deleted messages, 4096 ids per row, as packed differences.
                CREATE TABLE deletedMessage (
                    app INTEGER NOT NULL REFERENCES app,
                    page INTEGER NOT NULL,
                    numbers BLOB NOT NULL,
                    days INTEGER NOT NULL,
                    at INTEGER NOT NULL,
                    PRIMARY KEY (app, page)
                ) WITHOUT ROWID;

                ALTER TABLE app ADD COLUMN deletedAt INTEGER;
                ALTER TABLE app ADD COLUMN isEmptied INTEGER NOT NULL DEFAULT 0;

                CREATE TABLE developer (
                    id INTEGER PRIMARY KEY,
                    key TEXT NOT NULL UNIQUE,
                    secretHash BLOB NOT NULL,
                    name TEXT NOT NULL,
                    isEnabled INTEGER NOT NULL,
                    createdAt INTEGER NOT NULL
                );

                CREATE TABLE ownedApp (
                    app INTEGER PRIMARY KEY REFERENCES app,
                    developer INTEGER NOT NULL REFERENCES developer,
                    package TEXT NOT NULL,
                    groupName TEXT,
                    sealedSecret BLOB NOT NULL
                );
                CREATE INDEX ownedAppPackage ON ownedApp (developer, package);

                CREATE TABLE certificate (
                    app INTEGER NOT NULL REFERENCES app,
                    environment TEXT NOT NULL CHECK (environment IN ('development', 'production')),
                    sealed BLOB NOT NULL,
                    topic TEXT NOT NULL,
                    notAfter INTEGER NOT NULL,
                    fingerprint BLOB NOT NULL,
                    warnedDays INTEGER,
                    PRIMARY KEY (app, environment)
                ) WITHOUT ROWID;
                """
        )
    }
}
