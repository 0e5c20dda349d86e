package dev.counterpoint.audit.api;

/// What a token allows. Names are in tokens and never change. What is not listed for an endpoint is denied.
final class StaffRoles {
    /// Search: who, when, which model, how it ended; no content.
    static final String SEARCH = "compliance.search";
    /// Read the reasoning of one record, with a case and a reason.
    static final String READ = "compliance.read";
    /// Erase a subject.
    static final String ERASE = "compliance.erase";
    /// Read the access log and receipts.
    static final String AUDITOR = "auditor";

    private StaffRoles() {}
}
