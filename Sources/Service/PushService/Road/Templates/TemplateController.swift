package import Foundation
import PushClock
package import PushModel

/// Handles the requests of a backend on push templates, and sends or schedules the pushes that are made from them.
package struct TemplateController: Sendable {
    package let store: any TemplateStore
    let acceptor: PushAcceptor
    let schedules: ScheduleController
    let clock: any CivilClock

    /// The results of a request, in the order of its `params`, and the warnings about it.
    package struct Results<Value: Sendable>: Sendable {
        package var results: [(traceID: String?, result: Result<Value, JPushError>)]
        package var warnings: [PushWarning]
    }

    /// Creates a template from its description.
    ///
    /// - Throws: ``JPushError`` for errors that the caller can fix.
    package func create(_ body: [UInt8], for app: App) async throws -> TemplateRecord {
        var generator = SystemRandomNumberGenerator()
        let record = TemplateRecord(
            id: generator.hexadecimalDigits(12),
            app: app.id,
            template: try PushTemplate(parsing: body),
            createdAt: clock.date
        )
        guard try await store.createTemplate(record, limit: JPushLimits.templates) else {
            throw JPushError.badValue("The app has \(JPushLimits.templates) templates; delete one first.")
        }
        return record
    }

    /// Returns a template.
    ///
    /// - Throws: 1003 for an unknown id.
    package func template(_ id: String, of app: App.ID) async throws -> TemplateRecord {
        guard !id.hasNUL, let record = try await store.template(id, of: app) else {
            throw JPushError.noSuchTemplate(id)
        }
        return record
    }

    /// Replaces a template by a description. Schedules that were made from it keep their pushes.
    ///
    /// - Throws: ``JPushError`` for errors that the caller can fix.
    package func change(_ id: String, of app: App.ID, _ body: [UInt8]) async throws -> TemplateRecord {
        let template = try PushTemplate(parsing: body)
        guard !id.hasNUL, try await store.setTemplate(template, id, of: app) else {
            throw JPushError.noSuchTemplate(id)
        }
        return try await self.template(id, of: app)
    }

    /// Deletes a template. Schedules that were made from it keep their pushes.
    ///
    /// - Throws: 1003 for an unknown id.
    package func delete(_ id: String, of app: App.ID) async throws {
        guard !id.hasNUL, try await store.deleteTemplate(id, of: app) else { throw JPushError.noSuchTemplate(id) }
    }

    /// Sends pushes that are made from a template. When this returns, those without an error are on disk.
    ///
    /// - Throws: ``JPushError`` for errors of the request as a whole.
    package func send(_ body: [UInt8], for app: App) async throws -> Results<PushResult> {
        let request = try TemplatePush(parsing: body, isScheduled: false)
        let template = try await template(request.template, of: app.id).template
        // Each push is made when its turn comes.
        let pushes = request.params.lazy.map { $0.body(from: template) }
        let results = try await acceptor.accept(pushes, for: app)
        return Results(
            results: Array(zip(request.params.map(\.traceID), results)),
            warnings: await warnings(about: request, template)
        )
    }

    /// Schedules pushes that are made from a template as it is now.
    ///
    /// - Throws: ``JPushError`` for errors of the request as a whole.
    package func schedule(_ body: [UInt8], for app: App) async throws -> Results<UUID> {
        let request = try TemplatePush(parsing: body, isScheduled: true)
        let template = try await template(request.template, of: app.id).template
        var results: [Result<UUID, JPushError>] = []
        for entry in request.params {
            do {
                var schedule = request.schedule ?? [:]
                schedule["enabled"] = true
                schedule["push"] = .object(try entry.push(from: template))
                results.append(.success(try await schedules.create(JSONValue.object(schedule).bytes, for: app).id))
            } catch let error as JPushError { results.append(.failure(error)) }
            await Task.yield()
        }
        return Results(
            results: Array(zip(request.params.map(\.traceID), results)),
            warnings: await warnings(about: request, template)
        )
    }

    private func warnings(about request: TemplatePush, _ template: PushTemplate) async -> [PushWarning] {
        var warnings: [PushWarning] = []
        for (place, entry) in request.params.enumerated() {
            warnings += entry.warnings(for: template, at: place)
            if place % 100 == 99 { await Task.yield() }
        }
        return warnings + template.warnings
    }
}

extension TemplatePush.Entry {
    /// Returns the body of the push that is made from a template.
    fileprivate func body(from template: PushTemplate) -> Result<[UInt8], JPushError> {
        Result { () throws(JPushError) in JSONValue.object(try push(from: template)).bytes }
    }
}
