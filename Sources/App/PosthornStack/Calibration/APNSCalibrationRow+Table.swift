import PushModel

/// The rows, in the order in which they are sent. Those that may slow a provider down come last.
extension APNSCalibrationRow {
    package static let sections: [(title: String, rows: [Self])] = [
        ("Paths and methods", [Self([], named: "a push to a random device token")] + methods + paths),
        ("Device tokens", tokens), ("apns-id", ids), ("apns-priority", priorities),
        ("apns-expiration and apns-collapse-id", expirations + collapseIDs), ("Push types and topics", types + topics),
        ("Payloads", payloads), ("Repeated and other headers", headers), ("Order of the checks", order),
        ("A device of one's own", devices), ("Connections", connections), ("Provider tokens", credentials),
    ]

    package static let all = sections.flatMap(\.rows)

    /// Rows with one value of a field each.
    private static func values(_ name: String, _ values: [String?], with more: [Change] = []) -> [Self] {
        values.map { Self([.field(name, $0)] + more) }
    }

    private static let methods = ["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "post"].map { Self([.method($0)]) }

    private static let paths = [
        "/", "/3", "/3/device", "/3/device/", "/3/device/{token}/", "/3/device/{token}/x", "/3/device/{token}?x=1",
        "/2/device/{token}", "/4/device/{token}", "/3/devices/{token}", "/3/Device/{token}", "//3/device/{token}",
        "/3/device//{token}", "/3/device/%7Btoken%7D", "/1/apps/{topic}/channels",
    ].map { Self([.path($0)]) }

    private static let tokens =
        [1, 2, 62, 63, 65, 66, 128, 160, 200, 202].map { count in
            Self([.path("/3/device/" + String(repeating: "a", count: count))], named: "device token of \(count) digits")
        }
        + [
            ("of zeros", String(repeating: "0", count: 64)), ("in capitals", String(repeating: "AB", count: 32)),
            ("with letters beyond F", String(repeating: "xy", count: 32)), ("in angle brackets", "<{token}>"),
            ("with escaped blanks", "{token}%20"), ("in Base64", "q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA="),
        ].map { Self([.path("/3/device/\($1)")], named: "device token \($0)") }

    private static let ids = values(
        "apns-id",
        [
            "123e4567-e89b-42d3-a456-426614174000", "123E4567-E89B-42D3-A456-426614174000",
            "123e4567-E89B-42d3-A456-426614174000", "123e4567-e89b-02d3-0456-426614174000",
            "00000000-0000-0000-0000-000000000000", "123e4567e89b42d3a456426614174000",
            "{123e4567-e89b-42d3-a456-426614174000}", "urn:uuid:123e4567-e89b-42d3-a456-426614174000",
            "123e4567-e89b-42d3-a456-42661417400", "123e4567-e89b-42d3-a456-4266141740000",
            "123e4567-e89b-42d3-a456-42661417400g", "1234", "",
        ]
    )

    private static let priorities = values(
        "apns-priority",
        ["1", "5", "10", "0", "2", "7", "9", "11", "-5", "05", "5.0", "high", ""]
    )

    private static let expirations = values(
        "apns-expiration",
        [
            "0", "1", "-1", "+5", "4102444800", "1700000000000", "99999999999999999999", "1.5", "1e9", "0x10",
            "tomorrow", "",
        ]
    )

    private static let collapseIDs = values(
        "apns-collapse-id",
        [
            "x", String(repeating: "x", count: 64), String(repeating: "x", count: 65),
            String(repeating: "x", count: 256), "",
        ]
            + [String(repeating: "é", count: 32), String(repeating: "é", count: 33)]
    )

    private static let types: [Self] =
        APNSPushType.known.map { type in
            Self([.type(type), .topic(type)] + (type == .background ? [.field("apns-priority", "5")] : []))
        }
        + APNSPushType.suffixed.map { Self([.type($0)]) }
        + APNSPushType.suffixed.map { Self([.topic($0)]) }
        + APNSPushType.suffixed.map { Self([.field("apns-push-type", nil), .topic($0)]) }
        + values("apns-push-type", [nil, "", "Alert", "ALERT", "silent", "alert,background"])
        + values("apns-priority", ["10", "1", nil], with: [.type(.background)])
        + values("apns-priority", ["5", "1"], with: [.type(.liveactivity), .topic(.liveactivity)])
        + [
            Self([.type(.voip), .topic(.voip), .field("apns-priority", "5")]),
            Self([.type(.voip), .topic(.liveactivity)]),
        ]

    private static let topics = values(
        "apns-topic",
        [
            nil, "", "com.example.posthorn.of-nobody", "com.example posthorn", "com.example/posthorn", "com.exämple",
            ".voip", "{topic}.", "{topic}.unknown", "{topic},{topic}", String(repeating: "x", count: 300),
        ]
    )

    private static let payloads: [Self] =
        [2, 4095, 4096, 4097, 5120, 5121, 8192, 20_000].map { Self([.bytes($0)]) }
        + [APNSPushType.voip, .liveactivity, .location].flatMap { type in
            [4096, 4097, 5120, 5121].map { Self([.bytes($0), .type(type), .topic(type)]) }
        }
        + [
            "", "{", "x", "[]", "null", "\"text\"", "{}", "{} ", "{}x", #"{"aps":"#, #"{"aps":{"alert":"x"},}"#,
            #"{"aps":"text"}"#, #"{"aps":[]}"#, #"{"aps":{},"aps":{}}"#, #"{"other":1}"#, "\u{FEFF}{}",
            "{\"a\":\"\\ud800\"}",
            #"{"aps":{"badge":"x","sound":1}}"#, #"{"mdm":"x"}"#,
        ].map { Self([.payload($0)]) }
        + [Self([.payload("{\"a\":\"\u{0}\"}")]), Self([.payload(String(repeating: "[", count: 1000))])]

    private static let headers: [Self] =
        [
            ("apns-topic", "{topic}"), ("apns-push-type", "alert"), ("apns-priority", "10"), ("apns-expiration", "0"),
            ("apns-collapse-id", "x"), ("apns-id", "123e4567-e89b-42d3-a456-426614174000"), ("x-other", "x"),
            ("apns-other", "x"),
        ].map { Self([.field($0, $1), .again($0, $1)]) }
        + [
            Self([.again("authorization", "bearer {jwt}")], .key),
            Self([.field("content-length", "5")], on: .fresh), Self([.field("connection", "keep-alive")], on: .fresh),
            Self([.field("X-Capitals", "x")], on: .fresh), Self([.field("te", "trailers")]),
            Self([.field("expect", "100-continue")]), Self([.field("content-encoding", "gzip")]),
            Self([.field("apns-channel-id", "x")]), Self([.field("apns-request-id", "x")]),
        ]
        + [1000, 4000, 7000, 9000, 20_000].map {
            Self([.field("x-other", String(repeating: "x", count: $0))], on: .fresh)
        }

    /// Pairs of mistakes, of which one reason is told.
    private static let order: [Self] = {
        let mistakes: [Change] = [
            .again("apns-topic", "{topic}"), .path("/2/device/{token}"), .method("GET"), .path("/3/device/"),
            .field("apns-id", "1234"), .field("apns-push-type", "Alert"), .field("apns-topic", nil),
            .field("apns-priority", "7"), .field("apns-expiration", "tomorrow"),
            .field("apns-collapse-id", String(repeating: "x", count: 65)), .bytes(4097),
            .field("apns-topic", "com.example.posthorn.of-nobody"),
        ]
        let pairs = zip(mistakes, mistakes.dropFirst()).filter { !$0.isSameField(as: $1) }
        let credentials = mistakes.map { Self([$0, .field("authorization", "bearer nonsense")], .key) }
        return pairs.map { Self([$0, $1]) } + [Self([mistakes[5], mistakes[11]]), Self([mistakes[7], mistakes[10]])]
            + credentials
    }()

    /// At most ten of these are accepted.
    private static let devices: [Self] =
        [
            [], [.field("apns-push-type", nil)],
            [.type(.background), .field("apns-priority", "5"), .payload(#"{"aps":{"content-available":1}}"#)],
            [.field("apns-priority", "1")], [.field("apns-expiration", "0")], [.field("apns-expiration", "1")],
            [.field("apns-collapse-id", String(repeating: "x", count: 64))],
            [.field("apns-id", "123E4567-E89B-42D3-A456-426614174000")], [.bytes(4096)],
        ].map { (changes: [Change]) in
            let what = changes.isEmpty ? "an alert" : changes.map(\.name).joined(separator: ", ")
            return Self([.path("/3/device/{device}")] + changes, .token, named: "own device: \(what)")
        } + [
            Self([.path("/3/device/{DEVICE}")], .token, named: "own device: token in capitals"),
            Self(
                [.path("/3/device/{device}"), .type(.voip), .topic(.voip)],
                .refusedToken,
                named: "own device: a topic that the token is not for"
            ),
            Self([.path("/3/device/{other}")], .otherToken, named: "own device: token of the other environment"),
        ]

    private static let connections: [Self] = [
        Self([], named: "settings of a new connection", on: .settings),
        Self([], named: "stream limit before and after a good credential", on: .streams),
        Self(
            [.field("authorization", "bearer nonsense")],
            .key,
            named: "stream limit after a bad credential",
            on: .streams
        ),
        Self([.field("apns-priority", "7")], named: "stream limit after a refused push", after: [[]], on: .streams),
        Self([], named: "five random device tokens", after: [[], [], [], []]),
        Self(sameID, named: "the same push twice", after: [sameID]),
        Self([], named: "a connection that was idle", on: .idle),
    ]

    private static let sameID = [Change.field("apns-id", "123e4567-e89b-42d3-a456-426614174000")]

    private static let credentials: [Self] =
        values(
            "authorization",
            [
                nil, "", "bearer", "bearer nonsense", "bearer a.b.c", "Bearer {jwt}", "BEARER {jwt}", "bearer  {jwt}",
                "{jwt}", "basic {jwt}", "bearer {jwt}x", "bearer {jwt}.x", "bearer {jwt}, bearer {jwt}",
            ]
        ).map { row in
            var row = row
            row.needs = .key
            return row
        }
        + [
            ("issued 50 minutes ago", JWT(age: 3000)), ("issued 61 minutes ago", JWT(age: 3660)),
            ("issued a year ago", JWT(age: 31_536_000)), ("issued in a minute", JWT(age: -60)),
            ("issued in ten minutes", JWT(age: -600)), ("issued in a day", JWT(age: -86_400)),
            ("without iat", JWT(claims: #"{"iss":"{team}"}"#)),
            ("with iat as a string", JWT(claims: #"{"iss":"{team}","iat":"{now}"}"#)),
            ("with iat as a fraction", JWT(claims: #"{"iss":"{team}","iat":{now}.5}"#)),
            ("with iat in milliseconds", JWT(claims: #"{"iss":"{team}","iat":{now}000}"#)),
            ("without iss", JWT(claims: #"{"iat":{now}}"#)),
            ("of another team", JWT(claims: #"{"iss":"POSTHORN99","iat":{now}}"#)),
            ("with further claims", JWT(claims: #"{"exp":4102444800,"iss":"{team}","iat":{now},"kid":"{key}"}"#)),
            ("with an exp that is over", JWT(claims: #"{"iss":"{team}","iat":{now},"exp":1}"#)),
            ("with blanks in its JSON", JWT(claims: #"{ "iss" : "{team}", "iat" : {now} }"#)),
            ("whose claims are no JSON", JWT(claims: "nonsense")), ("whose header is no JSON", JWT(header: "nonsense")),
            ("with typ", JWT(header: #"{"alg":"ES256","typ":"JWT","kid":"{key}"}"#)),
            ("with an unknown typ", JWT(header: #"{"alg":"ES256","typ":"X","kid":"{key}"}"#)),
            ("without kid", JWT(header: #"{"alg":"ES256"}"#)), ("without alg", JWT(header: #"{"kid":"{key}"}"#)),
            ("with an unknown kid", JWT(header: #"{"alg":"ES256","kid":"POSTHORN99"}"#)),
            ("with alg none", JWT(header: #"{"alg":"none","kid":"{key}"}"#, signature: .none)),
            ("with alg HS256", JWT(header: #"{"alg":"HS256","kid":"{key}"}"#)),
            ("with alg ES384", JWT(header: #"{"alg":"ES384","kid":"{key}"}"#)),
            ("with a DER signature", JWT(signature: .der)), ("with a shortened signature", JWT(signature: .truncated)),
            ("without a signature", JWT(signature: .none)), ("signed by another key", JWT(signature: .ofAnotherKey)),
        ].map { Self([.jwt($1)], .key, named: "provider token \($0)") }
        + [
            Self(
                [.field("authorization", "bearer nonsense")],
                .certificate,
                named: "provider token with a certificate"
            ),
            Self([.jwt(JWT(age: 1))], .key, named: "second provider token on a connection", after: [[]]),
            Self(
                [.jwt(JWT(age: 2))],
                .key,
                named: "third provider token on a connection",
                after: [[], [.jwt(JWT(age: 1))]]
            ),
        ]
}

extension APNSCalibrationRow.Change {
    fileprivate static func type(_ type: APNSPushType) -> Self { .field("apns-push-type", type.rawValue) }
    fileprivate static func topic(_ type: APNSPushType) -> Self { .field("apns-topic", type.topic(of: "{topic}")) }

    /// Whether only the second of the two has an effect.
    fileprivate func isSameField(as other: Self) -> Bool {
        switch (self, other) {
        case (.path, .path): true
        case (.field(let one, _), .field(let two, _)): one == two
        default: false
        }
    }
}
