// SwiftUI as far as the pages use it, with the isolation and the availability of Apple's interface.

@_exported import Foundation
public import UIKit

@available(iOS 13.0, *)
@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

@available(iOS 13.0, *)
extension Never: View {
    public var body: Never { fatalError() }
}

@available(iOS 13.0, *)
@resultBuilder public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

@available(iOS 13.0, *)
@MainActor @preconcurrency public struct Text: View {
    public nonisolated init(_ content: String) {}
    public var body: Never { fatalError() }
}

@available(iOS 13.0, *)
extension ViewBuilder {
    public static func buildBlock<each Content: View>(_ content: repeat each Content) -> Text { Text("") }
    public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
}

@available(iOS 13.0, *)
extension Optional: View where Wrapped: View {
    public var body: Never { fatalError() }
}

@available(iOS 13.0, *)
extension View {
    public nonisolated func onAppear(perform action: (() -> Void)? = nil) -> some View { self }
}

@available(iOS 13.0, *)
public struct Font: Sendable {
    public static let caption = Font()
}

@available(iOS 13.0, *)
extension Text {
    public nonisolated func font(_ font: Font?) -> Text { self }
}

@available(iOS 13.0, *)
public struct HorizontalAlignment: Sendable {
    public static let leading = HorizontalAlignment()
}

@available(iOS 13.0, *)
@MainActor @preconcurrency public struct VStack<Content: View>: View {
    public nonisolated init(alignment: HorizontalAlignment, @ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

@available(iOS 13.0, *)
@MainActor @preconcurrency public struct List<Content: View>: View {
    public nonisolated init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

@available(iOS 13.0, *)
@MainActor @preconcurrency public struct ForEach<Data: RandomAccessCollection, Content: View>: View
where Data.Element: Identifiable {
    public nonisolated init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {}
    public var body: Never { fatalError() }
}

@available(iOS 13.0, *)
@MainActor @preconcurrency public struct Button: View {
    public nonisolated init(_ title: String, action: @escaping @MainActor () -> Void) {}
    public var body: Never { fatalError() }
}

@available(iOS 13.0, *)
@propertyWrapper public struct State<Value>: DynamicProperty {
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public var wrappedValue: Value {
        get { fatalError() }
        nonmutating set {}
    }
}

@available(iOS 14.0, *)
@MainActor @preconcurrency public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}

@available(iOS 14.0, *)
extension App {
    @MainActor @preconcurrency public static func main() {}
}

@available(iOS 14.0, *)
@MainActor @preconcurrency public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
}

@available(iOS 14.0, *)
extension Never: Scene {}

@available(iOS 14.0, *)
@resultBuilder public enum SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

@available(iOS 14.0, *)
@MainActor @preconcurrency public struct WindowGroup<Content: View>: Scene {
    public nonisolated init(@ViewBuilder content: () -> Content) {}
    public var body: Never { fatalError() }
}

@available(iOS 13.0, *)
@MainActor @preconcurrency public protocol DynamicProperty {}

@available(iOS 14.0, *)
@MainActor @preconcurrency @propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate>: DynamicProperty {
    @MainActor @preconcurrency public var wrappedValue: DelegateType { fatalError() }
    @MainActor @preconcurrency public init(_ delegateType: DelegateType.Type = DelegateType.self) {}
}
