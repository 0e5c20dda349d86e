package dev.counterpoint.local.canary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.local.LaunchedSuite;
import dev.counterpoint.local.canary.Search.Finding;
import dev.counterpoint.local.e2e.ForeignSuite;
import dev.counterpoint.local.e2e.Scale;
import dev.counterpoint.local.spans.SpanCollector;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The callers and the search of [CanaryIT] before models that are not Harmony and write their thoughts into
/// their text. That the search finds what is there, is proved there.
@Timeout(600)
@ExtendWith(ForeignSuite.class)
class ChatCanaryIT {
    /// This engine knows no log probabilities.
    private static final String REFUSED = "chat logprobs";

    @TempDir
    private Path folder;

    private static List<ThinkingAloud> models() {
        return Scale.today(List.of(ThinkingAloud.values()));
    }

    @AfterEach
    void serveTheUsualModel() {
        ForeignSuite.server().serve(null);
    }

    @ParameterizedTest
    @MethodSource("models")
    void noPlaceHoldsTheThoughtsOfAModelThatThinksAloud(ThinkingAloud model) throws Exception {
        ForeignSuite.server().serve(model);
        ForeignSuite.worker(Map.of("worker.chat.family", model.family()));
        assertThat(ForeignSuite.suite().summary()).contains(model.known());
        search(ForeignSuite.suite(), ForeignSuite.spans(), model);
    }

    private void search(LaunchedSuite suite, SpanCollector spans, ThinkingAloud model) throws Exception {
        // Given
        var received = new Received();
        var cases = new Cases(suite, received);
        cases.unentitled(REFUSED);
        cases.killed();
        var memory = HeapDump.take(suite.process("gateway-1"), "gateway-1", folder);
        cases.entitled();
        cases.killedBeforeARawCaller();
        staffReads(cases, new CanaryStaff(suite, received));
        // When
        var search = new Search(cases.canaries());
        search.file(SearchedPlace.MEMORY, "gateway-1", memory);
        var counts = new SearchedPlaces(suite, received, Map.of(), spans).search(search);
        // Then
        for (var place : SearchedPlace.values()) {
            System.out.printf("canary: %s %s %,d bytes%n", model, place, search.bytesSearched(place));
            assertThat(search.bytesSearched(place)).as("%s", place).isPositive();
        }
        assertThat(counts.records()).isNotEmpty();
        assertThat(search.findings())
                .filteredOn(finding -> !CanaryIT.mayHold(finding) && !ofTheModelBefore(finding))
                .isEmpty();
        assertThat(search.findings())
                .filteredOn(finding -> finding.place() == SearchedPlace.RECEIVED)
                .extracting(Finding::canary)
                .containsAll(cases.canaries().stream()
                        .filter(canary -> canary.word().startsWith("raw "))
                        .filter(canary -> !canary.word().equals("raw key asks for a summary"))
                        .toList());
    }

    /// The gateway's memory was read before this model's raw callers asked, and those of the model before have the
    /// same words.
    private static boolean ofTheModelBefore(Finding finding) {
        return finding.place() == SearchedPlace.MEMORY
                && finding.canary().word().startsWith("raw ");
    }

    /// The thoughts were there to be found: staff reads them where the caller opted in.
    private static void staffReads(Cases cases, CanaryStaff staff) {
        assertThat(cases.audited()).hasSize(5);
        cases.audited().forEach((canary, response) -> {
            assertThat(staff.awaitRecords(response)).as(canary.word()).hasSize(1);
            var record = staff.read(response, canary.word());
            if (!canary.word().equals("opted in left")) {
                assertThat(record).as(canary.word()).contains(canary.words());
            }
        });
    }
}
