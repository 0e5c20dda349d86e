package dev.counterpoint.local.faults;

import dev.counterpoint.bus.ServiceRole;
import dev.counterpoint.local.faults.AskedQuestion.Api;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Checks rows and records against the log.
final class TableCheck {
    private static final String FAILED = "failed";

    private TableCheck() {}

    /// Every row says what its log says, and what is to be kept has a row. A row without a log is of a request whose
    /// gateway died before it could accept it; see [#orphans].
    ///
    /// @param logs by id
    /// @param asks by number
    static List<Violation> checkRows(
            List<FinalTables.Row> rows, Map<String, Told> logs, Map<Integer, AskedQuestion> asks) {
        var violations = new ArrayList<Violation>();
        for (var row : rows) {
            var told = logs.get(row.bareId());
            if (told != null || row.finished()) {
                violations.addAll(check(row, told, told == null ? null : asks.get(told.request())));
            }
        }
        var kept = rows.stream().map(FinalTables.Row::bareId).collect(Collectors.toSet());
        for (var told : logs.values()) {
            boolean due = told.accepted().stored() || told.accepted().background();
            var found = new Violations(told);
            found.require(
                    "what is stored has a row", !due || kept.contains(told.id().toString()), "it has none");
            violations.addAll(found.found());
        }
        return violations;
    }

    /// Rows that never got a log and are not finished. No caller may have been told of one.
    static List<FinalTables.Row> orphans(List<FinalTables.Row> rows, Map<String, Told> logs) {
        return rows.stream()
                .filter(row -> !row.finished() && !row.deleted() && !logs.containsKey(row.bareId()))
                .toList();
    }

    /// @param heard ids that callers were told
    static List<Violation> checkOrphans(List<FinalTables.Row> orphans, Set<String> heard) {
        return orphans.stream()
                .filter(row -> heard.contains(row.id()))
                .map(row -> new Violation("what callers were told of runs", "row " + row.id(), "it has no log"))
                .toList();
    }

    private static List<Violation> check(FinalTables.Row row, @Nullable Told told, @Nullable AskedQuestion ask) {
        var found = new Violations("row " + row.id());
        if (row.deleted()) {
            found.require("a tombstone holds nothing", row.response() == null, "it has content");
            return found.found();
        }
        found.require("rows are finished", row.finished(), "its status is '%s'".formatted(row.status()));
        var status = told == null ? null : told.status();
        if (told == null) {
            found.require(
                    "what was not accepted failed",
                    row.status().equals(FAILED),
                    "no log, and its status is '%s'".formatted(row.status()));
        } else if (status != null && row.finished()) {
            checkEnding(row, told, ask, found);
        }
        return found.found();
    }

    private static void checkEnding(FinalTables.Row row, Told told, @Nullable AskedQuestion ask, Violations found) {
        var status = Objects.requireNonNull(told.status());
        // A chat completion's row knows no cut-off answers.
        var expected = ask != null && ask.api() == Api.CHAT && status.answered() ? "completed" : status.word();
        found.require(
                "a row ends as its log",
                row.status().equals(expected),
                "the row says '%s', the log '%s'".formatted(row.status(), expected));
        if (ask != null && status.answered() && row.response() != null) {
            var stored = Transcript.ofAnswer(ask.api(), Question.tree(row.response()));
            var said = Transcript.of(told, ask);
            var kept = new Transcript(
                    said.text(), said.calls(), "", ask.api() == Api.CHAT ? stored.summary() : said.summary());
            found.require(
                    "a row says what its log says", stored.equals(kept), "they differ: " + stored.difference(kept));
        }
    }

    /// One record for each opted-in response that was accepted, none for any other. Its status may be that of a worker
    /// whose end came too late: the first record is kept.
    static List<Violation> checkTraces(List<FinalTables.Trace> traces, Collection<Told> logs) {
        var count = traces.stream().collect(Collectors.groupingBy(FinalTables.Trace::response, Collectors.counting()));
        var violations = new ArrayList<Violation>();
        for (var told : logs) {
            var id = told.id().toString();
            long due = told.accepted().audited() ? 1 : 0;
            long kept = count.getOrDefault(id, 0L);
            var found = new Violations(told);
            found.require("one record when opted in, else none", kept == due, "%d, not %d".formatted(kept, due));
            violations.addAll(found.found());
        }
        var known = logs.stream().map(told -> told.id().toString()).collect(Collectors.toSet());
        for (var trace : traces) {
            var found = new Violations("record " + trace.response());
            found.require("records are of accepted responses", known.contains(trace.response()), "no such log");
            violations.addAll(found.found());
        }
        return violations;
    }

    /// Whoever is shown raw reasoning is on record.
    ///
    /// @param shown responses with such a record
    static List<Violation> checkShown(List<String> shown, Collection<Told> logs) {
        Set<String> recorded = new HashSet<>(shown);
        var violations = new ArrayList<Violation>();
        for (var told : logs) {
            boolean raw = told.accepted().rawReaders().contains(ServiceRole.GATEWAY);
            var found = new Violations(told);
            found.require(
                    "raw reasoning is shown on record",
                    !raw || recorded.contains(told.id().toString()),
                    "no entry in the access log");
            violations.addAll(found.found());
        }
        return violations;
    }
}
