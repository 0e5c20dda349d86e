/// The formats of the audit log: [dev.counterpoint.auditlog.Leaf] is an entry, [dev.counterpoint.auditlog.Opening]
/// shows the
/// row behind it, [dev.counterpoint.auditlog.RecordText] is the text of a record. [dev.counterpoint.auditlog.LogAudit]
/// verifies a log, [dev.counterpoint.auditlog.BundleWriter] and [dev.counterpoint.auditlog.BundleAudit] write and
/// verify a
/// part of one in a file.
@NullMarked
package dev.counterpoint.auditlog;

import org.jspecify.annotations.NullMarked;
