import SystemPort

/// An alert on the device's screen, from the app's side.
///
/// It is kept until a person answers it or the app hides it.
@MainActor
final class PresentedAlert {
    /// Tells the device that a method or a handler of the app was called.
    typealias Ran = (String) -> Void

    private let id: String
    private let port: any SystemPort
    private let record: () -> AlertRecord
    fileprivate let edited: (_ field: Int, _ text: String) -> Void
    fileprivate let answered: (_ button: Int, @escaping Ran) -> Void

    /// Puts an alert on the screen.
    ///
    /// - Parameters:
    ///   - record: returns the alert as it is now; its id does not matter.
    ///   - edited: called when the person has written into a field.
    ///   - answered: called when the person has tapped a button, and the screen shows the alert no longer.
    init(
        _ record: @escaping () -> AlertRecord,
        edited: @escaping (_ field: Int, _ text: String) -> Void,
        answered: @escaping (_ button: Int, @escaping Ran) -> Void
    ) {
        port = CurrentPort.find()
        id = PresentedAlerts.of(port).nextID()
        self.record = record
        self.edited = edited
        self.answered = answered
        PresentedAlerts.of(port).alerts[id] = self
        update()
    }

    /// Shows the alert as it is now.
    func update() {
        guard PresentedAlerts.of(port).alerts[id] === self else { return }
        var record = record()
        record.id = id
        port.call(.showAlert(record))
    }

    /// Takes the alert off the screen, if it is still there.
    func hide() {
        guard PresentedAlerts.of(port).alerts.removeValue(forKey: id) != nil else { return }
        port.call(.hideAlert(id: id))
    }
}

/// The alerts of an app that are on the device's screen.
@MainActor
final class PresentedAlerts: PortSlot {
    fileprivate var alerts: [String: PresentedAlert] = [:]
    private var last = 0

    nonisolated init() {}

    fileprivate func nextID() -> String {
        last += 1
        return String(last)
    }

    /// Delivers what a person has done in an alert.
    func deliver(_ event: SystemEvent.Kind, _ reply: @escaping EventReplyHandler) {
        switch event {
        case .alertEdited(let id, let field, let text):
            guard let alert = alerts[id] else { return }
            alert.edited(field, text)
            // The app may have changed the text, or enabled a button.
            alert.update()
        case .alertAnswered(let id, let button):
            alerts.removeValue(forKey: id)?.answered(button) { reply(.ran($0)) }
        default: break
        }
    }
}
