package dev.counterpoint.audit.api;

/// The roles that a token can carry. Names are in tokens and never change. An endpoint denies every role that it
/// does not list.
final class StaffRoles {
    /// Search for records; no content.
    static final String SEARCH = "compliance.search";
    /// Read the reasoning of one record, with a case and a reason.
    static final String READ = "compliance.read";
    /// Erase a subject.
    static final String ERASE = "compliance.erase";
    /// Read the access log and receipts.
    static final String AUDITOR = "auditor";

    private StaffRoles() {}
}
