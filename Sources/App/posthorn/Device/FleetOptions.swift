import AppleDeveloper
import ArgumentParser
import Foundation
import NetworkSupport
import PosthornStack
import PushModel

/// The options for many phones in one process.
struct FleetOptions: ParsableArguments {
    @Option(help: "Run this number of phones without apps, for load tests.") var count: Int?

    @Option(help: "The number that all choices of the phones of --count follow from, and their ids and keys.")
    var seed: UInt64 = 1

    @Option(help: "The share of the phones of --count without a link, on average, from 0 to 0.95.") var offlineShare =
        0.0
    @Option(help: .seconds("The mean time that such a phone has no link.")) var offlineTime = 60.0
    @Option(help: .seconds("The mean time until a phone of --count acknowledges a push.")) var deliveryTime = 0.0
    @Option(help: "The share of the pushes that phones of --count report as opened, from 0 to 1.") var openShare = 0.0
    @Option(help: .seconds("The mean time until such a push is opened.")) var openTime = 30.0

    @Option(
        help: ArgumentHelp(
            "The key in payloads with the time of sending, in milliseconds since 1970, from which --count measures latencies.",
            valueName: "key"
        )
    )
    var sentAt: String?

    @Option(help: .file("A file for the device tokens of --count, one a line, written when all phones have theirs."))
    var tokensTo: String?

    private static let greatestCount = 500_000
    private static let longestTime = 86_400.0
    /// The phones that share an address of the loopback, which has about 28,000 ports for links to one address.
    private static let phonesOfAddress = 20_000
    /// The files that a process needs besides its links.
    private static let otherFiles = 100

    func validate() throws {
        guard let count else {
            return try require(
                behaviour == FleetBehaviour() && sentAt == nil && tokensTo == nil,
                "--seed, --offline-share, --offline-time, --delivery-time, --open-share, --open-time, --sent-at and --tokens-to are for "
                    + "the phones of --count, which is missing."
            )
        }
        try require(
            (1...Self.greatestCount).contains(count),
            "--count is \(count); expected 1 to \(Self.greatestCount)."
        )
        try Self.check("--offline-share", offlineShare, atMost: 0.95)
        try Self.check("--open-share", openShare, atMost: 1)
        try Self.check("--offline-time", offlineTime, atMost: Self.longestTime)
        try Self.check("--delivery-time", deliveryTime, atMost: Self.longestTime)
        try Self.check("--open-time", openTime, atMost: Self.longestTime)
        try require(offlineTime > 0, "--offline-time is 0; a phone without a link has none for some time.")
        try require(sentAt != "", "--sent-at is empty; expected the key of a payload.")
    }

    private static func check(_ flag: String, _ value: Double, atMost most: Double) throws {
        try require((0...most).contains(value), "\(flag) is \(value); expected 0 to \(most).")
    }

    var behaviour: FleetBehaviour {
        var behaviour = FleetBehaviour()
        behaviour.seed = seed
        behaviour.offlineShare = offlineShare
        behaviour.offlineSeconds = offlineTime
        behaviour.deliverySeconds = deliveryTime
        behaviour.openShare = openShare
        behaviour.openSeconds = openTime
        return behaviour
    }

    /// The addresses that links come from, the same number of phones for each; nil for any. On the loopback all of 127.0.0.0/8 are there, and
    /// each process has those of its seed.
    func sources(of count: Int, at courier: String) -> [String?] {
        guard count > Self.phonesOfAddress, courier.contains("://127.0.0.1") else { return [nil] }
        return (0...count / Self.phonesOfAddress).map { "127.1.\(seed % 250).\($0 + 1)" }
    }

    /// - Throws: the limit of the machine that is too low, and how to raise it.
    func checkLimits(of count: Int, at courier: String) throws {
        let files = OpenFileLimit.raise()
        try require(
            files >= count + Self.otherFiles,
            "This process may open \(files) files; \(count) phones need \(count + Self.otherFiles). Raise the hard limit "
                + "(ulimit -Hn, LimitNOFILE=, --ulimit nofile=), or start several processes, each with a --seed of its own."
        )
        let range = (try? String(contentsOfFile: "/proc/sys/net/ipv4/ip_local_port_range", encoding: .utf8))?
            .split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        guard let first = range?.first, let last = range?.last, sources(of: count, at: courier).count == 1 else {
            return
        }
        try require(
            last - first >= count,
            "This machine has \(last - first + 1) ports for links to one address; \(count) phones need more. Widen "
                + "net.ipv4.ip_local_port_range, or divide the phones among machines, each with a --seed of its own."
        )
    }

    func write(_ tokens: [DeviceToken]) throws {
        guard let tokensTo else { return }
        try OutputFile.write(Data(tokens.map { $0.hexadecimal + "\n" }.joined().utf8), to: tokensTo, isPrivate: true)
    }

    /// The memory of this process.
    static var residentBytes: Int {
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return (pages?.dropFirst().first.flatMap { Int($0) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
