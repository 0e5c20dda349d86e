package dev.counterpoint.audit.api;

import dev.counterpoint.audit.keys.DataSubject;
import dev.counterpoint.audit.problem.AuditProblem;
import dev.counterpoint.servicekit.ProblemException;
import jakarta.ws.rs.core.UriInfo;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The rules of the requests' fields. A value that breaks its rule is refused with a problem that names the field.
final class FieldValidation {
    private static final Pattern CASE_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._/-]{0,63}");
    private static final String CASE_ID_RULE =
            "1 to 64 letters, digits, '.', '_', '/' or '-', the first a letter or digit";
    private static final int REASON_CHARACTERS_MAX = 500;
    private static final String REASON_RULE =
            "1 to 500 characters, a letter or digit among them, no control characters";
    private static final int VALUE_CHARACTERS_MAX = 512;
    private static final String VALUE_RULE = "1 to 512 characters, not all blank, no control characters";
    private static final int PAGE_SIZE_MAX = 200;
    private static final int PAGE_SIZE = 50;
    private static final Pattern RESPONSE = Pattern.compile("(?:resp_|chatcmpl-)?([0-9a-f]{48})");
    private static final String RESPONSE_RULE = "48 hexadecimal digits, with or without 'resp_' or 'chatcmpl-'";
    private static final Pattern TOKEN = Pattern.compile("[0-9a-f]{64}");
    private static final String TOKEN_RULE = "64 hexadecimal digits, as records show them";
    private static final Instant EARLIEST = Instant.EPOCH;
    /// PostgreSQL has no time for the last years that Java has.
    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

    private static final String TIME_RULE = "a time such as 2026-11-21T13:00:00Z, of the years 1970 to 9999";

    private FieldValidation() {}

    static <T> T body(@Nullable T body) {
        if (body == null) {
            throw new ProblemException(AuditProblem.notJson());
        }
        return body;
    }

    static String caseId(@Nullable String value) {
        if (value == null) {
            throw new ProblemException(AuditProblem.missing("case_id", CASE_ID_RULE));
        }
        return matching("case_id", value, CASE_ID_RULE, CASE_ID.matcher(value).matches());
    }

    static String reason(@Nullable String value) {
        if (value == null) {
            throw new ProblemException(AuditProblem.missing("reason", REASON_RULE));
        }
        boolean fits = value.length() <= REASON_CHARACTERS_MAX
                && printable(value)
                && value.codePoints().anyMatch(Character::isLetterOrDigit);
        return matching("reason", value, REASON_RULE, fits);
    }

    static String required(String field, @Nullable String value) {
        var given = optional(field, value);
        if (given == null) {
            throw new ProblemException(AuditProblem.missing(field, VALUE_RULE));
        }
        return given;
    }

    static @Nullable String optional(String field, @Nullable String value) {
        if (value == null) {
            return null;
        }
        boolean fits = !value.isBlank() && value.length() <= VALUE_CHARACTERS_MAX && printable(value);
        return matching(field, value, VALUE_RULE, fits);
    }

    static @Nullable String token(@Nullable String value) {
        return value == null
                ? null
                : matching(
                        "subject_token", value, TOKEN_RULE, TOKEN.matcher(value).matches());
    }

    /// The person whom one of three members names.
    static DataSubject person(@Nullable String subject, @Nullable String subjectToken, @Nullable String key) {
        var user = optional("subject", subject);
        var token = token(subjectToken);
        var holder = optional("key", key);
        if (Stream.of(user, token, holder).filter(Objects::nonNull).count() > 1) {
            var wrong = holder == null ? "subject_token" : "key";
            throw new ProblemException(AuditProblem.invalid(wrong, "absent when another name is given"));
        }
        if (token != null) {
            return new DataSubject.Stored(token);
        }
        return holder == null ? new DataSubject.EndUser(required("subject", user)) : new DataSubject.KeyHolder(holder);
    }

    /// The id without its prefix.
    static @Nullable String response(@Nullable String value) {
        if (value == null) {
            return null;
        }
        var id = RESPONSE.matcher(value);
        matching("response", value, RESPONSE_RULE, id.matches());
        return id.group(1);
    }

    static @Nullable Instant time(String field, @Nullable String value) {
        if (value == null) {
            return null;
        }
        try {
            var time = Instant.parse(value);
            matching(field, value, TIME_RULE, !time.isBefore(EARLIEST) && !time.isAfter(LATEST));
            return time;
        } catch (DateTimeParseException e) {
            throw new ProblemException(AuditProblem.invalid(field, TIME_RULE));
        }
    }

    static int limit(@Nullable Integer value) {
        int limit = value == null ? PAGE_SIZE : value;
        if (limit < 1 || limit > PAGE_SIZE_MAX) {
            throw wrongLimit();
        }
        return limit;
    }

    static int limit(@Nullable String value) {
        try {
            return limit(value == null ? null : Integer.valueOf(value));
        } catch (NumberFormatException e) {
            throw wrongLimit();
        }
    }

    /// Refuses unknown query parameters, because callers would take them for filters.
    static void parameters(UriInfo url, Set<String> known) {
        url.getQueryParameters().keySet().stream()
                .filter(name -> !known.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new ProblemException(AuditProblem.unknownField(name));
                });
    }

    /// @param names the words that are taken
    static @Nullable String oneOf(String field, @Nullable String value, Stream<String> names) {
        var words = names.toList();
        var rule = "one of " + String.join(", ", words);
        return value == null ? null : matching(field, value, rule, words.contains(value));
    }

    private static ProblemException wrongLimit() {
        return new ProblemException(AuditProblem.invalid("limit", "1 to " + PAGE_SIZE_MAX));
    }

    private static boolean printable(String value) {
        return value.codePoints().noneMatch(Character::isISOControl);
    }

    private static String matching(String field, String value, String rule, boolean matches) {
        if (!matches) {
            throw new ProblemException(AuditProblem.invalid(field, rule));
        }
        return value;
    }
}
