import PushService

extension RequestOrigin {
    /// Binds the columns requestID and trace.
    static func bind(_ origin: RequestOrigin?, to statement: inout StatementBinding) {
        statement.bind(origin?.requestID)
        statement.bind(origin?.storedTrace)
    }
}
