package dev.counterpoint.local.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.local.faults.AskedQuestion.Api;
import dev.counterpoint.local.faults.AskedQuestion.Manner;
import dev.counterpoint.local.faults.FinalTables.Row;
import dev.counterpoint.local.faults.FinalTables.Trace;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Each mistake that a suite can make in its tables is found.
class TableCheckTest {
    private static final String RESPONSE = """
            {"output":[{"type":"message","content":[{"type":"output_text","text":"%s"}]}]}""";

    private static final Trace TRACE = new Trace(MadeUp.ID.toString(), "completed");

    private static Row row(String status, @Nullable String text, boolean finished, boolean deleted) {
        var response = text == null ? null : RESPONSE.formatted(text);
        return new Row("resp_" + MadeUp.ID, status, response, finished, deleted);
    }

    private static List<String> rules(Row... rows) {
        var told = MadeUp.told();
        var asks = Map.of(1, MadeUp.ask(Api.RESPONSES, Manner.WHOLE, Question.SUM));
        return TableCheck.checkRows(List.of(rows), Map.of(MadeUp.ID.toString(), told), asks).stream()
                .map(Violation::rule)
                .toList();
    }

    private static List<String> traces(boolean audited, Trace... traces) {
        var good = MadeUp.told();
        var told = new Told(
                good.id(),
                MadeUp.accepted(audited),
                1,
                good.segments(),
                good.messages(),
                List.of(),
                good.status(),
                good.end());
        return TableCheck.checkTraces(List.of(traces), List.of(told)).stream()
                .map(Violation::rule)
                .toList();
    }

    @Test
    void findsNothingInGoodTables() {
        assertThat(rules(row("completed", MadeUp.TEXT, true, false))).isEmpty();
        assertThat(rules(row("completed", null, false, true))).isEmpty();
        assertThat(traces(true, TRACE)).isEmpty();
        assertThat(traces(false)).isEmpty();
    }

    @Test
    void findsARowThatNobodyFinished() {
        assertThat(rules(row("in_progress", null, false, false))).containsExactly("rows are finished");
    }

    @Test
    void findsARowWithoutALogThatACallerWasToldOf() {
        var orphans = TableCheck.orphans(List.of(row("in_progress", null, false, false)), Map.of());

        assertThat(TableCheck.checkOrphans(orphans, Set.of())).isEmpty();
        assertThat(TableCheck.checkOrphans(orphans, Set.of("resp_" + MadeUp.ID)))
                .hasSize(1);
    }

    @Test
    void findsARowThatEndsOtherwise() {
        assertThat(rules(row("failed", MadeUp.TEXT, true, false))).containsExactly("a row ends as its log");
    }

    @Test
    void findsARowThatSaysSomethingElse() {
        assertThat(rules(row("completed", "The answer is 43.", true, false)))
                .containsExactly("a row says what its log says");
    }

    @Test
    void findsARowThatIsMissing() {
        assertThat(rules()).containsExactly("what is stored has a row");
    }

    @Test
    void findsATombstoneWithContent() {
        assertThat(rules(row("completed", MadeUp.TEXT, true, true))).containsExactly("a tombstone holds nothing");
    }

    @Test
    void findsARecordThatIsMissingOrDoubleOrNobodyAgreedTo() {
        assertThat(traces(true)).containsExactly("one record when opted in, else none");
        assertThat(traces(true, TRACE, TRACE)).containsExactly("one record when opted in, else none");
        assertThat(traces(false, TRACE)).containsExactly("one record when opted in, else none");
    }

    @Test
    void findsARecordOfNothing() {
        assertThat(traces(false, new Trace("other", "failed"))).containsExactly("records are of accepted responses");
    }
}
