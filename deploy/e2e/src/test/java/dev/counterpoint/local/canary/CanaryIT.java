package dev.counterpoint.local.canary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.local.LaunchedSuite;
import dev.counterpoint.local.canary.Search.Finding;
import dev.counterpoint.local.e2e.WholeSuite;
import dev.counterpoint.local.spans.ExportedSpan;
import dev.counterpoint.local.spans.SpanCollector;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.ListTopicsOptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/// A secret that only ever stands in raw reasoning is in no byte that the suite leaves anywhere, except where
/// somebody may read it. The search proves itself: it finds what is planted, in every place and every form.
/// `-Dsummaries=decided` and `=written` let a model choose or write the summaries ([SummaryWriter]).
@ExtendWith(WholeSuite.class)
@Order(Integer.MAX_VALUE - 1)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CanaryIT {
    private static final Canary PLANTED = Canary.of("planted");
    /// The JVM of this test holds it, as a gateway's would.
    private static final String IN_MEMORY = Canary.of("in memory").phrase();

    @TempDir
    private static Path folder;

    private final Received received = new Received();
    private SpanCollector spans;
    private final Map<Canary, String> records = new HashMap<>();
    private final List<Finding> planted = new ArrayList<>();
    private LaunchedSuite suite;
    private Cases cases;
    private CanaryStaff staff;
    private Search search;
    private SearchedPlaces.Counts counts;

    @BeforeAll
    void letCallersDoEverythingAndSearch() throws Exception {
        var clock = new Clock();
        suite = WholeSuite.suite();
        spans = WholeSuite.spans();
        cases = new Cases(suite, received);
        cases.unentitled("");
        cases.killed();
        clock.lap("unentitled callers");
        var memory = HeapDump.take(suite.process("gateway-1"), "gateway-1", folder);
        clock.lap("memory");
        cases.entitled();
        cases.killedBeforeARawCaller();
        clock.lap("entitled callers");
        staff = new CanaryStaff(suite, received);
        cases.audited().forEach((canary, response) -> {
            assertThat(staff.awaitRecords(response)).as(canary.word()).hasSize(1);
            records.put(canary, staff.read(response, canary.word()));
        });
        clock.lap("audit");
        search = new Search(cases.canaries());
        search.file(SearchedPlace.MEMORY, "gateway-1", memory);
        counts = new SearchedPlaces(suite, received, Map.of(), spans).search(search);
        clock.lap("search");
        plant();
        clock.lap("planted leaks");
        System.out.println(report());
    }

    private void plant() throws Exception {
        var search = new Search(List.of(PLANTED, Canary.of("in memory")));
        try (var leaks = new PlantedLeaks(suite, spans, PLANTED)) {
            leaks.plant(received);
            new SearchedPlaces(suite, received, leaks.metrics(), spans).search(search);
        }
        var memory = HeapDump.take(ProcessHandle.current(), "test-with-" + IN_MEMORY.length(), folder);
        search.file(SearchedPlace.MEMORY, "test", memory);
        planted.addAll(search.findings());
    }

    private String report() {
        var lines = new StringBuilder("canary: %d canaries in %d forms, %d answers, %d records, %d rows%n"
                .formatted(
                        cases.canaries().size(),
                        Form.values().length,
                        received.all().size(),
                        sum(counts.records()),
                        sum(counts.rows())));
        for (var place : SearchedPlace.values()) {
            lines.append("canary: %-14s %5d sources %,13d bytes %d hits%n"
                    .formatted(
                            place,
                            search.searched(place).size(),
                            search.bytesSearched(place),
                            hits(place).size()));
        }
        return lines.toString();
    }

    private static long sum(Map<String, Long> numbers) {
        return numbers.values().stream().mapToLong(Long::longValue).sum();
    }

    private List<Finding> hits(SearchedPlace place) {
        return search.findings().stream()
                .filter(finding -> finding.place() == place)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void noPlaceHoldsRawReasoningThatNobodyThereMayRead(SearchedPlace place) {
        assertThat(hits(place)).filteredOn(finding -> !mayHold(finding)).isEmpty();
    }

    /// Whether somebody there may read it.
    static boolean mayHold(Finding finding) {
        var word = finding.canary().word();
        boolean rawCaller = word.startsWith("raw ") && finding.source().startsWith("raw: " + word);
        boolean auditor = word.contains("opted in") && finding.source().equals("audit: " + word);
        return finding.place() == SearchedPlace.RECEIVED && (rawCaller || auditor);
    }

    @Test
    void staffFindsTheReasoningOfEveryOptedInResponse() {
        assertThat(records).hasSize(5);
        records.forEach((canary, record) -> {
            // Who left may have done so before the last word.
            if (!canary.word().equals("opted in left")) {
                assertThat(record).contains(canary.words());
            }
        });
    }

    @Test
    void thereIsNoRecordOfAnythingElse() {
        assertThat(cases.unaudited()).hasSize(2);
        assertThat(staff.all())
                .filteredOn(record -> record.path("tenant").asText().equals(cases.agreedTenant()))
                .extracting(record -> record.path("response").asText())
                .containsExactlyInAnyOrderElementsOf(cases.audited().values());
    }

    @Test
    void everyCallerWhoMayReadRawReasoningReceivedIt() {
        var raw = cases.canaries().stream()
                .filter(canary -> canary.word().startsWith("raw "))
                .filter(canary -> !canary.word().equals("raw key asks for a summary"));

        assertThat(hits(SearchedPlace.RECEIVED)).extracting(Finding::canary).containsAll(raw.toList());
    }

    /// A summary is not made of reasoning, so not a single word of a secret is in any.
    @Test
    void noSummaryHasAWordOfTheReasoning() {
        var words = cases.canaries().stream()
                .flatMap(canary -> canary.words().stream())
                .toList();
        var summaries = received.all().stream()
                .filter(answer -> answer.name().startsWith("plain: "))
                .filter(answer -> answer.text().contains("data: [DONE]"))
                .map(Received.Answer::summary)
                .filter(summary -> !summary.isEmpty())
                .toList();

        assertThat(summaries)
                .hasSizeGreaterThan(5)
                .allSatisfy(summary -> assertThat(summary).doesNotContain(words));
    }

    @ParameterizedTest
    @EnumSource
    void bytesOfEveryPlaceWereSearched(SearchedPlace place) {
        assertThat(search.bytesSearched(place)).isPositive();
    }

    @Test
    void nothingWasLeftOut() throws Exception {
        var services = suite.services().keySet();
        var logs = suite.addresses().keySet().stream().map(name -> "logs/" + name + ".log");

        assertThat(search.searched(SearchedPlace.METRICS)).containsOnlyKeys(services);
        assertThat(search.searched(SearchedPlace.LOG))
                .containsKeys(logs.toArray(String[]::new))
                .containsKey("logs/up.log");
        assertThat(search.searched(SearchedPlace.KAFKA_RECORD).keySet()).containsAll(partitions());
        assertThat(counts.rows().entrySet())
                .filteredOn(table -> table.getKey().endsWith(" public.response"))
                .singleElement()
                .matches(table -> table.getValue() > 0);
        assertThat(counts.records().entrySet())
                .filteredOn(partition -> partition.getKey().matches("(frames|jobs.*|models|audit|access-log)-\\d+"))
                .extracting(partition -> partition.getKey().replaceFirst("[.-].*", ""))
                .contains("frames", "jobs", "models", "audit", "access");
    }

    private List<String> partitions() throws Exception {
        try (var admin = suite.kafka().admin()) {
            var names = admin.listTopics(new ListTopicsOptions().listInternal(true))
                    .names()
                    .get();
            return admin.describeTopics(names).allTopicNames().get().values().stream()
                    .filter(topic -> !topic.name().startsWith("planted-"))
                    .flatMap(topic -> topic.partitions().stream().map(each -> topic.name() + "-" + each.partition()))
                    .toList();
        }
    }

    /// Else what was searched would say nothing.
    @Test
    void everyServiceExportedSpans() {
        assertThat(spans.spans())
                .extracting(ExportedSpan::service)
                .contains("gateway-service", "inference-worker", "summarizer-service", "audit-service");
    }

    static Stream<Arguments> placesAndForms() {
        return Arrays.stream(SearchedPlace.values())
                .filter(place -> place != SearchedPlace.MEMORY)
                .flatMap(place -> Arrays.stream(Form.values()).map(form -> Arguments.of(place, form)));
    }

    @ParameterizedTest
    @MethodSource("placesAndForms")
    void aPlantedLeakIsFound(SearchedPlace place, Form form) {
        var source = switch (place) {
            case RECEIVED, METRICS, TRACES -> PlantedLeaks.source(form);
            case LOG -> "logs/" + PlantedLeaks.source(form) + ".log";
            case TEMPORARY_FILE -> "tmp/" + PlantedLeaks.source(form);
            case OTHER_FILE -> PlantedLeaks.source(form);
            case TABLE -> "gateway public." + PlantedLeaks.table(form);
            case KAFKA_RECORD -> "planted-none-" + form.ordinal();
            case KAFKA_FILE -> "kafka/planted-none-" + form.ordinal() + "/00000000000000000000.log";
            // Tables have numbers there.
            case DATABASE_FILE -> "postgres/base/";
            case MEMORY -> "";
        };

        assertThat(planted)
                .anyMatch(finding -> finding.place() == place
                        && finding.source().startsWith(source)
                        && finding.form() == form
                        && finding.canary().equals(PLANTED));
    }

    static final List<String> PARTS_OF_RECORDS = Stream.concat(PlantedLeaks.CODECS.stream(), Stream.of("key", "header"))
            .toList();

    @ParameterizedTest
    @FieldSource("PARTS_OF_RECORDS")
    void aLeakIsFoundInAnyPartOfARecordAndThroughAnyCompression(String part) {
        for (var form : Form.values()) {
            assertThat(planted)
                    .anyMatch(finding -> finding.place() == SearchedPlace.KAFKA_RECORD
                            && finding.source().equals("planted-" + part + "-" + form.ordinal())
                            && finding.form() == form);
        }
    }

    @Test
    void aLeakInMemoryIsFound() {
        assertThat(planted)
                .anyMatch(finding -> finding.place() == SearchedPlace.MEMORY
                        && finding.form() == Form.UTF_8_TEXT
                        && finding.canary().word().equals("in memory"));
    }

    /// How long each phase takes.
    private static final class Clock {
        private long begun = System.nanoTime();

        void lap(String name) {
            long now = System.nanoTime();
            System.out.printf("canary: %s took %.1f s%n", name, (now - begun) / 1e9);
            begun = now;
        }
    }
}
