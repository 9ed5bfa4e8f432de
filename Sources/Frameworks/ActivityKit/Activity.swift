public import Foundation
import PushModel
import SystemPort

/// A Live Activity: starts, changes and ends it, and tells of its changes.
///
/// `@unchecked Sendable`: the attributes are a value that nobody changes, and the last content is read and written under the lock.
@available(iOS 16.1, *)
public class Activity<Attributes: ActivityAttributes>: Identifiable, @unchecked Sendable {
    /// The type of the content that changes.
    public typealias ContentState = Attributes.ContentState

    /// The identifier of the activity, unique on the device.
    public final let id: String
    /// The content that does not change.
    public final let attributes: Attributes

    let cell: ActivityCell
    let port: any SystemPort
    private let lock = NSLock()
    private var last: ContentState

    init(_ cell: ActivityCell, attributes: Attributes, state: ContentState, port: any SystemPort) {
        self.cell = cell
        self.attributes = attributes
        self.port = port
        id = cell.record.id
        last = state
    }

    /// Creates the object for an activity that the device has; nil if its content does not fit the types.
    convenience init?(_ record: LiveActivityRecord, on port: any SystemPort) {
        guard let attributes = try? ActivityCoding.value(Attributes.self, from: record.attributes),
            let state = try? ActivityCoding.value(ContentState.self, from: record.content.state)
        else { return nil }
        self.init(ActivityHub.of(port).cell(for: record), attributes: attributes, state: state, port: port)
    }

    /// The current content.
    @available(iOS 16.2, *)
    public var content: ActivityContent<ContentState> { content(of: cell.record.content) }

    /// The current content that changes.
    @available(iOS, introduced: 16.1, deprecated: 16.2, message: "Use content.")
    public var contentState: ContentState { content.state }

    /// The state in the life cycle.
    public var activityState: ActivityState { ActivityState(cell.record.state) }

    /// The token for pushes that change this activity; nil until it has arrived, and for an activity without one.
    public var pushToken: Data? { cell.record.pushToken.map { Data($0.bytes) } }

    func content(of record: LiveActivityContent) -> ActivityContent<ContentState> {
        let state = lock.withLock {
            if let state = try? ActivityCoding.value(ContentState.self, from: record.state) { last = state }
            return last
        }
        return ActivityContent(state: state, staleDate: record.staleDate, relevanceScore: record.relevanceScore)
    }

    /// The app's activities of this type that are scheduled or visible.
    public static var activities: [Activity<Attributes>] {
        let port = declared()
        guard case .liveActivities(let records) = port.read(.liveActivity(.list(type: typeName))) else { return [] }
        return records.compactMap { Activity($0, on: port) }
    }

    static var typeName: String { String(describing: Attributes.self) }

    /// Returns the device, which from now on knows that the app has this type.
    static func declared() -> any SystemPort {
        let port = CurrentPort.find()
        ActivityHub.of(port).declare(typeName, ActivityExaminer<Attributes>().problem, on: port)
        return port
    }
}
