import Foundation
import PushModel
import Testing

@Suite("Names of time zones")
struct TimeZoneNameTests {
    @Test(
        "IANA names are zones, also the old ones and those that look like abbreviations",
        arguments: [
            ("Asia/Shanghai", 28_800), ("Asia/Calcutta", 19_800), ("PRC", 28_800), ("EST", -18_000), ("MST", -25_200),
            ("UTC", 0), ("GMT", 0), ("ROK", 32_400), ("Etc/GMT+3", -10_800), ("GMT+0300", 10_800),
        ]
    )
    func zones(_ name: String, _ offset: Int) {
        #expect(TimeZone(iana: name)?.secondsFromGMT(for: Date(timeIntervalSince1970: 1_790_000_000)) == offset)
    }

    @Test(
        "oneSignal71_anAbbreviationIsNoZone",
        arguments: [
            ("CST", "'CST' may mean America/Chicago or Asia/Shanghai or America/Havana"),
            ("BST", "'BST' may mean Europe/London or Asia/Dhaka"),
            ("IST", "'IST' may mean Asia/Kolkata or Europe/Dublin or Asia/Jerusalem"),
            ("PST", "'PST' may mean America/Los_Angeles or Asia/Manila"), ("JST", "'JST' may mean Asia/Tokyo"),
            ("cst", "'CST' may mean America/Chicago"), ("EDT", "'EDT' may mean America/New_York"),
            ("Mars", "an IANA name such as Asia/Shanghai"), ("", "an IANA name such as Asia/Shanghai"),
        ]
    )
    func abbreviations(_ name: String, _ expected: String) {
        #expect(TimeZone(iana: name) == nil)
        #expect(TimeZone.expectedName(insteadOf: name).contains(expected))
    }
}
