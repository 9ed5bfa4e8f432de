import AppInstallation
import Foundation
import PosthornTesting
import PushDevice
import PushModel
import TestSupport
import Testing
import UIKit

private let lab = InstalledApp.lab.bundleID

@Suite("Rules of what an app's bundle holds")
@MainActor
struct BundleRules {
    private let temporary = TemporaryFolder()
    private var folder: URL { temporary.url }

    /// A WAVE file of this many seconds, at 8,000 bytes a second.
    private static func wave(seconds: Int) -> Data {
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
        let size = 8000 * seconds
        var bytes = Array("RIFF".utf8) + number(36 + size, 4) + Array("WAVEfmt ".utf8) + number(16, 4)
        bytes += number(1, 2) + number(1, 2) + number(8000, 4) + number(8000, 4) + number(1, 2) + number(8, 2)
        return Data(bytes + Array("data".utf8) + number(size, 4)) + Data(count: size)
    }

    /// An AIFF file of this many frames at 8,000 Hz: 16,384 times 125/256.
    private static func aiff(frames: Int) -> Data {
        func number(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(value >> (8 * $0) & 0xFF) }
        }
        var bytes = Array("FORM".utf8) + number(38, 4) + Array("AIFFCOMM".utf8) + number(18, 4) + number(1, 2)
        bytes += number(frames, 4) + number(8, 2) + number(0x400B, 2) + number(0xFA00, 2) + number(0, 6)
        return Data(bytes)
    }

    /// A CAF file of this many frames of two bytes at 8,000 Hz, whose data go on to the end of the file.
    private static func caf(frames: Int) -> Data {
        func number(_ value: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).reversed().map { UInt8(value >> (8 * UInt64($0)) & 0xFF) }
        }
        var bytes = Array("caff".utf8) + number(1, 2) + number(0, 2) + Array("desc".utf8) + number(32, 8)
        bytes += number(8000.0.bitPattern, 8) + Array("lpcm".utf8) + number(0, 4) + number(2, 4) + number(1, 4)
        bytes += number(1, 4) + number(16, 4) + Array("data".utf8) + number(.max, 8) + number(0, 4)
        return Data(bytes) + Data(count: 2 * frames)
    }

    private func write(_ files: [String: Data], to folder: URL) throws {
        for (name, data) in files {
            let file = folder.appending(path: name)
            let parent = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try data.write(to: file)
        }
    }

    @Test("Sounds of the bundle play by their names and their real lengths")
    func sounds() async throws {
        try write(
            [
                "short.wav": Self.wave(seconds: 2), "long.wav": Self.wave(seconds: 30),
                "bell.aiff": Self.aiff(frames: 4000),
                "horn.caf": Self.caf(frames: 240_000), "gong.caf": Self.caf(frames: 12_000),
                "notes.txt": Data("-".utf8),
            ],
            to: folder
        )
        var app = InstalledApp.lab
        try app.readBundle(folder)
        #expect(
            app.sounds == [
                "short.wav": .seconds(2), "long.wav": .seconds(30), "bell.aiff": .seconds(0.5),
                "horn.caf": .seconds(30),
                "gong.caf": .seconds(1.5),
            ]
        )
        let phone = await TestPhone().opening(app) { RecordingApp() }
        await phone.background(app)
        var reasons: [String: JourneyEvent.Kind?] = [:]
        for name in ["short.wav", "gong.caf", "long.wav", "horn.caf", "none.wav"] {
            let push = await phone.push(["aps": ["alert": "a", "sound": .string(name)]], to: app)
            reasons[name] = phone.journeys.kinds(of: push).last
        }
        #expect(reasons["short.wav"] == .presented(.sound) && reasons["gong.caf"] == .presented(.sound))
        #expect(reasons["long.wav"] == .suppressed(.soundTooLong) && reasons["horn.caf"] == .suppressed(.soundTooLong))
        #expect(reasons["none.wav"] == .suppressed(.soundMissing))
    }

    @Test("Strings of the bundle fill texts by key, in the device's language; Base is the development language")
    func strings() async throws {
        let german = "/* The greeting. */\n\"HI\" = \"Hallo \\\"%@\\\"\"; // a comment\n\"BYE\" = \"Tsch\u{FC}ss\";\n"
        try write(
            [
                "Base.lproj/Localizable.strings": Data("\"HI\" = \"Hello %@\";".utf8),
                "de.lproj/Localizable.strings": Data(german.utf8),
                "zh-Hans.lproj/Other.strings": Data("no strings of ours".utf8),
            ],
            to: folder
        )
        var app = InstalledApp.lab
        try app.readBundle(folder)
        #expect(app.strings == ["en": ["HI": "Hello %@"], "de": ["HI": "Hallo \"%@\"", "BYE": "Tsch\u{FC}ss"]])
        let phone = await TestPhone().opening(app) { RecordingApp() }
        await phone.background(app)
        for language in ["en", "de", "fr"] {
            await phone.perform { $0.setLanguage(language) }
            await phone.push(["aps": ["alert": ["title-loc-key": "HI", "title-loc-args": ["Ann"]]]], to: app)
        }
        #expect(phone.device.screen.list.map(\.title) == ["Hello Ann", "Hallo \"Ann\"", "Hello Ann"])
    }

    @Test("A strings file that cannot be read, and a folder that is none, are named")
    func unreadable() throws {
        try write(["en.lproj/Localizable.strings": Data("\"HI\" = ".utf8)], to: folder)
        var app = InstalledApp.lab
        let broken = #expect(throws: ProgramProblem.self) { try app.readBundle(folder) }
        #expect(broken?.description.contains("en.lproj/Localizable.strings' cannot be read") == true)
        let missing = #expect(throws: ProgramProblem.self) { try app.readBundle(folder.appending(path: "none")) }
        #expect(missing?.description.contains("is not a folder") == true)
    }

    @Test("An app that is a program has the sounds and strings of its bundle, or of its SwiftPM resources")
    func program() throws {
        let info = Data("{ CFBundleIdentifier = \"com.example.shop\"; }".utf8)
        try write(
            [
                "Shop": Data("#!/bin/sh\n".utf8), "Shop.plist": info,
                "shop-package_Shop.resources/a.wav": Self.wave(seconds: 1),
                "other_Other.resources/b.wav": Self.wave(seconds: 1), "Kiosk.app/Kiosk": Data("#!/bin/sh\n".utf8),
                "Kiosk.app/Info.plist": info, "Kiosk.app/c.wav": Self.wave(seconds: 1),
            ],
            to: folder
        )
        for name in ["Shop", "Kiosk.app/Kiosk"] {
            let path = folder.appending(path: name).path(percentEncoded: false)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let shop = try ProgramApp(executable: folder.appending(path: "Shop"))
        #expect(shop.app.sounds == ["a.wav": Duration.seconds(1)])
        let kiosk = try ProgramApp(executable: folder.appending(path: "Kiosk.app/Kiosk"))
        #expect(kiosk.app.sounds == ["c.wav": Duration.seconds(1)])
    }
}
