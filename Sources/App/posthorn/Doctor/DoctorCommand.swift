import ArgumentParser
import Foundation
import PosthornStack
import PushClock
import PushModel
import PushService

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks what a push needs, and says what to do about what is wrong.",
        discussion: """
            posthorn doctor --app APP-KEY
            posthorn doctor --device REGISTRATION-ID --message MSG-ID
            posthorn doctor --profile app.mobileprovision --p12 push.p12 --info-plist Info.plist

            Without files it checks the service, its machine and its way to APNs; with --app also the app's credentials, by a push \
            to a device token that no device has. Files are held against each other and against the app of --app; without --app, \
            --device and --message they are all that is checked. The exit status is 1 if something is wrong.
            """
    )

    @Option(help: "The key of an app to check.") var app: String?

    @Option(help: ArgumentHelp("The registration id of a device to check.", valueName: "registration-id"))
    var device: String?

    @Option(help: .messageID("The msg_id of a push to check; with --device, its way to that device."))
    var message: String?

    @Option(help: .file("Path of a provisioning profile, a .mobileprovision.")) var profile: String?
    @Option(help: .file("Path of a push certificate with its key.")) var p12: String?
    @OptionGroup var key: SigningKeyOptions
    @Option(help: .file("Path of the app's Info.plist.")) var infoPlist: String?
    @Option(help: .file("Path of the app's entitlements.")) var entitlements: String?
    @OptionGroup var password: CertificatePassword
    @OptionGroup var language: LanguageOptions
    @OptionGroup var options: OperatorOptions

    func validate() throws {
        try Self.check("--key-id", key.keyID)
        try Self.check("--team-id", key.teamID)
    }

    // Not a loop over a literal: the compiler orders the instructions of one at random, and two builds have to be the same.
    private static func check(_ option: String, _ value: String?) throws {
        guard let value, value.utf8.count != Credential.idBytes else { return }
        throw ValidationError("\(option) is '\(value)'; expected \(Credential.idBytes) characters.")
    }

    func run() async throws {
        var files = try await readFiles()
        var findings: [Finding] = []
        if files.isEmpty || app != nil || device != nil || message != nil {
            let answer = try await options.perform(.doctor(app: app, device: device, message: message))
            findings = (try OperatorClient.read(answer) as DoctorAnswer).findings
            if !files.isEmpty, let app { files.setting = try await setting(of: app) }
        }
        findings += files.findings(at: SystemClock().date)
        let answer = DoctorAnswer(findings)
        if options.json {
            printLine(JSONCoding.json(of: answer).text)
        } else {
            for finding in findings { printLine(finding.lines(language.texts)) }
        }
        if !answer.ok { throw ExitCode.failure }
    }

    private func readFiles() async throws -> BuildFiles {
        var files = BuildFiles()
        files.profile = try profile.map { try ProvisioningProfile(path: $0) }
        if let p12 {
            let bytes = try readBytes(p12, "--p12")
            let secret = try password.password(isLocked: true) ?? ""
            let reader = CertificateReader()
            do {
                files.certificate = .success(
                    try await reader.inspect(bytes, passPhrase: secret)
                        .choice(for: nil, in: nil, at: SystemClock().date).certificate
                )
            } catch let problem as UnusableCertificate {
                files.certificate = .failure(problem)
            }
        }
        if let p8 = key.p8, let keyID = key.keyID, let teamID = key.teamID {
            let credential = Credential(keyID: keyID, teamID: teamID, privateKey: try readText(p8, "--p8"))
            files.key = BuildFiles.Key(keyID: keyID, teamID: teamID, problem: credential.problem)
        }
        files.info = try infoPlist.map { try Self.propertyList($0, "--info-plist") }
        files.entitlements = try entitlements.map { try Self.propertyList($0, "--entitlements") }
        return files
    }

    private static func propertyList(_ path: String, _ option: String) throws -> JSONObject {
        guard let list = BuildFiles.propertyList(Data(try readBytes(path, option))) else {
            throw ValidationError("\(option) '\(path)' is not a property list with a dictionary in it.")
        }
        return list
    }

    private func setting(of app: String) async throws -> BuildFiles.Setting {
        let app: AppAnswer = try OperatorClient.read(try await options.perform(.appShow(app: app)))
        return BuildFiles.Setting(bundleID: app.bundleID, environment: app.environment)
    }
}

extension Finding {
    /// The finding for a person: a mark, the check, the sentence and, on a second line, the remedy.
    func lines(_ texts: Catalogue) -> String {
        let mark =
            switch state {
            case .ok: "✔"
            case .warning: "!"
            case .wrong: "✘"
            case .unknown: "?"
            }
        let name = check.padding(toLength: max(check.count, 22), withPad: " ", startingAt: 0)
        // A newer service may have remarks without words here.
        let isEnglish = texts.language == .english || remarks.isEmpty
        let (found, remedy) = isEnglish ? (found, remedy) : RemarkText(texts).said(remarks)
        let line = "\(mark) \(name) \(found.printed)"
        return remedy.map { "\(line)\n\(String(repeating: " ", count: 25))→ \($0.printed)" } ?? line
    }
}
