/// The limits of the JPush REST API v3, each written once.
///
/// Source: "Push API v3" and "Device API v3" unless a line says otherwise.
public enum JPushLimits {
    /// Bytes of UTF-8 in a tag or an alias.
    public static let tagBytes = 40
    public static let tagsPerDevice = 1000
    /// Tags that one call adds to a device, and as many that it removes.
    public static let tagsPerChange = 100
    /// Bytes of UTF-8 of the tags that one call adds to a device, and as many of those that it removes.
    public static let tagBytesPerChange = 1000
    /// Tags in the list of an app's tags.
    public static let tagsListed = 100
    /// Registration ids in one array of a call about devices, tags or aliases.
    public static let registrationIDsPerCall = 1000
    /// Digits of a mobile number, without the `+` before them (E.164).
    public static let mobileDigits = 3...15
    /// Bytes of UTF-8 of the tags that one request of the SDK adds or takes away.
    ///
    /// Source: JPush iOS SDK, "Tags and alias".
    public static let tagBytesPerRequest = 5000
    /// The same where it replaces all tags, which calls of before 3.0.6 do.
    public static let tagBytesPerReplacement = 7000
    /// Characters of a mobile number as the SDK takes it.
    ///
    /// Source: JPush iOS SDK, "setMobileNumber".
    public static let mobileCharacters = 20
    /// Members of `tag`, `tag_and` and `tag_not`, each.
    public static let audienceTags = 20
    /// Members of `alias` and of `registration_id`.
    public static let audienceNames = 1000
    /// Devices that share an alias.
    public static let devicesPerAlias = 10
    /// Seconds: ten days.
    public static let timeToLive: Int64 = 864_000
    /// Seconds: one day.
    public static let defaultTimeToLive: Int64 = 86_400
    public static let badge = 99_999
    /// Bytes of the `ios` object. The first edition said 2000; the live activity limit of later ones is 3584.
    public static let iosBytes = 3584
    /// Bytes of the `message` object.
    public static let messageBytes = 4000
    /// Bytes of `apns_collapse_id` (the limit of APNs).
    public static let collapseIDBytes = 64
    /// Minutes over which a push may be spread.
    public static let pacedMinutes: Int64 = 1400
    /// Pushes a second that `x_rate` may ask for, which is Posthorn's own.
    public static let rate: Int64 = 1_000_000
    /// Paced pushes of an app under way at once.
    public static let pacedPushes = 20
    /// Seconds in which a `cid` is known.
    public static let cidLifetime: Int64 = 86_400
    /// Pushes in one batch.
    public static let batch: ClosedRange<Int> = 1...1000
    /// Bytes of a file of aliases or registration ids.
    public static let fileBytes = 10 * 1024 * 1024
    /// Files that an app has at once.
    public static let files = 20
    /// Hours for which a file is kept.
    public static let fileHours: ClosedRange<Int> = 1...720
    /// Seconds in which a push may be withdrawn: one day (our choice, as no source names a time).
    public static let withdrawal: Int64 = 86_400
    /// Seconds after the last sign of life in which a device counts as online.
    public static let onlineSeconds = 600
    /// Seconds after the last sign of life in which its time is told: two days.
    public static let lastOnlineSeconds = 172_800
    /// Bytes of the name of a schedule.
    public static let scheduleNameBytes = 255
    /// Days, weeks or months from one period of a schedule to the next.
    public static let scheduleFrequency: ClosedRange<Int64> = 1...100
    /// Schedules of an app with a firing to come.
    public static let liveSchedules = 100
    public static let schedulesPerPage = 50
    /// Of cids in one answer.
    public static let cids: ClosedRange<Int> = 1...1000
    /// Of msg_ids in one report.
    public static let reportedMessages = 100
    /// Of msg_ids of group pushes in one report.
    public static let reportedGroupMessages = 10
    /// Days in one report on users.
    public static let userReportDays = 60
    /// Bytes of the package of an app (our choice: as many as a bundle id may have).
    public static let packageBytes = 155
    /// Days without a sign of life after which a device counts as gone.
    public static let inactiveDays = 255

    /// Whether the SDK takes `text` for a mobile number: digits and `-` behind a `+` or a digit.
    public static func isMobile(_ text: String) -> Bool {
        func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
        guard let first = text.utf8.first, first == UInt8(ascii: "+") || isDigit(first) else { return false }
        return text.utf8.contains(where: isDigit)
            && text.utf8.dropFirst().allSatisfy { isDigit($0) || $0 == UInt8(ascii: "-") }
    }

    /// Whether `text` may be a tag or an alias: 1 to 40 bytes of letters, digits, `_`, ideographs and `@!#$&*+=.|￥`.
    public static func isTag(_ text: String) -> Bool {
        (1...tagBytes).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { scalar in
                (scalar.isASCII && UInt8(scalar.value).isLetterOrDigit)
                    || "_@!#$&*+=.|￥".unicodeScalars.contains(scalar)
                    || scalar.properties.isIdeographic
            }
    }
}
