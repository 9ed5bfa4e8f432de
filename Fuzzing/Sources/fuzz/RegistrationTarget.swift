import DeviceLink
import PushModel

@testable import PushService

/// Parses the body of a device's HTTP call. First octet: which call.
func fuzzRegistration(_ input: [UInt8]) {
    var reader = Reader(input)
    let kind = Int(reader.byte())
    do {
        let body = try RegistrationBody(parsing: Array(reader.rest))
        let kinds = ["tags", "alias", "badge", "mobile", "push-switch"]
        switch kind % (kinds.count + 3) {
        case 0:
            let (registration, requests) = try body.registration()
            checkWritten(.register(registration))
            for request in requests { checkWritten(.request(number: 1, request)) }
        case 1:
            let (report, requests) = try body.report(stored: .production)
            for request in requests {
                if case .token(_, let environment) = request {
                    check(environment == report.environment ?? .production, "a token of another environment")
                }
            }
        case 2: check(try body.receipts().allSatisfy { $0.bits.contains(.received) }, "a receipt of nothing")
        default: checkWritten(.request(number: 1, try body.request(kinds[kind % (kinds.count + 3) - 3])))
        }
    } catch let refusal as RegistrationRefusal {
        check(refusal.code == 6017 && !refusal.message.isEmpty, "a refusal without words: \(refusal)")
    } catch { check(false, "another error: \(error)") }
}

/// Checks that a call has its frame on the link.
private func checkWritten(_ frame: SDKFrame) {
    do throws(LinkFrameError) {
        check(try SDKFrame(text: frame.text) == frame, "\(frame) is read as another frame")
    } catch {
        check(false, "what is written is no frame: \(error): \(frame.text)")
    }
}
