package dev.counterpoint.audit.api;

import dev.counterpoint.audit.export.AgeRecipients;
import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.audit.requests.RecordFilter;
import dev.counterpoint.audit.scan.TextMatcher;
import dev.counterpoint.servicekit.ProblemException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The body of a request for an action: the action's name, its members, and the reason.
///
/// @param subject the end user as requests name it; or
/// @param subjectToken the subject as records show it; or
/// @param key the API key whose requests named no end user
/// @param receipts ids of the erasures that were made again; empty when there were none
/// @param hold id of the hold to release
/// @param response id of the response whose record to read
/// @param emergency whether to read before a second person approves it
/// @param filter the records to export or scan, as a search has it
/// @param recipients keys of age, `age1…`, to whom an export is encrypted
/// @param forSubject whether the subject gets the export
/// @param literals the texts to look for; or
/// @param pattern the pattern of RE2 to look for
public record NewRequest(
        @Nullable String action,
        @Nullable String tenant,
        @Nullable String subject,
        @Nullable String subjectToken,
        @Nullable String key,
        @Nullable List<String> receipts,
        @Nullable String hold,
        @Nullable String response,
        @Nullable Boolean emergency,
        @Nullable RecordSearchRequest filter,
        @Nullable List<String> recipients,
        @Nullable Boolean forSubject,
        @Nullable List<String> literals,
        @Nullable String pattern,
        @Nullable String caseId,
        @Nullable String reason) {
    private static final int LITERALS_MAX = 20;

    /// An action that staff may ask for, with the role that may ask and the members that it needs.
    enum Wanted {
        ERASE(StaffRoles.ERASE, "tenant", "subject", "subject_token", "key"),
        ERASE_TENANT(StaffRoles.ERASE, "tenant"),
        CONFIRM_ERASURES(StaffRoles.ERASE, "receipts"),
        RELEASE_HOLD(StaffRoles.HOLD, "hold"),
        CONFIRM_RESTORE(StaffRoles.HOLD),
        EXPORT(StaffRoles.EXPORT, "tenant", "filter", "recipients", "for_subject"),
        SCAN(StaffRoles.READ, "tenant", "filter", "literals", "pattern"),
        READ(StaffRoles.READ, "response", "emergency");

        final String role;
        private final Set<String> members;

        Wanted(String role, String... members) {
            this.role = role;
            this.members = Set.of(members);
        }

        String wireName() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /// @throws ProblemException for an unknown action, or a member that the action does not have
    Wanted wanted() {
        var names = Stream.of(Wanted.values()).map(Wanted::wireName).collect(Collectors.joining(", "));
        if (action == null) {
            throw new ProblemException(AuditProblem.missing("action", "one of " + names));
        }
        var wanted = Stream.of(Wanted.values())
                .filter(one -> one.wireName().equals(action))
                .findFirst()
                .orElseThrow(() -> new ProblemException(AuditProblem.invalid("action", "one of " + names)));
        absent(wanted, "tenant", tenant);
        absent(wanted, "subject", subject);
        absent(wanted, "subject_token", subjectToken);
        absent(wanted, "key", key);
        absent(wanted, "receipts", receipts);
        absent(wanted, "hold", hold);
        absent(wanted, "response", response);
        absent(wanted, "emergency", emergency);
        absent(wanted, "filter", filter);
        absent(wanted, "recipients", recipients);
        absent(wanted, "for_subject", forSubject);
        absent(wanted, "literals", literals);
        absent(wanted, "pattern", pattern);
        return wanted;
    }

    private static void absent(Wanted wanted, String member, @Nullable Object value) {
        if (value != null && !wanted.members.contains(member)) {
            throw new ProblemException(AuditProblem.invalid(member, "absent for action '" + wanted.wireName() + "'"));
        }
    }

    Justification justification() {
        return Justification.of(caseId, reason);
    }

    String requiredTenant() {
        return FieldValidation.required("tenant", tenant);
    }

    /// @throws ProblemException when the body names it not at all or in two ways
    DataSubject whom() {
        return FieldValidation.person(subject, subjectToken, key);
    }

    RecordSearchRequest requiredFilter() {
        if (filter == null) {
            throw new ProblemException(AuditProblem.missing("filter", "as in a search; {} for all of the tenant"));
        }
        return filter;
    }

    /// The recipients of an export.
    List<String> wantedRecipients() {
        var given = texts("recipients", recipients, AgeRecipients.COUNT_MAX);
        if (given == null || !AgeRecipients.accepts(given)) {
            throw new ProblemException(AuditProblem.invalid("recipients", "1 to 10 keys of age, 'age1…' (X25519)"));
        }
        return given;
    }

    /// Whether the subject gets the export.
    boolean forSubject(RecordFilter about) {
        if (Boolean.TRUE.equals(forSubject) && !about.ofSubject()) {
            throw new ProblemException(AuditProblem.invalid("for_subject", "absent unless 'filter' names a subject"));
        }
        return Boolean.TRUE.equals(forSubject);
    }

    /// The texts of a scan, where it has no pattern.
    @Nullable
    List<String> wantedLiterals() {
        var given = texts("literals", literals, LITERALS_MAX);
        if ((given == null) == (pattern == null)) {
            throw new ProblemException(AuditProblem.invalid("literals", "given, or else 'pattern'"));
        }
        return given;
    }

    @Nullable
    String wantedPattern() {
        var given = FieldValidation.optional("pattern", pattern);
        if (given != null && !TextMatcher.accepts(given)) {
            throw new ProblemException(AuditProblem.invalid("pattern", TextMatcher.RULE));
        }
        return given;
    }

    private static @Nullable List<String> texts(String member, @Nullable List<String> given, int atMost) {
        if (given == null) {
            return null;
        }
        if (given.isEmpty() || given.size() > atMost) {
            throw new ProblemException(AuditProblem.invalid(member, "1 to " + atMost + " texts"));
        }
        return given.stream()
                .map(text -> FieldValidation.required(member, text))
                .toList();
    }

    List<String> ids() {
        if (receipts == null) {
            throw new ProblemException(AuditProblem.missing("receipts", "a list of receipts' ids, empty for none"));
        }
        return receipts.stream()
                .map(id -> FieldValidation.required("receipts", id))
                .toList();
    }

    /// Names no person.
    @Override
    public String toString() {
        return "NewRequest[action=%s, tenant=%s, caseId=%s]".formatted(action, tenant, caseId);
    }
}
