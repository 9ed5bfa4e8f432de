import Foundation
import PostgresClient
import PushModel
import PushService
import PushStoreSQL

extension PostgresValue {
    static func optional(_ number: Int64?) -> PostgresValue { .int64(number) }
    static func optional(_ text: String?) -> PostgresValue { .text(text) }
    static func app(_ app: App.ID) -> PostgresValue { .int64(Int64(app)) }
    static func message(_ id: MessageID) -> PostgresValue { .int64(id.number) }
    static func ordinal(_ ordinal: DeviceOrdinal) -> PostgresValue { .int64(Int64(ordinal)) }
    static func date(_ date: Date) -> PostgresValue { .int64(date.milliseconds) }
}
