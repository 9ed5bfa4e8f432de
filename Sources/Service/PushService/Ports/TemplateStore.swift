package import Foundation
package import PushModel

/// A push template of an app.
package struct TemplateRecord: Hashable, Sendable {
    /// 12 hexadecimal digits.
    package var id: String
    package var app: App.ID
    package var template: PushTemplate
    package var createdAt: Date

    package init(id: String, app: App.ID, template: PushTemplate, createdAt: Date) {
        (self.id, self.app, self.template, self.createdAt) = (id, app, template, createdAt)
    }
}

/// The push templates of apps.
package protocol TemplateStore: Sendable {
    /// Stores a template unless its app has `limit` others.
    ///
    /// - Returns: whether it is stored.
    func createTemplate(_ record: TemplateRecord, limit: Int) async throws -> Bool
    /// Returns the app's templates, in order of creation.
    func templates(of app: App.ID) async throws -> [TemplateRecord]
    func template(_ id: String, of app: App.ID) async throws -> TemplateRecord?
    /// Replaces the content of a template.
    ///
    /// - Returns: whether there is one.
    func setTemplate(_ template: PushTemplate, _ id: String, of app: App.ID) async throws -> Bool
    /// Deletes a template.
    ///
    /// - Returns: whether there was one.
    func deleteTemplate(_ id: String, of app: App.ID) async throws -> Bool
}
