import Testing

@testable import PostgresClient

@Suite("PostgreSQL configuration")
struct PostgresConfigurationTests {
    @Test("The password is not in what is printed")
    func password() throws {
        let configuration = try PostgresConfiguration(
            url: "postgres://posthorn:s3cret@db1:5433,db2/push?password=other&sslmode=require"
        )
        #expect("\(configuration)" == "postgres://posthorn@db1:5433,db2/push?sslmode=require")
        let marked = try PostgresConfiguration(url: "postgresql://u:se?cret@h/db?sslmode=require")
        #expect("\(marked)" == "postgresql://u@h/db?sslmode=require")
        #expect("\(try PostgresConfiguration(url: "postgres:///db"))" == "postgres:///db")
    }

    @Test(
        "A parameter is shown only if it is known to have no secret, however its name is written",
        arguments: [
            "p%61ssword", "%70assword", "passwor%64", "sslpassword", "ssl%70assword", "PASSWORD", "scram_client_key",
            "oauth_client_secret", "options",
        ]
    )
    func parameters(_ name: String) throws {
        let configuration = try PostgresConfiguration(url: "postgres://u@h/db?\(name)=s3cret&s%73lmode=require")
        #expect("\(configuration)" == "postgres://u@h/db?s%73lmode=require")
        #expect(configuration.info.contains("\(name)=s3cret&s%73lmode=require"), "libpq gets all of them.")
    }

    @Test(
        "A URL that is not usable says what was expected, without the password",
        arguments: [
            "mysql://u:s3cret@h/db", "postgres:s3cret", "postgres://u:s3?cret@h/db?s3cret", "s3cret",
            "postgres://u:s3/cret@h/db",
            "postgres://u:s3@cret@h/db", "postgres://u:s3%cret@h/db", "postgres://h/db?password=%s3cret",
        ]
    )
    func refused(_ url: String) throws {
        let problem = #expect(throws: PostgresConfiguration.Problem.self) { try PostgresConfiguration(url: url) }
        let text = try #require(problem).description
        #expect(text.contains("postgres://USER:PASSWORD@HOST:PORT/DATABASE") && !text.contains("cret"))
    }

    @Test(
        "Waiting helps if the server is away or starts, and not if a setting is wrong",
        arguments: [
            (#"connection to server at "db1", port 5432 failed: Connection refused"#, false),
            (#"connection to server on socket "/tmp/.s.PGSQL.5432" failed: No such file or directory"#, false),
            ("FATAL:  the database system is starting up", false),
            ("FATAL:  sorry, too many clients already", false),
            (#"could not translate host name "db1" to address: Temporary failure in name resolution"#, false),
            ("failed: Connection refused; connection failed: FATAL:  password authentication failed", false),
            (#"could not translate host name "db1" to address: Name or service not known"#, true),
            (#"FATAL:  password authentication failed for user "posthorn""#, true),
            (#"FATAL:  database "posthorn" does not exist"#, true),
            ("libpq is not there. A store on PostgreSQL needs libpq: install the package libpq5", true),
            ("server does not support SSL, but SSL was required", true),
        ]
    )
    func lasting(_ reason: String, _ isLasting: Bool) {
        #expect(PostgresError.isLasting(reason) == isLasting)
    }
}
