import Foundation
import SystemPort
import SystemPortDesktop
import TestSupport
import Testing

@Suite("Desktop entries and settings")
struct EntryTests {
    private static let text = """
        # a comment
        [Desktop Entry]
        Type = Application
        Name=Tea\\stimer
        Name[de]=Teeuhr
        Name[zh_CN]=茶
        Icon=tea
        Exec="/opt/tea timer/tea" --again %U "a \\\\"b\\\\"" 100%% %c
        StartupWMClass=Tea
        [Desktop Action New]
        Name=New
        Exec=other
        """

    @Test("Keys are read from their group, with locales and escapes")
    func keys() {
        let file = DesktopEntryFile(Self.text)
        #expect(file["Name"] == "Tea timer" && file["Icon"] == "tea" && file.isApplication)
        #expect(file.text("Name", locale: "de_AT.UTF-8") == "Teeuhr")
        #expect(file.text("Name", locale: "zh_CN") == "茶")
        #expect(file.text("Name", locale: "fr") == "Tea timer" && file.text("Name", locale: "") == "Tea timer")
    }

    @Test("A command has no field codes for files, and quoted words stay whole")
    func command() {
        #expect(
            DesktopEntryFile(Self.text).command == ["/opt/tea timer/tea", "--again", "a \"b\"", "100%", "Tea timer"]
        )
        #expect(DesktopEntryFile("[Desktop Entry]\nType=Application").command == [])
    }

    @Test("An app is found by its bundle id, by its program, and by its window class; the user's entry comes first")
    func find() async throws {
        try withTemporaryFolder { folder in
            let own = folder.appendingPathComponent("own")
            let shared = folder.appendingPathComponent("shared")
            func write(_ name: String, _ text: String, in data: URL) throws {
                let file = data.appendingPathComponent("applications/\(name).desktop")
                let parent = file.deletingLastPathComponent()
                try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
                try "[Desktop Entry]\nType=Application\n\(text)".write(to: file, atomically: true, encoding: .utf8)
            }
            try write("org.example.Tea", "Name=Shared\nExec=tea", in: shared)
            try write("org.example.Tea", "Name=Own\nExec=tea %f\nIcon=leaf", in: own)
            try write("coffee", "Name=Coffee\nExec=/opt/coffee", in: shared)
            try write("wrapped", "Name=Wrapped\nExec=sh -c wrapped\nStartupWMClass=cocoa", in: shared)
            let entries = DesktopEntries(
                DesktopEnvironment(["XDG_DATA_HOME": own.path, "XDG_DATA_DIRS": "relative:\(shared.path)"])
            )
            let tea = entries.app("org.example.Tea", program: "/usr/bin/anything")
            #expect(tea.name == "Own" && tea.icon == "leaf" && tea.command == ["tea"])
            #expect(tea.desktopEntry == "org.example.Tea")
            #expect(entries.identifier(of: "/usr/local/bin/tea") == "org.example.Tea")
            #expect(entries.identifier(of: "/opt/coffee") == "coffee")
            #expect(entries.identifier(of: "/elsewhere/coffee") == nil)
            #expect(entries.identifier(of: "/opt/cocoa") == "wrapped")
            let real = folder.appendingPathComponent("milk-1.0")
            let link = folder.appendingPathComponent("milk")
            try Data().write(to: real)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
            try write("milk", "Name=Milk\nExec=\(link.path)", in: shared)
            let program = real.resolvingSymlinksInPath().path
            #expect(entries.identifier(of: program) == "milk", "The kernel says the program's own path.")
            let unknown = entries.app("none", program: "/opt/milk")
            #expect(unknown.desktopEntry == nil && unknown.name == "milk" && unknown.command == ["/opt/milk"])
        }
    }

    @Test("A program's bundle id comes from the variable, the Info.plist, the entry that started it, or its name")
    func identity() {
        let none = ["XDG_DATA_HOME": "/nowhere", "XDG_DATA_DIRS": "/nowhere"]
        func bundleID(_ variables: [String: String], _ bundleID: String? = nil) -> String {
            let environment = DesktopEnvironment(none.merging(variables) { $1 })
            return DesktopIdentity.bundleID(in: environment, bundleID: bundleID, program: "/opt/tea", process: 7)
        }
        #expect(bundleID([:]) == "tea")
        #expect(bundleID([:], "org.example.Tea") == "org.example.Tea")
        #expect(bundleID([DesktopIdentity.variable: "a.b"], "org.example.Tea") == "a.b")
        let launched = ["GIO_LAUNCHED_DESKTOP_FILE": "/usr/share/applications/org.tea.desktop"]
        #expect(bundleID(launched) == "tea", "It belongs to another process.")
        #expect(bundleID(launched.merging(["GIO_LAUNCHED_DESKTOP_FILE_PID": "7"]) { $1 }) == "org.tea")
    }

    @Test("GNOME's settings of an app")
    func gnome() {
        #expect(
            GNOMESettings.path(of: "org.Example.Tea__Timer")
                == "/org/gnome/desktop/notifications/application/org-example-tea-timer/"
        )
        let schema = "org.gnome.desktop.notifications"
        let off = GNOMESettings.policy(app: "\(schema).application enable false\n", all: "")
        #expect(!off.isEnabled && off.allowed(7) == 0 && off.settings(7).status == 1)
        let quiet = GNOMESettings.policy(
            app: "\(schema).application enable true\n\(schema).application enable-sound-alerts false\n",
            all: "\(schema) show-banners false\n\(schema) show-in-lock-screen true\n"
        )
        #expect(quiet.isEnabled && quiet.allowed(7) == 5 && !quiet.showsPopups && quiet.showsOnLockScreen)
        #expect(GNOMESettings.policy(app: "", all: "") == DesktopPolicy(), "What cannot be read is on.")
    }

    @Test("GNOME's settings are those that gsettings prints; without it, and on other desktops, everything is on")
    func reader() async throws {
        try withTemporaryFolder { folder in
            let program = folder.appendingPathComponent("gsettings")
            let script = """
                #!/bin/sh
                [ "$1" = list-recursively ] || exit 2
                case "$2" in
                *.application:/org/gnome/desktop/notifications/application/org-example-tea/) echo "schema enable false" ;;
                *) echo "schema show-banners false" ;;
                esac
                """
            try script.write(to: program, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
            func policy(of bundleID: String, on desktop: String, path: String) -> DesktopPolicy {
                let environment = DesktopEnvironment([
                    "XDG_CURRENT_DESKTOP": desktop, "PATH": path, "XDG_CONFIG_HOME": folder.path,
                ])
                return PolicyReader(environment).policy(of: AppEntry(bundleID: bundleID, name: "Tea"))
            }
            #expect(!policy(of: "org.example.Tea", on: "ubuntu:GNOME", path: folder.path).isEnabled)
            let other = policy(of: "org.example.Coffee", on: "GNOME", path: folder.path)
            #expect(other.isEnabled && !other.showsPopups)
            #expect(policy(of: "org.example.Tea", on: "GNOME", path: "/nowhere") == DesktopPolicy())
            #expect(policy(of: "org.example.Tea", on: "XFCE", path: folder.path) == DesktopPolicy())
            let file = folder.appendingPathComponent("plasmanotifyrc")
            let text = "[Applications][org.example.Tea]\nShowBadges=false\n"
            try text.write(to: file, atomically: true, encoding: .utf8)
            #expect(!policy(of: "org.example.Tea", on: "KDE", path: folder.path).showsBadges)
        }
    }

    @Test("KDE's settings of an app")
    func kde() {
        let text = """
            [Applications][org.example.Tea]
            Seen=true
            ShowPopups=false
            ShowBadges = false

            [Applications][org.example.Coffee]
            ShowPopups=false
            ShowInHistory=false
            """
        let tea = KDESettings.policy(of: "org.example.Tea", in: text)
        #expect(tea.isEnabled && !tea.showsPopups && !tea.showsBadges && tea.keepsHistory)
        #expect(!KDESettings.policy(of: "org.example.Coffee", in: text).isEnabled)
        #expect(KDESettings.policy(of: "other", in: text) == DesktopPolicy())
    }

    @Test("The service's files start the given program, also with a space in its path")
    func serviceFiles() async throws {
        try withTemporaryFolder { folder in
            let environment = DesktopEnvironment(["XDG_DATA_HOME": folder.path, "XDG_CONFIG_HOME": folder.path])
            let files = ServiceFiles(environment)
            try files.install("/opt/my posthorn")
            #expect(
                try String(contentsOf: files.activation, encoding: .utf8)
                    == "[D-BUS Service]\nName=org.posthorn.Desktop1\nExec=\"/opt/my posthorn\" desktop run\n"
            )
            let entry = DesktopEntryFile(try String(contentsOf: files.autostart, encoding: .utf8))
            #expect(entry.isApplication && entry.command == ["/opt/my posthorn", "desktop", "run"])
            #expect(try files.uninstall())
            #expect(try !files.uninstall())
        }
    }
}
