package dev.counterpoint.audit.api;

/// The roles that a token can carry. Names are in tokens and never change. An endpoint denies every role that it
/// does not list.
public final class StaffRoles {
    /// Search for records; no content.
    public static final String SEARCH = "compliance.search";
    /// Read the reasoning of one record, with a case and a reason; ask for scans.
    public static final String READ = "compliance.read";
    /// Ask for the erasure of a subject; erase alone only where the deployment wants no second person.
    public static final String ERASE = "compliance.erase";
    /// Place holds, and ask for their release.
    public static final String HOLD = "compliance.hold";
    /// Ask for exports of records, and download one's own.
    public static final String EXPORT = "compliance.export";
    /// Approve what another person asked for.
    public static final String APPROVE = "compliance.approve";
    /// Read the access log and receipts.
    public static final String AUDITOR = "auditor";

    private StaffRoles() {}
}
