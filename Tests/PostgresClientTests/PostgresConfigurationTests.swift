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
        "A URL that is not usable says what was expected, without the password",
        arguments: ["mysql://u:s3cret@h/db", "postgres:s3cret", "postgres://u:s3?cret@h/db?s3cret", "s3cret"]
    )
    func refused(_ url: String) throws {
        let problem = #expect(throws: PostgresConfiguration.Problem.self) { try PostgresConfiguration(url: url) }
        let text = try #require(problem).description
        #expect(text.contains("postgres://USER:PASSWORD@HOST:PORT/DATABASE") && !text.contains("cret"))
    }
}
