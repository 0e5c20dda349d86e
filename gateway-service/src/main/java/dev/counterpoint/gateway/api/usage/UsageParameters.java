package dev.counterpoint.gateway.api.usage;

import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.tenancy.UsageLedger;
import dev.counterpoint.openai.json.WireException;
import jakarta.ws.rs.QueryParam;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The query of `GET /admin/usage`.
public class UsageParameters {
    private static final int DAYS_MAX = 366;
    private static final String CSV = "csv";

    /// First day, such as `2026-11-01`; without it, today in UTC.
    @QueryParam("from")
    @Nullable
    String from;

    /// Last day, included; without it, the same as `from`.
    @QueryParam("to")
    @Nullable
    String to;

    @QueryParam("tenant")
    @Nullable
    String tenant;

    @QueryParam("key")
    @Nullable
    String key;

    /// `jsonl`, or `csv`; without it, the former.
    @QueryParam("format")
    @Nullable
    String format;

    /// @throws WireException for another format
    boolean csv() {
        RequestRules.oneOf("format", format, List.of("jsonl", CSV));
        return CSV.equals(format);
    }

    /// @throws WireException that names the parameter that is wrong
    UsageLedger.Question question() {
        var first = from == null ? LocalDate.now(ZoneOffset.UTC) : day("from", from);
        var last = to == null ? first : day("to", to);
        long days = ChronoUnit.DAYS.between(first, last) + 1;
        if (days < 1 || days > DAYS_MAX) {
            throw RequestRules.invalid("to", "expected a day from 'from' on, and at most " + DAYS_MAX + " days.");
        }
        return new UsageLedger.Question(first, last, tenant, key);
    }

    private static LocalDate day(String param, String text) {
        try {
            return LocalDate.parse(text);
        } catch (DateTimeParseException e) {
            throw RequestRules.invalid(param, "expected a day such as 2026-11-01.");
        }
    }
}
