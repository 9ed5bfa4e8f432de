import Foundation
import PushModel
import Testing

@testable import PushService

@Suite("The diagnosis of a test push")
struct DiagnosisTests {
    private static func device(
        permission: NotificationPermission? = nil,
        _ change: (inout RegisteredDevice) -> Void = { _ in }
    ) -> RegisteredDevice {
        var device = RegisteredDevice(
            id: DeviceID(app: 1, ordinal: 0),
            installation: "i",
            secretHash: SecretHash(of: "s"),
            token: DeviceToken(bytes: [1]),
            environment: .production,
            tokenRegisteredAt: .distantPast,
            lastSeen: .distantPast,
            permission: permission
        )
        change(&device)
        return device
    }

    /// A journey by what service and device report, and the cause; whether it is certain.
    private static let journeys: [([JourneyEvent.Kind], NotificationPermission?, Diagnosis.Cause, Bool)] = [
        ([.accepted, .targeted], nil, .waiting, false),
        ([.retried("connection")], nil, .waiting, false),
        ([.paused(.noCredential)], nil, .credentialMissing, true),
        ([.paused(.certificateExpired)], nil, .credentialExpired, true),
        ([.paused(.credentialRefused)], nil, .credentialRefused, true),
        ([.refused(.badDeviceToken)], nil, .environment, true),
        ([.refused(.deviceTokenNotForTopic)], nil, .tokenRefused, true),
        ([.refused(.unregistered)], nil, .tokenGone, true),
        ([.refused(.payloadTooLarge)], nil, .refused, true),
        ([.sent], nil, .notReported, false),
        ([.sent], .authorized, .notReported, false),
        // What Apple's devices do not report, the app has.
        ([.sent], .denied, .permission, false), ([.sent], .notDetermined, .permission, false),
        ([.sent], .provisional, .provisional, false), ([.sent], .bannersOff, .bannersOff, false),
        ([.sent], .summary, .summary, false), ([.sent, .delivered], nil, .well, false),
        ([.sent, .delivered], .bannersOff, .bannersOff, false),
        ([.sent, .stored], nil, .deviceOffline, false),
        ([.delivered, .suppressed(.permissionDenied)], nil, .permission, true),
        ([.delivered, .suppressed(.foreground)], nil, .foreground, true),
        ([.delivered, .suppressed(.notInstalled)], nil, .notShown, true),
        ([.delivered, .presented(.list)], nil, .well, false),
        ([.delivered, .presented(.list)], .provisional, .provisional, false),
        ([.delivered, .presented(.list), .suppressed(.focus)], nil, .focus, true),
        ([.delivered, .presented(.banner), .suppressed(.soundMissing)], nil, .well, true),
        ([.delivered, .presented(.banner)], .denied, .well, true),
        ([.delivered, .presented(.banner), .opened], nil, .well, true),
        ([.delivered, .crashed("signal 11")], nil, .notShown, true),
    ]

    @Test("Each journey has its cause", arguments: journeys)
    func judges(
        _ kinds: [JourneyEvent.Kind],
        _ permission: NotificationPermission?,
        _ cause: Diagnosis.Cause,
        _ isCertain: Bool
    ) {
        let events = kinds.map { kind in
            let isOfService =
                switch kind {
                case .accepted, .targeted, .retried, .paused, .refused, .sent: true
                default: false
                }
            return JourneyEvent(date: .distantPast, station: isOfService ? .service : .device, kind: kind)
        }
        let found = Diagnosis.cause(of: events, on: Self.device(permission: permission))
        #expect(found == (cause, isCertain), "\(found)")
    }

    @Test("A device that a push cannot reach needs none")
    func needsNone() {
        #expect(Diagnosis.cause(of: Self.device()) == nil)
        #expect(Diagnosis.cause(of: Self.device { $0.isStopped = true }) == .pushOff)
        #expect(Diagnosis.cause(of: Self.device { $0.token = nil }) == .noToken)
        #expect(Diagnosis.cause(of: Self.device { $0.tokenRefusal = .badDeviceToken }) == .environment)
        #expect(Diagnosis.cause(of: Self.device { $0.tokenRefusal = .deviceTokenNotForTopic }) == .tokenRefused)
    }

    @Test("Each cause has a sentence in both languages, and advice", arguments: Diagnosis.Cause.allCases)
    func speaks(_ cause: Diagnosis.Cause) {
        let english = cause.sentence(in: .english)
        let chinese = cause.sentence(in: .simplifiedChinese)
        #expect(english.hasSuffix(".") && english.utf8.count == english.count)
        #expect(chinese.hasSuffix("。") && chinese != english)
        #expect(!cause.advice.isEmpty)
        for other in Diagnosis.Cause.allCases where other != cause {
            #expect(other.sentence(in: .english) != english && other.sentence(in: .simplifiedChinese) != chinese)
        }
    }

    @Test(
        "Chinese is spoken to those who ask for it",
        arguments: [
            ("zh-Hans-CN", "zh-Hans"), ("ZH", "zh-Hans"), ("zh-TW,en;q=0.5", "zh-Hans"), ("en", "en"), ("de-AT", "en"),
            ("", "en"),
        ]
    )
    func languages(_ tag: String, _ language: String) {
        #expect(Language(accepting: tag).rawValue == language)
    }
}
