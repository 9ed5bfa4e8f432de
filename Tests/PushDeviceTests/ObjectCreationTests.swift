import Foundation
import SystemPort
import Testing
import UIKit
import UserNotifications

@MainActor
private final class Router {
    var opened = ["orders"]
}

private class PlainObject: NSObject {
    var name = "plain"
}

/// Isolated to the main actor by its conformance, with stored properties that only the main actor can create.
private class SceneObject: NSObject, UIWindowSceneDelegate {
    var window: UIWindow?
    var name = "scene"
    let router = Router()
    var list = [1, 2, 3]
}

private final class FinalSceneObject: NSObject, UISceneDelegate {
    let router = Router()
}

private class DeclaringResponder: UIResponder, UIApplicationDelegate {
    var name = ""
    let router = Router()

    override init() {
        super.init()
        name = "declared"
    }
}

private class InheritingResponder: DeclaringResponder {
    var more = ["more"]
}

private class GenericObject<Value>: NSObject {
    var value: Value?
    var name = "generic"
}

/// Calls its own `init(name:)` in a convenience initialiser.
private class ConvenientObject: NSObject {
    var name: String

    init(name: String) {
        self.name = name
        super.init()
    }

    convenience override init() { self.init(name: "convenient") }
}

private class NamedObject: NSObject {
    var name: String

    init(name: String) { self.name = name }
}

@Suite("Objects of classes known at run time only")
@MainActor
struct ObjectCreationTests {
    @Test("A class is created by its own init(), with all stored properties")
    func created() {
        #expect(ObjectCreation.make(PlainObject.self).name == "plain")
        let scene = ObjectCreation.make(SceneObject.self)
        #expect(scene.name == "scene" && scene.list == [1, 2, 3] && scene.router.opened == ["orders"])
        #expect(ObjectCreation.make(FinalSceneObject.self).router.opened == ["orders"])
        #expect(ObjectCreation.make(DeclaringResponder.self).name == "declared")
        let heir = ObjectCreation.make(InheritingResponder.self)
        #expect(heir.name == "declared" && heir.more == ["more"] && heir.router.opened == ["orders"])
        #expect(ObjectCreation.make(GenericObject<Int>.self).name == "generic")
        #expect(ObjectCreation.make(ConvenientObject.self).name == "convenient")
    }

    @Test("A type that is known by its base class only is created as itself")
    func dynamic() {
        let type: NSObject.Type = InheritingResponder.self
        #expect((ObjectCreation.make(type) as? InheritingResponder)?.more == ["more"])
    }

    @Test("A created object is released")
    func released() {
        weak let object = ObjectCreation.make(SceneObject.self)
        #expect(object == nil)
    }

    @Test("A class without an init() ends the process, with its name")
    func withoutInit() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ObjectCreation.make(NamedObject.self)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("Use of unimplemented initializer 'init()' for class 'PushDeviceTests.NamedObject'"))
    }

    @Test("A class that cannot be a scene's delegate raises an exception with the reason")
    func exceptions() {
        let configuration = UISceneConfiguration(name: nil, sessionRole: .windowApplication)
        configuration.delegateClass = PlainObject.self
        let raised = RaisedException.catching { #expect(configuration.makeDelegate() == nil) }
        #expect(raised.map(\.name) == ["NSInvalidArgumentException"])
        #expect(raised.first?.reason.contains("conforms to UISceneDelegate") == true)
        configuration.delegateClass = SceneObject.self
        #expect((configuration.makeDelegate() as? SceneObject)?.name == "scene")
    }
}
