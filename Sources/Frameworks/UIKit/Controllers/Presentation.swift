import Foundation
import SystemPort

/// A controller in front of another one.
@MainActor
struct Presentation {
    private let presented: UIViewController
    private let source: UIViewController
    private let isAnimated: Bool

    /// Presents a controller from the one behind it, or from a child of that one; `animated` is passed on to the callbacks.
    init(of presented: UIViewController, from source: UIViewController, animated: Bool) {
        self.presented = presented
        self.source = source
        isAnimated = animated
    }

    private var presenter: UIViewController { source.root }

    /// Whether the presenter disappears. Source: Apple, `UIModalPresentationStyle`; the automatic style is a sheet from iOS 13 on,
    /// and covered the screen before.
    private var coversPresenter: Bool {
        if presented is UIAlertController { return false }
        switch presented.modalPresentationStyle {
        case .fullScreen, .currentContext: return true
        case .automatic, .pageSheet, .formSheet, .popover: return CurrentPort.facts.systemMajor < 13
        case .custom, .overFullScreen, .overCurrentContext, .none: return false
        }
    }

    func begin(_ completion: (() -> Void)?) {
        guard isPossible, let window = presenter.viewIfLoaded?.window else { return }
        let covers = coversPresenter
        let transitions = Transitions.current
        presenter.presented = presented
        presented.presenter = presenter
        presented.isDriven = true
        presented.isBeingPresented = true
        presented.loadViewIfNeeded()
        presented.viewIfLoaded.map(window.addSubview)
        (presented as? UIAlertController)?.show()
        transitions.add { [self] in
            if covers { presenter.beginAppearanceTransition(false, animated: isAnimated) }
            presented.beginAppearanceTransition(true, animated: isAnimated)
            presented.layOut()
            presented.endAppearanceTransition()
            if covers {
                presenter.endAppearanceTransition()
                presenter.viewIfLoaded?.removeFromSuperview()
            }
            presented.isBeingPresented = false
            completion?()
        }
    }

    /// Ends it, and everything in front of the presented controller.
    func end(_ completion: (() -> Void)?) {
        guard !presented.isBeingDismissed else { return }
        let chain = Array(sequence(first: presented) { $0.presented })
        for each in chain {
            each.isBeingDismissed = true
            (each as? UIAlertController)?.hide()
        }
        Transitions.current.add { [self] in
            let window = chain.lazy.compactMap { $0.viewIfLoaded?.window }.first
            let returns = presenter.appearance == .disappeared && presenter.viewIfLoaded?.superview == nil
            if returns, let view = presenter.viewIfLoaded { window?.insertSubview(view, at: 0) }
            for each in chain.reversed() { each.beginAppearanceTransition(false, animated: isAnimated) }
            if returns {
                presenter.beginAppearanceTransition(true, animated: isAnimated)
                presenter.layOut()
                presenter.endAppearanceTransition()
            }
            for each in chain.reversed() {
                each.endAppearanceTransition()
                each.leavePresenter()
            }
            completion?()
        }
    }

    /// Whether the presentation can begin; otherwise the reason is printed, as on iOS, or raised.
    private var isPossible: Bool {
        let names = "\(Self.name(presented)) on \(Self.name(presenter)) (from \(Self.name(source)))"
        if presented.parent != nil || presented.presenter != nil {
            RaisedException.raise(
                "Application tried to present modally a view controller \(Self.name(presented)) that has a parent or is presented.",
                name: "NSInvalidArgumentException"
            )
            return false
        }
        if presenter.viewIfLoaded?.window == nil {
            Self.warn("Attempt to present \(names) whose view is not in the window hierarchy.")
            return false
        }
        if let other = presenter.presented {
            Self.warn("Attempt to present \(names) which is already presenting \(Self.name(other)).")
            return false
        }
        return true
    }

    private static func name(_ controller: UIViewController) -> String { "<\(type(of: controller))>" }

    private static func warn(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}

extension UIViewController {
    /// Ends its presentation, after it has disappeared.
    fileprivate func leavePresenter() {
        viewIfLoaded?.removeFromSuperview()
        presenter?.presented = nil
        presenter = nil
        isDriven = false
        isBeingDismissed = false
    }
}
