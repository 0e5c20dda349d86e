package dev.counterpoint.audit.api;

/// The roles that a token can carry. Names are in tokens and never change. An endpoint denies every role that it
/// does not list.
final class StaffRoles {
    /// Search for records; no content.
    static final String SEARCH = "compliance.search";
    /// Read the reasoning of one record, with a case and a reason; ask for scans.
    static final String READ = "compliance.read";
    /// Ask for the erasure of a subject; erase alone only where the deployment wants no second person.
    static final String ERASE = "compliance.erase";
    /// Place holds, and ask for their release.
    static final String HOLD = "compliance.hold";
    /// Ask for exports of records, and download one's own.
    static final String EXPORT = "compliance.export";
    /// Approve what another person asked for.
    static final String APPROVE = "compliance.approve";
    /// Read the access log and receipts.
    static final String AUDITOR = "auditor";

    private StaffRoles() {}
}
