import Foundation

/// The desktop entries of the machine's apps.
package struct DesktopEntries: Sendable {
    private let environment: DesktopEnvironment

    package init(_ environment: DesktopEnvironment) { self.environment = environment }

    /// Describes an app by its desktop entry: the one named like its bundle id, then one that starts its program, then one whose
    /// `StartupWMClass` is the program's name.
    ///
    /// - Parameters:
    ///   - bundleID: the app's bundle id.
    ///   - program: the path of its executable; empty if it is not known.
    /// - Returns: the app; without an entry it has the program's name, no icon, and is started by the program's path.
    package func app(_ bundleID: String, program: String) -> AppEntry {
        let name = (program as NSString).lastPathComponent
        guard let found = find(bundleID: bundleID, program: program) else {
            var app = AppEntry(bundleID: bundleID, name: name.isEmpty ? bundleID : name)
            app.command = program.isEmpty ? [] : [program]
            return app
        }
        var app = AppEntry(bundleID: bundleID, name: found.file.text("Name", locale: environment.locale) ?? name)
        app.desktopEntry = found.id
        app.icon = found.file["Icon"] ?? ""
        app.command = found.file.command
        return app
    }

    /// - Parameter program: the path of an executable.
    /// - Returns: the id of the desktop entry that starts it; nil if there is none.
    package func identifier(of program: String) -> String? { find(bundleID: nil, program: program)?.id }

    private typealias Found = (id: String, file: DesktopEntryFile)

    private func find(bundleID: String?, program: String) -> Found? {
        if let bundleID, let entry = named(bundleID) { return entry }
        guard !program.isEmpty else { return nil }
        let all = self.all
        let name = (program as NSString).lastPathComponent
        return all.first { starts($0.file, program) } ?? all.first { $0.file["StartupWMClass"] == name }
    }

    private func starts(_ file: DesktopEntryFile, _ program: String) -> Bool {
        guard let first = file.command.first else { return false }
        guard first.hasPrefix("/") else { return first == (program as NSString).lastPathComponent }
        // The kernel's path of a running program has no symbolic links.
        return first == program || URL(fileURLWithPath: first).resolvingSymlinksInPath().path == program
    }

    private var folders: [URL] { environment.dataFolders.map { $0.appendingPathComponent("applications") } }

    private func named(_ id: String) -> Found? {
        guard !id.contains("/") else { return nil }
        for folder in folders {
            if let entry = read(folder.appendingPathComponent("\(id).desktop").path, id) { return entry }
        }
        return nil
    }

    /// All entries of apps, without those in folders of their own.
    private var all: [Found] {
        var seen: Set<String> = []
        var all: [Found] = []
        for folder in folders {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            for name in names.sorted() where name.hasSuffix(".desktop") && seen.insert(name).inserted {
                let path = folder.appendingPathComponent(name).path
                if let entry = read(path, String(name.dropLast(".desktop".count))) { all.append(entry) }
            }
        }
        return all
    }

    private func read(_ path: String, _ id: String) -> Found? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let file = DesktopEntryFile(text)
        return file.isApplication ? (id, file) : nil
    }
}

/// An app as the desktop knows it.
package struct AppEntry: Hashable, Sendable, Codable {
    /// The app's bundle id.
    package var bundleID: String
    /// The name of the desktop entry's file, without its extension; nil if the app has none.
    package var desktopEntry: String?
    /// The name that notifications show.
    package var name: String
    /// The name of an icon of the theme, or a path; empty for none.
    package var icon = ""
    /// The program and its arguments, for a tap while the app does not run; empty if it cannot be started.
    package var command: [String] = []

    package init(bundleID: String, name: String) {
        self.bundleID = bundleID
        self.name = name
    }
}
