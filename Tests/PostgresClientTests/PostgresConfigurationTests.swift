import Testing

@testable import PostgresClient

@Suite("PostgreSQL configuration")
struct PostgresConfigurationTests {
    @Test("The password is not in what is printed")
    func password() throws {
        let configuration = try PostgresConfiguration(url: "postgres://posthorn:s3cret@db1:5433,db2/push?password=other&sslmode=require")
        #expect("\(configuration)" == "postgres://posthorn@db1:5433,db2/push?sslmode=require")
    }
}
