package dev.counterpoint.openai.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.counterpoint.openai.json.Leaves;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.OutputItem;
import dev.counterpoint.openai.responses.StreamEvent;
import dev.counterpoint.openai.responses.Tool;
import dev.counterpoint.testkit.ConformanceFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every event, item and tool that the contract names has a record of its own and a golden file that is read as it.
class CatalogueTest {
    private static final Optional<Path> FILE = ConformanceFiles.find("openai/openai-responses-catalog.json");

    /// A name of the contract, and the family that it is of. `golden` is the first of the names that lead to one
    /// record.
    record Entry(Class<?> family, String name, String golden) {
        @Override
        public String toString() {
            return family.getSimpleName() + " " + name;
        }
    }

    static Stream<Entry> entries() {
        return Stream.of(
                        named(StreamEvent.class, "events"),
                        named(InputItem.class, "input_items"),
                        named(OutputItem.class, "output_items"),
                        named(Tool.class, "tools"))
                .flatMap(List::stream);
    }

    @BeforeAll
    static void skipWithoutCatalogue() {
        assumeTrue(FILE.isPresent());
    }

    @Test
    void theContractHasAsManyAsWeCounted() {
        assertThat(catalogue().path("events")).hasSize(58);
        assertThat(catalogue().path("input_items")).hasSize(30);
        assertThat(catalogue().path("output_items")).hasSize(28);
        assertThat(catalogue().path("tools")).hasSize(16);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("entries")
    void hasARecordAndAGoldenFileThatIsReadAsIt(Entry entry) throws IOException {
        var record = Leaves.leafFor(
                entry.family(), JsonNodeFactory.instance.objectNode().put("type", entry.name()));

        assertThat(record).as("the record of %s", entry).isNotNull();
        try (var golden = getClass().getResourceAsStream(file(entry))) {
            assertThat(golden).as(file(entry)).isNotNull();
            assertThat(WireJson.read(golden.readAllBytes(), entry.family())).isInstanceOf(record);
        }
    }

    private static String file(Entry entry) {
        return "/golden/responses/" + entry.family().getSimpleName() + "/" + entry.golden() + ".json";
    }

    /// The catalogue joins the names of one schema by `|`, and calls the item without one `(item_reference / null)`.
    private static List<Entry> named(Class<?> family, String kind) {
        return catalogue()
                .path(kind)
                .propertyStream()
                .map(entry -> entry.getKey().replaceAll("[()]| / null", "").split("\\|"))
                .flatMap(names -> Stream.of(names).map(name -> new Entry(family, name, names[0])))
                .toList();
    }

    private static JsonNode catalogue() {
        try {
            return WireJson.parse(Files.readAllBytes(FILE.orElseThrow()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
