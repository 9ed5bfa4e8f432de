#if os(iOS) || os(Linux) && canImport(UIKit)

import Foundation

extension JPUSHService {
    /// Sets the device's alias, replacing any other; one alias per device, one operation at a time (6022).
    public class func setAlias(_ alias: String!, completion: JPUSHAliasOperationCompletion!, seq: Int) {
        let code = TagRules.code(alias: alias)
        guard code == 0, let alias else { return client.onMain { completion?(code, alias, seq) } }
        client.request(.setAlias(alias)) { completion?($0.code, alias, seq) }
    }

    /// Removes the alias. `completion` gets code 0, or the error's, the alias and `seq`.
    public class func deleteAlias(_ completion: JPUSHAliasOperationCompletion!, seq: Int) {
        client.request(.deleteAlias) { completion?($0.code, nil, seq) }
    }

    /// Asks the service for the alias. `completion` gets code 0, or the error's, the alias and `seq`.
    public class func getAlias(_ completion: JPUSHAliasOperationCompletion!, seq: Int) {
        client.request(.getAlias) { completion?($0.code, $0.alias, seq) }
    }
}

#endif
