import PosthornTesting
import PushDevice
import SystemPort
import Testing
import UIKit

@Suite("Navigation controllers, tab bar controllers, storyboards")
@MainActor
struct ContainerTests {
    private let phone = TestPhone()
    private let log = ViewLog()

    private func inside<Result>(_ body: @MainActor () -> Result) throws -> Result { try phone.inLab(body) }

    private func open(_ root: UIViewController) async {
        phone.install(.lab) { WindowApp(root, log) }
        await phone.open(.lab)
    }

    /// The lines about appearing and disappearing, and about loading.
    private func taken() -> [String] {
        log.take().filter { $0.hasSuffix("appear") || $0.hasSuffix("loaded") }
    }

    @Test("Push and pop: loaded, one disappears, the other appears, in iOS's order")
    func navigation() async throws {
        let first = LoggedController("A", log)
        let second = LoggedController("B", log)
        let navigation = UINavigationController(rootViewController: first)
        await open(navigation)
        #expect(taken() == ["A loaded", "A will appear", "A did appear"])
        try inside {
            navigation.pushViewController(second, animated: true)
            #expect(navigation.topViewController === second && second.navigationController === navigation)
        }
        #expect(
            taken() == ["B loaded", "A will disappear", "B will appear", "A did disappear", "B did appear"]
        )
        #expect(first.view.window == nil && second.view.window != nil)
        try inside { #expect(navigation.popViewController(animated: true) === second) }
        #expect(taken() == ["B will disappear", "A will appear", "B did disappear", "A did appear"])
        #expect(second.parent == nil && second.navigationController == nil && navigation.viewControllers == [first])
        try inside { #expect(navigation.popViewController(animated: true) == nil) }
        #expect(taken().isEmpty)
    }

    @Test("A pop to the first one passes over what lies between; a pushed controller cannot be pushed again")
    func popToRoot() async throws {
        let pages = ["A", "B", "C"].map { LoggedController($0, log) }
        let navigation = UINavigationController(rootViewController: pages[0])
        await open(navigation)
        try inside {
            navigation.pushViewController(pages[1], animated: false)
            navigation.pushViewController(pages[2], animated: false)
        }
        // Both pushes are one transition to the last.
        #expect(taken().suffix(4) == ["A will disappear", "C will appear", "A did disappear", "C did appear"])
        try inside {
            let exceptions = RaisedException.catching { navigation.pushViewController(pages[1], animated: false) }
            #expect(exceptions.map(\.name) == ["NSInvalidArgumentException"])
            #expect(navigation.popToRootViewController(animated: false) == [pages[1], pages[2]])
        }
        #expect(taken() == ["C will disappear", "A will appear", "C did disappear", "A did appear"])
    }

    @Test("A tab is loaded when it is first selected, and the other one disappears")
    func tabs() async throws {
        let pages = ["A", "B"].map { LoggedController($0, log) }
        pages[1].title = "Second"
        let tabs = UITabBarController()
        tabs.viewControllers = pages
        #expect(tabs.selectedIndex == 0 && tabs.selectedViewController === pages[0])
        await open(tabs)
        #expect(taken() == ["A loaded", "A will appear", "A did appear"])
        try inside { tabs.selectedIndex = 1 }
        #expect(taken() == ["B loaded", "A will disappear", "B will appear", "A did disappear", "B did appear"])
        #expect(pages[1].tabBarController === tabs)
        #expect(tabs.tabBar.items?.map(\.title) == [nil, "Second"])
        try inside { tabs.viewControllers = [pages[0]] }
        #expect(taken() == ["B will disappear", "A will appear", "B did disappear", "A did appear"])
        #expect(pages[1].parent == nil)
    }

    @Test("The whole way down a chain of containers appears, and the presented controller is everybody's")
    func nested() async throws {
        let page = LoggedController("A", log)
        let navigation = UINavigationController(rootViewController: page)
        let tabs = UITabBarController()
        tabs.viewControllers = [navigation]
        await open(tabs)
        #expect(taken() == ["A loaded", "A will appear", "A did appear"])
        #expect(page.tabBarController === tabs)
        let sheet = UIViewController()
        try inside { page.present(sheet, animated: true) }
        #expect(page.presentedViewController === sheet && tabs.presentedViewController === sheet)
        #expect(sheet.presentingViewController === tabs)
        try inside { page.dismiss(animated: true) }
        #expect(tabs.presentedViewController == nil)
    }

    @Test("A storyboard or a nib is named by the exception that says what to do")
    func storyboards() throws {
        var found: [UIViewController?] = []
        let exceptions = RaisedException.catching {
            let storyboard = UIStoryboard(name: "Main", bundle: nil)
            found.append(storyboard.instantiateInitialViewController())
            found.append(storyboard.instantiateViewController(withIdentifier: "Inbox"))
            let typed: UITabBarController = storyboard.instantiateViewController(identifier: "Tabs")
            found.append(typed)
            let controller = UIViewController(nibName: "LoginView", bundle: nil)
            controller.loadViewIfNeeded()
            found.append(controller)
            controller.performSegue(withIdentifier: "ShowOrder", sender: nil)
            #expect(UINib(nibName: "Cell", bundle: .main).instantiate(withOwner: nil).isEmpty)
            #expect(Bundle.main.loadNibNamed("Header", owner: nil) == nil)
        }
        #expect(found.count == 4 && found[0] == nil)
        let reasons = exceptions.map(\.reason)
        #expect(reasons.count == 7)
        for (reason, names) in zip(
            reasons,
            [
                ["Main", "initial"], ["Main", "Inbox"], ["Main", "Tabs"], ["LoginView"], ["ShowOrder"], ["Cell"],
                ["Header"],
            ]
        ) {
            for name in names + ["in code"] { #expect(reason.contains(name)) }
        }
    }
}
