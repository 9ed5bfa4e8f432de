import ArgumentParser
import Foundation
import PushModel
import PushService

/// The help of options whose values have a name of their own in the usage.
extension ArgumentHelp {
    static func file(_ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: "file") }
    static func folder(_ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: "folder") }
    static func id(_ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: "id") }
    static func json(_ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: "json") }
    static func messageID(_ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: "msg-id") }
    static func pair(_ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: "key=value") }
    static func port(_ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: "port") }
    static func seconds(_ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: "seconds") }
    static func token(_ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: "token") }
    static func type(_ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: "type") }
    static func url(_ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: "url") }
}

extension Language: ExpressibleByArgument {
    package init?(argument: String) { self.init(tag: argument) }
}

extension Language {
    /// The language of the locale: that of refusals and warnings of a service.
    static let ofProcess = Language(environment: ProcessInfo.processInfo.environment)
}

/// The language of verdicts, findings and advice. Commands say all else but refusals and warnings of a service in English.
struct LanguageOptions: ParsableArguments {
    @Option(help: "The language of verdicts and advice; that of the locale (LC_ALL, LC_MESSAGES or LANG) by default.")
    var lang: Language?

    var texts: Catalogue { Catalogue(lang ?? .ofProcess) }
}

/// Checks that the number of an option is in a range.
///
/// - Throws: `ValidationError` with the range, in a unit if one is named.
func check(_ option: String, _ number: Int, in range: ClosedRange<Int>, unit: String = "") throws {
    guard !range.contains(number) else { return }
    let expected = "\(range.lowerBound) to \(range.upperBound)\(unit.isEmpty ? "" : " \(unit)")"
    throw ValidationError("\(option) is \(number); expected \(expected).")
}
