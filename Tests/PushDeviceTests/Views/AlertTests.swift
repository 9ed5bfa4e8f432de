import PosthornTesting
import PushDevice
import SystemPort
import TestSupport
import Testing
import UIKit

@Suite("Alerts on the screen, answered by a person")
@MainActor
struct AlertTests {
    private let phone = TestPhone()
    private let log = ViewLog()
    private let root: LoggedController

    init() { root = LoggedController("A", log) }

    private func open() async {
        phone.install(.lab) { WindowApp(root, log) }
        await phone.open(.lab)
        _ = log.take()
    }

    private func inside<Result>(_ body: @MainActor () -> Result) throws -> Result { try phone.inLab(body) }

    private func alert(_ title: String, _ buttons: String...) -> UIAlertController {
        let alert = UIAlertController(title: title, message: "…", preferredStyle: .alert)
        for button in buttons {
            alert.addAction(
                UIAlertAction(title: button, style: .default) { _ in
                    log.lines.append("\(button), then \(root.presentedViewController == nil ? "none" : "one")")
                }
            )
        }
        return alert
    }

    private func problem(_ act: () async throws -> Void) async throws -> AlertProblem {
        do { try await act() } catch let problem as AlertProblem { return problem }
        throw Unexpected("The act succeeded.")
    }

    @Test("A tap dismisses the alert, and then its handler runs; the presenter stays")
    func tap() async throws {
        await open()
        try inside { root.present(alert("Delete?", "Yes", "No"), animated: true) }
        #expect(log.take().isEmpty)
        #expect(phone.alert?.title == "Delete?" && phone.alert?.buttons == ["Yes", "No"])
        #expect(phone.device.phoneState.alert?.buttons.map(\.role) == [.normal, .normal])
        try await phone.tapAlertButton("Yes")
        #expect(log.take() == ["Yes, then none"])
        #expect(phone.alert == nil && phone.device.phoneState.alert == nil)
        let words = phone.device.recentDeviceEvents.compactMap { event -> String? in
            switch event.kind {
            case .alertShown(let shown): "shown \(shown.title)"
            case .alertButtonTapped(let title): "tapped \(title)"
            case .alertHidden: "hidden"
            case .callback(let name, let state, _) where name.hasPrefix("UIAlertAction"): "\(name) \(state)"
            default: nil
            }
        }
        #expect(words == ["shown Delete?", "tapped Yes", "hidden", "UIAlertAction “Yes” active"])
        #expect(
            phone.runFile.entries.contains { $0.event == "alertShown" && $0.detail == "Delete? · … · [Yes] · [No]" }
        )
    }

    @Test("A tap on what is not there says what is, and changes nothing")
    func notThere() async throws {
        await open()
        #expect(
            "\(try await problem { try await phone.tapAlertButton("OK") })".contains("Lab is in front and shows none")
        )
        let shown = alert("Delete?", "Yes", "No")
        shown.actions[1].isEnabled = false
        try inside { root.present(shown, animated: true) }
        #expect(
            "\(try await problem { try await phone.tapAlertButton("OK") })"
                == "There is no button “OK”. On the screen is the alert “Delete? · …” with the buttons “Yes”, “No” (disabled)."
        )
        guard case .disabled("No", _) = try await problem({ try await phone.tapAlertButton("No") }) else {
            throw Unexpected("The button is disabled.")
        }
        guard case .noSuchField(0, _) = try await problem({ try await phone.writeInAlert("x") }) else {
            throw Unexpected("There is no field.")
        }
        #expect(phone.alert?.title == "Delete?" && log.take().isEmpty)
    }

    @Test("It stays while the app is in the background and the phone is locked, and cannot be touched then")
    func background() async throws {
        await open()
        try inside { root.present(alert("Delete?", "Yes"), animated: true) }
        await phone.background(.lab)
        #expect(phone.alert == nil)
        #expect(try await problem { try await phone.tapAlertButton("Yes") } == .noAlert(nil))
        await phone.open(.lab)
        #expect(phone.alert?.title == "Delete?")
        await phone.perform { $0.lock() }
        #expect(try await problem { try await phone.tapAlertButton("Yes") } == .locked)
        await phone.perform { $0.unlock() }
        _ = log.take()
        try await phone.tapAlertButton("Yes")
        #expect(log.take() == ["Yes, then none"])
    }

    @Test("One that comes in the background is seen with the app, and is in the story then")
    func fromBackground() async throws {
        await open()
        await phone.background(.lab)
        try inside { root.present(alert("Done", "OK"), animated: true) }
        func shows() -> Bool {
            phone.device.recentDeviceEvents.contains { if case .alertShown = $0.kind { true } else { false } }
        }
        #expect(!shows())
        await phone.open(.lab)
        #expect(shows() && phone.alert?.title == "Done")
    }

    @Test("A permission prompt is in front of it")
    func prompt() async throws {
        let phone = await TestPhone(prompts: .ask).opening { WindowApp(root, log) }
        try phone.inLab { root.present(alert("Delete?", "Yes"), animated: true) }
        guard case .behindPrompt = try await problem({ try await phone.tapAlertButton("Yes") }) else {
            throw Unexpected("The prompt is in front.")
        }
        await phone.answerPrompt(true)
        try await phone.tapAlertButton("Yes")
        #expect(log.take().contains("Yes, then none"))
    }

    @Test("A handler can present the next one")
    func next() async throws {
        await open()
        let first = UIAlertController(title: "First", message: nil, preferredStyle: .alert)
        first.addAction(
            UIAlertAction(title: "Next", style: .default) { _ in
                root.present(alert("Second", "OK"), animated: true)
            }
        )
        try inside { root.present(first, animated: true) }
        try await phone.tapAlertButton("Next")
        #expect(phone.alert?.title == "Second")
        try await phone.tapAlertButton("OK")
        #expect(log.take() == ["OK, then none"])
    }

    @Test("An app that dismisses it takes it off the screen; it goes with the process")
    func dismissed() async throws {
        await open()
        try inside { root.present(alert("Wait", "OK"), animated: true) }
        try inside { root.dismiss(animated: true) }
        #expect(phone.alert == nil && root.presentedViewController == nil)
        #expect(log.take().isEmpty)
        try inside { root.present(alert("Wait", "OK"), animated: true) }
        #expect(phone.alert != nil)
        await phone.terminate(.lab)
        #expect(phone.alert == nil)
        await phone.open(.lab)
        #expect(phone.alert == nil)
    }

    @Test("A person's text reaches the field, its delegate and its actions; the app may decline it")
    func text() async throws {
        final class Digits: NSObject, UITextFieldDelegate {
            func textField(
                _ textField: UITextField,
                shouldChangeCharactersIn range: NSRange,
                replacementString string: String
            ) -> Bool { string.allSatisfy(\.isNumber) }
        }
        await open()
        let digits = Digits()
        let alert = UIAlertController(title: "Sign in", message: nil, preferredStyle: .alert)
        alert.addTextField { field in
            field.placeholder = "Code"
            field.delegate = digits
            field.addAction(UIAction { _ in log.lines.append("changed to \(field.text ?? "")") }, for: .editingChanged)
        }
        alert.addTextField { $0.isSecureTextEntry = true }
        alert.addAction(UIAlertAction(title: "OK", style: .default))
        try inside { root.present(alert, animated: true) }
        #expect(phone.alert?.record.fields.map(\.placeholder) == ["Code", ""])
        try await phone.writeInAlert("12")
        try await phone.writeInAlert("letters")
        try await phone.writeInAlert("secret", field: 1)
        #expect(log.take() == ["changed to 12"])
        #expect(alert.textFields?.map(\.text) == ["12", "secret"])
        #expect(phone.device.phoneState.alert?.fields.map(\.text) == ["12", "••••••"])
        let story = phone.runFile.entries.filter { $0.event == "alertTextEntered" }.map(\.detail)
        #expect(story == ["12", "letters", "••••••"])
        guard case .noSuchField(2, _) = try await problem({ try await phone.writeInAlert("x", field: 2) }) else {
            throw Unexpected("There is no third field.")
        }
    }

    @Test("A second cancel button and a field of an action sheet raise Apple's exceptions")
    func exceptions() {
        let sheet = UIAlertController(title: nil, message: nil, preferredStyle: .actionSheet)
        let raised = RaisedException.catching {
            sheet.addAction(UIAlertAction(title: "Cancel", style: .cancel))
            sheet.addAction(UIAlertAction(title: "Cancel again", style: .cancel))
            sheet.addTextField()
        }
        #expect(raised.count == 2 && sheet.actions.count == 1 && sheet.textFields == nil)
    }

    @Test("An older alert view comes back when a newer one is answered")
    func stack() async throws {
        await open()
        try inside {
            for title in ["First", "Second"] {
                UIAlertView(title: title, message: nil, delegate: nil, cancelButtonTitle: "OK").show()
            }
        }
        #expect(phone.alert?.title == "Second")
        try await phone.tapAlertButton("OK")
        #expect(phone.alert?.title == "First")
        try await phone.tapAlertButton("OK")
        #expect(phone.alert == nil)
    }
}

/// A failure of a test's premise.
private struct Unexpected: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
