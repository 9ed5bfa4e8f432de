import ArgumentParser
import Foundation
import PosthornStack
import PushModel
import PushStoreSQLite

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Writes a backup of a service's data to one file, also while the service runs.",
        discussion: """
            The file has the database and the secret of one moment: the beginning. It is checked before it appears. Keep it like a \
            password: with it, anyone can send pushes to your apps. 'posthorn restore' restores it.
            """
    )

    @Option(help: "Path of the backup (posthorn-DATE-TIME.backup in this folder).") var to: String?
    @Option(help: "The service's data folder.") var data = "posthorn-data"
    @Flag(help: "Print as JSON.") var json = false

    func run() async throws {
        if let store = DataFolder.store(of: data) {
            throw ValidationError(
                "The service on '\(data)' keeps its data in \(store). Back that up with pg_dump, and secret.key with it."
            )
        }
        let database = DataFolder.path(of: "posthorn.sqlite", in: data)
        try require(
            FileManager.default.fileExists(atPath: database),
            "There is no posthorn.sqlite in '\(data)'; expected the data folder of a service. Give it with --data."
        )
        let now = Date()
        let style = Date.VerbatimFormatStyle(
            format:
                "\(year: .defaultDigits)\(month: .twoDigits)\(day: .twoDigits)-\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased))\(minute: .twoDigits)\(second: .twoDigits)",
            timeZone: .gmt,
            calendar: Calendar(identifier: .gregorian)
        )
        let file = to ?? "posthorn-\(now.formatted(style)).backup"
        let secret = try DataFolder.existingSecret(in: data)
        let bar = ProgressBar(isQuiet: json)
        defer { bar.clear() }
        let facts = try StoreBackup.write(database: database, secret: secret, to: file, notedIn: data, at: now) {
            state in
            bar.show(state.done, of: state.all)
            // The copy is checked next, which reports no progress.
            if state.done == state.all { bar.show(step: "checking") }
        }
        bar.clear()
        printBackup(facts, file: file, "Backed up to \(file)", json: json)
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restores a service's data from a file that 'posthorn backup' has written.",
        discussion: """
            No service may run on the data folder. A database that is there stays as it is, unless --replace moves it aside. Devices \
            keep working: registration ids and secrets are those of the backup. What was changed after the backup is not in it.
            """
    )

    @Argument(help: "Path of the backup.") var file: String
    @Option(help: "The data folder to restore to; created if it is not there.") var data = "posthorn-data"

    @Flag(help: "Move a database and a secret that are there to a folder 'before-restore-…' beside them.")
    var replace = false

    @Flag(help: "Only check the backup, and print what is in it.") var check = false
    @Flag(help: "Print as JSON.") var json = false

    func run() async throws {
        let bar = ProgressBar(isQuiet: json)
        let (facts, secret) = try checked(bar)
        guard !check else { return printBackup(facts, file: file, "The backup is whole", json: json) }
        // Held until the end, so that no service starts meanwhile.
        let folder = try DataFolder(data)
        let database = folder.file("posthorn.sqlite")
        let isThere = folder.hasDatabase(besides: secret)
        try require(
            replace || !isThere,
            "There is a database or another secret in '\(data)' already. --replace moves it aside; or give another --data."
        )
        // Written beside the earlier database, which stays in use until this one is complete.
        do {
            defer { bar.clear() }
            try StoreBackup.extract(file, to: folder.restored) { state in bar.show(state.done, of: state.all) }
        }
        if isThere {
            // A database that is closed properly has no log beside it; a damaged one is moved as it is.
            try? StoreBackup.emptyLog(of: database)
            let aside = try folder.setDatabaseAside(at: Date())
            printNote("The earlier database is in \(aside).")
        }
        try folder.endRestore(secret: secret)
        printBackup(facts, file: file, "Restored to \(folder.path)", json: json)
        withExtendedLifetime(folder) {}
    }

    /// Checks and reads the backup, which takes a while if it is large.
    private func checked(_ bar: ProgressBar) throws -> (StoreBackup.Facts, secret: [UInt8]) {
        bar.show(step: "checking")
        defer { bar.clear() }
        return try StoreBackup.read(file)
    }
}

private func printBackup(_ facts: StoreBackup.Facts, file: String, _ headline: String, json: Bool) {
    guard !json else {
        return printJSON([
            "file": file, "taken_at": facts.takenAt, "apps": facts.apps,
            "devices": facts.devices, "pushes": facts.pushes, "bytes": facts.bytes,
        ])
    }
    let parts = [(facts.apps, "app"), (facts.devices, "device"), (facts.pushes, "push")].map { counted($0, $1) }
    printLine("\(headline): \(parts.joined(separator: ", ")), \(counted(facts.bytes, "byte"))")
    printLine("Data of \(facts.takenAt.formatted(.iso8601))")
}
