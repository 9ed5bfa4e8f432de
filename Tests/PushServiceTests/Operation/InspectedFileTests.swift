import Foundation
import PushModel
import PushService
import Testing

@Suite("The certificates of an uploaded file")
struct InspectedFileTests {
    private static let now = Date(timeIntervalSince1970: 1_790_000_000)

    private static func certificate(
        _ name: String,
        of bundleID: String = "com.example.app",
        for environments: Set<APNSEnvironment> = [.production],
        until end: Date = now + 1
    ) -> InspectedCertificate {
        InspectedCertificate(
            bundleID: bundleID,
            environments: environments,
            topics: [bundleID],
            teamID: nil,
            commonName: name,
            notBefore: .distantPast,
            notAfter: end,
            fingerprint: Array(name.utf8)
        )
    }

    private static let file = InspectedFile(
        certificate("other", of: "com.example.other"),
        [
            certificate("old", until: now), certificate("new"), certificate("development", for: [.development]),
            certificate("later"),
        ],
        others: ["Apple Distribution"]
    )

    @Test(
        "The app decides before the environment, and that before the validity; what is left out is named",
        arguments: [
            ("com.example.app", .production, "new"), ("com.example.app", .development, "development"),
            ("com.example.app", nil, "new"), ("com.example.other", .development, "other"),
            ("com.example.none", nil, "other"),
            (nil, .development, "development"),
        ] as [(String?, APNSEnvironment?, String)]
    )
    func choice(_ bundleID: String?, _ environment: APNSEnvironment?, _ expected: String) {
        let (chosen, leftOut) = Self.file.choice(for: bundleID, in: environment, at: Self.now)
        #expect(chosen.commonName == expected)
        let names = ["other", "old", "new", "development", "later"].filter { $0 != expected }
        #expect(leftOut == names + ["Apple Distribution"])
    }
}
