import PostgresClient

/// The error for a database in which the tables cannot be, with what to do.
package enum UnsuitableDatabase: Error, CustomStringConvertible {
    /// Its encoding lacks characters of pushes and tags.
    case encoding(DatabasePlace)
    /// The role may not create tables.
    case privilege(DatabasePlace)

    package var description: String {
        switch self {
        case .encoding(let place):
            """
            The database \(place.database) has the encoding \(place.encoding), which lacks characters of pushes and tags. Posthorn \
            needs UTF-8: CREATE DATABASE posthorn ENCODING 'UTF8' TEMPLATE template0;
            """
        case .privilege(let place):
            """
            The role \(place.role) may not create tables in the schema \(place.schema) of the database \(place.database), as \
            Posthorn has to at its first start and at upgrades. The owner of the database grants it there: \
            GRANT USAGE, CREATE ON SCHEMA \(place.schema) TO \(place.role);
            """
        }
    }
}

/// Where a connection creates tables: names as SQL writes them, with quotation marks where they need some.
package struct DatabasePlace: Sendable {
    let database: String
    let role: String
    /// The first schema of the search path, or `public` if the role may use none.
    let schema: String
    let encoding: String
    let mayCreate: Bool

    init(_ connection: PostgresConnection) throws {
        let found = try connection.execute(
            """
            SELECT quote_ident(current_database()), quote_ident(current_user), quote_ident(coalesce(current_schema(), 'public')),
                current_setting('server_encoding'), coalesce(has_schema_privilege(current_schema(), 'CREATE'), false)
            """
        )
        let row = found[0]
        database = row.text(0)
        role = row.text(1)
        schema = row.text(2)
        encoding = row.text(3)
        mayCreate = row.bool(4)
    }
}
