package dev.counterpoint.gateway.store;

/// Whose something stored is: a project of a tenant. All keys of the project may read, change and delete it; for any
/// other key, also of the same tenant, it is as absent as what never was.
///
/// @param tenant id of the tenant, as in `tenant_…`
/// @param project one word; keys without one share `default`
public record Owner(String tenant, String project) {
    /// The project of keys without one.
    public static final String DEFAULT_PROJECT = "default";

    /// True where names are as they were before projects were told apart.
    public boolean inDefaultProject() {
        return project.equals(DEFAULT_PROJECT);
    }
}
