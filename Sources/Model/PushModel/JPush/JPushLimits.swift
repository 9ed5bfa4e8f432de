/// The limits of the JPush REST API v3, each defined once.
///
/// Source: "Push API v3" and "Device API v3" unless stated otherwise.
package enum JPushLimits {
    /// Bytes of UTF-8 in a tag or an alias.
    package static let tagBytes = 40
    package static let tagsPerDevice = 1000
    /// Tags that one request adds to a device, and separately those that it removes.
    package static let tagsPerChange = 100
    /// Bytes of UTF-8 of the tags that one request adds to a device, and separately of those that it removes.
    package static let tagBytesPerChange = 1000
    /// Tags in the list of an app's tags.
    package static let tagsListed = 100
    /// Registration ids in one array of a request about devices, tags or aliases.
    package static let registrationIDsPerCall = 1000
    /// Digits of a mobile number, without the leading `+` (E.164).
    package static let mobileDigits = 3...15
    /// Bytes of UTF-8 of the tags that one request of the SDK adds or removes.
    ///
    /// Source: JPush iOS SDK, "Tags and alias".
    package static let tagBytesPerRequest = 5000
    /// The same limit for a request that replaces all tags, as SDKs before 3.0.6 do.
    package static let tagBytesPerReplacement = 7000
    /// Characters of a mobile number in the SDK.
    ///
    /// Source: JPush iOS SDK, "setMobileNumber".
    package static let mobileCharacters = 20
    /// Members of `tag`, `tag_and` and `tag_not`, each.
    package static let audienceTags = 20
    /// Members of `alias` and of `registration_id`.
    package static let audienceNames = 1000
    /// Devices that share an alias.
    package static let devicesPerAlias = 10
    /// Seconds: ten days.
    package static let timeToLive: Int64 = 864_000
    /// Seconds: one day.
    package static let defaultTimeToLive: Int64 = 86_400
    package static let badge = 99_999
    /// Bytes of the `ios` object. The first edition said 2000; the live activity limit of later ones is 3584.
    package static let callbackURLBytes = 2048
    /// The limit on `callback.params` in bytes of JSON; our choice.
    package static let callbackParamsBytes = 2048
    package static let iosBytes = 3584
    /// Bytes of the `message` object.
    package static let messageBytes = 4000
    /// Bytes of `apns_collapse_id` (the limit of APNs).
    package static let collapseIDBytes = 64
    /// Minutes over which a push may be spread.
    package static let pacedMinutes: Int64 = 1400
    /// The highest `x_rate`, in pushes per second; an extension of Posthorn.
    package static let rate: Int64 = 1_000_000
    /// Paced pushes of an app that may be in progress at once.
    package static let pacedPushes = 20
    /// Seconds for which a `cid` is remembered.
    package static let cidLifetime: Int64 = 86_400
    /// Pushes in one batch.
    package static let batch: ClosedRange<Int> = 1...1000
    /// Bytes of a file of aliases or registration ids.
    package static let fileBytes = 10 * 1024 * 1024
    /// Files that an app may have at once.
    package static let files = 20
    /// Hours for which a file is kept.
    package static let fileHours: ClosedRange<Int> = 1...720
    /// Seconds during which a push may be withdrawn: one day (our choice, as no source gives a time).
    package static let withdrawal: Int64 = 86_400
    /// Seconds after the last activity during which a device counts as online.
    package static let onlineSeconds = 600
    /// Seconds after the last activity during which its time is reported: two days.
    package static let lastOnlineSeconds = 172_800
    /// Bytes of the name of a schedule.
    package static let scheduleNameBytes = 255
    /// Days, weeks or months from one period of a schedule to the next.
    package static let scheduleFrequency: ClosedRange<Int64> = 1...100
    /// Schedules of an app with a future firing.
    package static let liveSchedules = 100
    package static let schedulesPerPage = 50
    /// Push templates of an app.
    ///
    /// Source: JPush's console, "Push template".
    package static let templates = 100
    /// Bytes of the name of a template, and of its push (our choice).
    package static let templateNameBytes = 255
    package static let templateBytes = 16_384
    /// Variables of a template, and values of one push (our choice).
    package static let templateVariables = 100
    /// Bytes of the value of a variable (our choice).
    package static let templateValueBytes = 1000
    /// Bytes of a push that is made from a template, without its audience and options of its own (our choice).
    package static let filledTemplateBytes = 32_768
    /// Push plans of an app.
    package static let plans = 1000
    /// Bytes of the name of a push plan, and of its description (our choice).
    package static let planNameBytes = 255
    package static let planDescriptionBytes = 1000
    /// Push plans in one page by default, and at most (our choice).
    package static let plansPerPage = (usual: 50, most: 1000)
    /// The latest pushes of a plan that its report counts (our choice).
    package static let reportedPlanMessages = 1000
    /// The latest pushes of a plan whose counts its report has side by side (our choice).
    package static let comparedPlanMessages = 20
    /// Cids in one response.
    package static let cids: ClosedRange<Int> = 1...1000
    /// `msg_id`s in one report.
    package static let reportedMessages = 100
    /// `msg_id`s of group pushes in one report.
    package static let reportedGroupMessages = 10
    /// Days in one report on users.
    package static let userReportDays = 60
    /// Bytes of an app's package name (our choice: the limit of a bundle id).
    package static let packageBytes = 155
    /// Days of inactivity after which a device counts as gone.
    package static let inactiveDays = 255

    /// Returns whether the SDK accepts `text` as a mobile number: a `+` or a digit, then digits and `-`.
    package static func isMobile(_ text: String) -> Bool {
        guard let first = text.utf8.first, first == UInt8(ascii: "+") || first.isDigit else { return false }
        return text.utf8.contains(where: \.isDigit)
            && text.utf8.dropFirst().allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") }
    }

    /// Returns whether `text` is a valid tag or alias: 1 to 40 bytes of letters, digits, `_`, ideographs and `@!#$&*+=.|￥`.
    package static func isTag(_ text: String) -> Bool {
        (1...tagBytes).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { scalar in
                (scalar.isASCII && UInt8(scalar.value).isLetterOrDigit)
                    || "_@!#$&*+=.|￥".unicodeScalars.contains(scalar)
                    || scalar.properties.isIdeographic
            }
    }
}
