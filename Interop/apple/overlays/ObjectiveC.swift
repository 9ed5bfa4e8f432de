@_exported import ObjectiveC

// The types that the importer asks this module for.

public struct ObjCBool: ExpressibleByBooleanLiteral {
    var value: Int8
    public init(_ value: Bool) { self.value = value ? 1 : 0 }
    public init(booleanLiteral value: Bool) { self.init(value) }
    public var boolValue: Bool { value != 0 }
}

public func _convertBoolToObjCBool(_ value: Bool) -> ObjCBool { ObjCBool(value) }
public func _convertObjCBoolToBool(_ value: ObjCBool) -> Bool { value.boolValue }

public struct Selector {
    var pointer: OpaquePointer
}

public struct NSZone {
    var pointer: OpaquePointer
}

extension NSObject: Equatable, Hashable {
    public static func == (one: NSObject, other: NSObject) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) {}
}
