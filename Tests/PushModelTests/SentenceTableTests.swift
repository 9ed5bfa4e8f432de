import Foundation
import PushModel
import TestSupport
import Testing

@Suite("English sentences of the service in Chinese")
struct SentenceTableTests {
    private static let table = SentenceTable.chinese

    /// Whether a text is Chinese: outside quotation marks and brackets it has no three words of English in a row.
    private static func isChinese(_ text: String) -> Bool {
        let own = text.replacing(#/“[^”]*”|"[^"]*"|'[^']*'|\([^)]*\)|（[^）]*）/#) { _ in "" }
        return text.unicodeScalars.contains(where: \.properties.isIdeographic)
            && own.firstMatch(of: #/[a-z]{2,} [a-z]{2,} [a-z]{2,}/#) == nil
    }

    // MARK: Refusals

    @Test("Each refusal of the API has its sentence in Chinese, with its values")
    func refusals() throws {
        let names =
            "badValue|missing|unsupportedKey|badSchedule|badDeviceParameter|badAdminParameter|notServed|badReportParameter|"
            + "badTimeUnit|illegalAppKey|tooLarge|tooManyPacedPushes|certificateExists|certificateInvalid|appDeletionFailed"
        let calls = try Regex(
            #"(?:\bJPushError(?:\.\w+)?|[ (:]\.(?:"# + names + #")|\bSelf(?=\(\s*(?:status: )?\d))\("#
        )
        let sentences = try Self.texts(after: calls) { $0.ofCall() }
            .merging(Self.texts(after: #/let message =\s*(?=")|\bMultipartProblem\((?=")/#) { [$0.joined()] }) { $1 }
        #expect(sentences.count > 200)
        for (sentence, file) in sentences {
            let said = Self.table.translated(sentence)
            // Some have a path and a problem alone.
            let hasWords = sentence.replacing(#/'[^']*'/#) { _ in "" }.contains(where: \.isLetter)
            #expect(said.map { !hasWords || Self.isChinese($0) } == true, "\(file): \(sentence) → \(said ?? "nothing")")
        }
    }

    @Test("Each phrase within a refusal has its Chinese one")
    func phrases() throws {
        let beginnings = #/\bexpected: (?=")|\bJSONForm(?:<[\[\]\w]+>)?\((?=")|\.array\((?=")|\berror\((?=")/#
        let flaws = #/\breturn\s+(?="(?:has|does|begins|names) )/#
        let phrases = try Self.texts(after: beginnings) { [$0.joined()] }
            .merging(Self.texts(after: flaws) { [$0.joined()] }) { $1 }
        #expect(phrases.count > 50)
        for (phrase, file) in phrases {
            #expect(Self.table.translated(phrase) != nil, "\(file): \(phrase)")
        }
    }

    /// The texts of several words that `read` finds after each match in the sources, with 7 for each value, and their files.
    private static func texts(
        after pattern: some RegexComponent,
        _ read: (inout TextScanner) -> [String]
    ) throws -> [String: String] {
        var found: [String: String] = [:]
        let folders = [
            "Model/PushModel/JPush", "Model/PushModel/JSON", "Model/PushModel/Languages", "Model/PushModel/Segments",
            "Service/PushAPI",
            "Service/PushService/Road/Accept",
        ]
        for folder in folders {
            for name in try ProjectFolder.names(in: "Sources/\(folder)") {
                let source = try ProjectFolder.text(of: "Sources/\(folder)/\(name)")
                for match in source.matches(of: pattern) {
                    var scanner = TextScanner(rest: source[match.range.upperBound...])
                    for text in read(&scanner) where text.contains(" ") { found[text] = name }
                }
            }
        }
        return found
    }

    /// Reads literals of a source.
    private struct TextScanner {
        var rest: Substring

        /// Returns the texts up to the end of a call.
        mutating func ofCall() -> [String] {
            var found: [String] = []
            var depth = 1
            while depth > 0, let next = rest.first {
                switch next {
                case "\"":
                    found.append(joined())
                    continue
                case "(", "[", "{": depth += 1
                case ")", "]", "}": depth -= 1
                default: break
                }
                rest.removeFirst()
            }
            return found
        }

        /// Returns the text that comes next, with those that + adds to it.
        mutating func joined() -> String {
            var text = literal()
            while let plus = rest.prefixMatch(of: #/\s*\+\s*(?=")/#) {
                rest = rest[plus.range.upperBound...]
                text += literal()
            }
            return text
        }

        private mutating func literal() -> String {
            let mark = rest.hasPrefix("\"\"\"") ? "\"\"\"" : "\""
            rest.removeFirst(mark.count)
            var text = ""
            while !rest.isEmpty, !rest.hasPrefix(mark) {
                let next = rest.removeFirst()
                guard next == "\\", let escaped = rest.popFirst() else {
                    text.append(next)
                    continue
                }
                switch escaped {
                case "(":
                    _ = ofCall()
                    text += "7"
                // The line goes on.
                case "\n": rest = rest.drop { $0 == " " }
                default: text.append(escaped)
                }
            }
            rest.removeFirst(min(mark.count, rest.count))
            return mark.count == 1 ? text : text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    @Test(
        "A refusal keeps the words of its sender, and has its own in Chinese",
        arguments: [
            ("'notification.ios.extras' is a string; expected an object.", "“notification.ios.extras”是字符串，应为对象。"),
            (
                "Key 'name' is a string of 300 bytes; expected a string of 1 to 255 bytes without control characters.",
                "“name”是300 字节的字符串，应为1 到 255 字节且不含控制字符的字符串。"
            ),
            ("'options.time_to_live' is 999999; expected 0 to 864000.", "“options.time_to_live”是999999，应为0 到 864000。"),
            ("'audience.tag' holds 'a string'; expected non-empty strings.", "“audience.tag”含有“a string”，应为非空字符串。"),
            (
                "'notification.ios.sound_name' is not a key of a push. Did you mean 'sound-name'? Custom data belongs in 'extras'.",
                "“notification.ios.sound_name”不是推送的字段。是否想写“sound-name”？自定义数据应放在 extras 中。"
            ),
            (
                "The schedule-task is invalid:'push' is not valid: Missing parameter 'platform'. (1002)",
                "定时任务无效：“push”无效：缺少参数“platform”。（1002）"
            ),
            (
                "The body is not JSON: line 3, column 14: '\"' where ':' was expected.",
                "请求内容不是 JSON：第 3 行第 14 列：此处是'\"'，应为冒号。"
            ),
            (
                "'trigger.zone' is \"CST\"; expected \"device\", or an IANA name: 'CST' may mean America/Chicago or Asia/Shanghai.",
                "“trigger.zone”是\"CST\"，应为\"device\"，或IANA 名称：“CST”可能指 America/Chicago or Asia/Shanghai。"
            ),
            (
                "'notification.ios.x_localized.en' is a number; expected a text, or an object as 'alert' is.",
                "“notification.ios.x_localized.en”是数字，应为文本，或与 alert 格式相同的对象。"
            ),
            (
                "Key 'language[0]' is '中文'; expected a BCP 47 tag such as zh-Hans or en.",
                "“language[0]”是'中文'，应为BCP 47 语言标签，例如 zh-Hans 或 en。"
            ),
            (
                "'audience.x_pushes.was' is \"had\"; expected one of 'got', 'not_got', 'opened', 'not_opened'.",
                "“audience.x_pushes.was”是\"had\"，应为以下之一：'got', 'not_got', 'opened', 'not_opened'。"
            ),
            (
                "The service answered 400 1003: 'platform' is empty; expected \"all\" or names.",
                "服务返回 400（1003）：“platform”为空，应为\"all\" 或名称。"
            ),
        ]
    )
    func values(_ english: String, _ chinese: String) throws {
        let said = try #require(Self.table.translated(english))
        #expect(said.filter { $0 != " " } == chinese.filter { $0 != " " })
    }

    @Test("Text that is no sentence of the service, or too long for one, stays as it is")
    func unknown() {
        for text in ["", "推送已被接受。", "Something else", String(repeating: "'", count: 5000)] {
            #expect(Self.table.translated(text) == nil)
            #expect(Language.simplifiedChinese.said(text) == text)
        }
        #expect(Language.english.said("Rate limit exceeded") == "Rate limit exceeded")
    }

    // MARK: Verdicts

    /// An event of each kind that decides a verdict.
    private static var kinds: [JourneyEvent.Kind] {
        let presentations: [Presentation] = [
            .banner, .lockScreen, .list, .sound, .badge, .carPlay, .inApp, .activityStarted, .activityUpdated,
            .activityEnded, .call, .widgets,
        ]
        let fixed: [JourneyEvent.Kind] = [
            .accepted, .sent, .withdrawn, .stored, .coalesced, .expired, .delivered, .dismissed, .opened,
            .retried("TooManyRequests"), .acted("REPLY"), .acted("CXAnswerCallAction"), .acted("CXEndCallAction"),
            .replied(12), .crashed("SIGTRAP"), .notDecoded("the key 'x'"),
            .quietHours(until: Date(timeIntervalSince1970: 0), isHeld: true),
            .quietHours(until: Date(timeIntervalSince1970: 0), isHeld: false),
        ]
        return fixed + SuppressionReason.allCases.map { .suppressed($0) } + PauseReason.allCases.map { .paused($0) }
            + APNSReason.documented.map { .refused($0) } + presentations.map { .presented($0) }
            + [FetchOutcome.newData, .noData, .failed, .overran].map { .finished($0) }
    }

    @Test("Each verdict has its sentence in Chinese")
    func verdicts() {
        let contexts = [
            Verdict.Context(),
            Verdict.Context(pushEnvironment: .production, deviceEnvironment: .development, tokenFault: .length(31)),
            Verdict.Context(tokenFault: .hexadecimalTwice), Verdict.Context(tokenFault: .otherApp(bundleID: "a.b")),
            Verdict.Context(tokenFault: .otherEnvironment(.production)),
        ]
        let callback = JourneyEvent.Kind.callback(name: "application(_:didReceiveRemoteNotification:)", state: .active)
        for kind in Self.kinds {
            for station in [JourneyEvent.Station.service, .gateway, .device] {
                func event(_ kind: JourneyEvent.Kind) -> JourneyEvent {
                    JourneyEvent(date: Date(timeIntervalSince1970: 0), station: station, kind: kind)
                }
                let journeys = [[kind], [kind, .crashed("SIGTRAP")], [callback, .finished(.newData), kind]]
                let events = journeys.map { $0.map(event) }
                let verdicts =
                    events.flatMap { each in contexts.map { Verdict(each, context: $0) } }
                    + events.flatMap { [Verdict(ofCustomMessage: $0), Verdict(ofInAppMessage: $0)] }
                for verdict in verdicts {
                    let said = Self.table.translated(verdict.sentence)
                    #expect(said.map(Self.isChinese) == true, "\(verdict.sentence) → \(said ?? "nothing")")
                }
            }
        }
        #expect(Self.table.translated(Verdict.notInAudience.sentence) != nil)
        #expect(Self.table.translated(Verdict([]).sentence) != nil)
    }

    @Test("A verdict keeps its values in Chinese")
    func valuesOfVerdicts() throws {
        func said(_ kind: JourneyEvent.Kind, _ context: Verdict.Context = Verdict.Context()) -> String? {
            let event = JourneyEvent(date: Date(timeIntervalSince1970: 0), station: .device, kind: kind)
            return Self.table.translated(Verdict([event], context: context).sentence)
        }
        #expect(said(.replied(12)) == "已展示，用户回复了 12 个字符。")
        #expect(said(.acted("LATER")) == "已展示，用户选择了操作“LATER”。")
        #expect(said(.finished(.newData)) == "App 在后台运行，获取了新数据。")
        #expect(said(.presented(.banner)) == "已展示（横幅），用户尚未点击。")
        let environments = Verdict.Context(pushEnvironment: .production, deviceEnvironment: .development)
        let sentence = try #require(said(.suppressed(.environment), environments))
        #expect(sentence.contains("App 注册为开发环境安装包，而推送发往生产环境"))
        #expect(sentence.contains("options.apns_production 设为 false，或安装生产环境的安装包"))
    }

    @Test("The verdicts on calls are said in Chinese: reported to neither framework, too late, not due, and to both")
    func calls() {
        func said(_ kinds: [JourneyEvent.Kind]) -> String? {
            let events = kinds.map { kind in
                JourneyEvent(date: Date(timeIntervalSince1970: 0), station: .device, kind: kind)
            }
            return Self.table.translated(Verdict(events).sentence)
        }
        let neither = """
            Killing app because it never posted an incoming call to the system after receiving a PushKit VoIP push.
            """
        #expect(said([.crashed(neither)])?.contains("方法返回时没有报告来电") == true)
        let late = """
            the system ended it (0xbaadca11), because it failed to post an incoming call in time: within 7 seconds after the VoIP push
            """
        #expect(said([.crashed(late)])?.contains("7 秒内没有报告来电") == true)
        let afterReturn = said([.suppressed(.reportedLate), .crashed(neither)])
        #expect(afterReturn?.contains("方法返回之后 App 才报告来电") == true)
        #expect(said([.suppressed(.reportNotDueInFront)])?.contains("也不必报告：App 在前台") == true)
        let both = said([.presented(.conversation), .suppressed(.reportedTwice)])
        #expect(both?.hasPrefix("设备已响铃提示来电（LiveCommunicationKit）") == true)
        #expect(both?.hasSuffix("应只报告给其中一个。") == true)
    }
}
