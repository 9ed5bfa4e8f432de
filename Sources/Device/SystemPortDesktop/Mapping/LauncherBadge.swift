/// The number on the app's icon: the signal of Unity's launcher, which KDE Plasma, Ubuntu's dock and others read too.
///
/// Source: Unity's `LauncherEntry` interface, `com.canonical.Unity.LauncherEntry.Update`, `sa{sv}`.
package enum LauncherBadge {
    /// Returns the signal that shows a number on a desktop entry, named without its extension; 0 shows none.
    package static func signal(_ count: Int, on entry: String) -> BusMessage {
        BusMessage(
            "Update",
            of: "com.canonical.Unity.LauncherEntry",
            at: "/com/canonical/unity/launcherentry/\(hash(of: entry))",
            [
                .string("application://\(entry).desktop"),
                .options(["count": .int64(Int64(count)), "count-visible": .boolean(count > 0)]),
            ]
        )
    }

    /// A number for the path, which must be the same for each signal of an app: djb2, as libunity has it.
    static func hash(of entry: String) -> UInt32 {
        "application://\(entry).desktop".utf8.reduce(5381) { $0 &* 33 &+ UInt32($1) }
    }
}
