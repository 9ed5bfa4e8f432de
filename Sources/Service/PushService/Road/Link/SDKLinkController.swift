import DeviceLink
import Logging
import PushClock

/// Answers the frames of SDK links: registrations, logins and requests.
struct SDKLinkController: Sendable {
    let store: any DeviceStore & ReportStore
    let registry: Registry
    let clock: any CivilClock
    let calendar: UseCalendar
    let logger: Logger
    let router: MessageRouter
    let log: JourneyLog
    let registrations: RegistrationController

    func answer(_ text: String, on session: SDKLinkSession) async {
        let limit = RegistrationController.unauthenticatedBytes
        guard session.device != nil || text.utf8.count <= limit else {
            return refuse(session, code: 6017, "A frame before the login has at most \(limit) bytes.")
        }
        do {
            switch try SDKFrame(text: text) {
            case .register(let registration): try await register(registration, on: session)
            case .login(
                let key,
                let id,
                let secret,
                let position,
                let takesMessages,
                let zone,
                let version,
                let language,
                let permission
            ):
                session.takesMessages = takesMessages
                let report = DeviceReport(zone: zone, appVersion: version, language: language, permission: permission)
                try await logIn(id, of: key, secret: secret, report, keptThrough: position, on: session)
            case .request(let number, let sequence, let request):
                guard let device = session.device else {
                    return session.send(.reply(number: number, SDKReply(code: 6016, message: "Log in first.")))
                }
                guard registry.app(device.app) != nil else {
                    return refuse(session, code: 1005, "The app was deleted.")
                }
                let reply = try await carryOut(request, numbered: sequence, for: device, on: session)
                session.send(.reply(number: number, reply))
            case .acknowledge(let position): acknowledge(position, on: session)
            case .registered, .loggedIn, .refused, .reply, .message, .takeBack:
                refuse(session, code: 6017, "Only the service may send that frame.")
            }
        } catch let refusal as RegistrationRefusal {
            refuse(session, code: refusal.code, refusal.message)
        } catch let error as LinkFrameError {
            refuse(session, code: 6017, error.description)
        } catch let error as StoreError where error.retryAfter != nil {
            // The store itself logs once that it accepts no writes.
            logger.debug("An SDK request was refused", metadata: ["error": "\(error)"])
            session.connection.close()
        } catch {
            // The app repeats unanswered requests after its next login.
            logger.error("An SDK request failed", metadata: ["error": "\(error)"])
            session.connection.close()
        }
    }

    /// Handles an acknowledgement at once, without queueing: a burst of messages may bring one for each.
    ///
    /// - Returns: false if the frame is something else, or comes before the login.
    func takesAcknowledgement(_ text: String, on session: SDKLinkSession) -> Bool {
        guard text.utf8.count <= Self.acknowledgementBytes, let position = Self.acknowledgedPosition(text),
            session.device != nil
        else { return false }
        acknowledge(position, on: session)
        return true
    }

    private static func acknowledgedPosition(_ text: String) -> Int64? {
        if let position = SDKFrame.plainAcknowledgement(text) { return position }
        guard text.contains("\"ack\""), case .acknowledge(let position)? = try? SDKFrame(text: text) else { return nil }
        return position
    }

    /// An upper bound for the length of an acknowledgement in any notation.
    private static let acknowledgementBytes = 100

    private func acknowledge(_ position: Int64, on session: SDKLinkSession) {
        guard let device = session.device, registry.app(device.app) != nil, let had = session.acknowledge(position)
        else { return }
        log.acknowledge(device, through: had.through, delivered: had.messages)
    }

    /// Sends a device more of its waiting messages.
    func catchUp(_ device: DeviceID, on session: SDKLinkSession, from gap: MessageOutbox.Gap) async {
        do { try await router.catchUp(device, on: session, from: gap) } catch {
            // The device receives waiting messages at its next login.
            logger.error("Custom messages could not be read", metadata: ["error": "\(error)"])
            session.connection.close()
        }
    }

    func refuse(_ session: SDKLinkSession, code: Int, _ message: String) {
        session.send(.refused(code: code, message: message))
        session.connection.close()
    }
}
