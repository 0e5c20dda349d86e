package dev.counterpoint.gateway.api.responses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.gateway.api.chat.ChatBodies;
import dev.counterpoint.gateway.api.conversations.AddedItems;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.testkit.contract.Contract;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.aggregator.ArgumentsAccessor;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/// Compares every bound that the contract sets to a length or a number with what we refuse. `refused/limits.csv` says
/// of each whether we hold it, or why not; a new bound fails, and so does a line that no longer holds.
///
/// A line's `limit` is a place in the contract and a keyword; one that ends in `*` stands for all that begin so. In a
/// body, `N` stands for as many letters, or as many `unit`s, as are tried.
class ContractLimitsTest {
    private static final String LINES = "/refused/limits.csv";
    private static final List<String> KEYWORDS =
            List.of("minLength", "maxLength", "minItems", "maxItems", "maxProperties");

    @ParameterizedTest(name = "{0}")
    @CsvFileSource(resources = LINES, delimiter = '|', quoteCharacter = '`', numLinesToSkip = 1, nullValues = "-")
    void aLimitOfTheContractIsOursOrHasAReason(ArgumentsAccessor line) {
        var limit = Objects.requireNonNull(line.getString(0));
        var api = line.getString(1);
        var unit = line.getString(2);
        var body = line.getString(3);
        var reason = line.getString(4);
        assumeTrue(Contract.load().isPresent());
        var covered = new TreeMap<>(limits());
        covered.keySet().removeIf(found -> !covers(limit, found));
        assertThat(covered).as("what the line is about").isNotEmpty();
        if (body == null || api == null) {
            assertThat(reason).isNotNull();
            return;
        }
        int bound = covered.firstEntry().getValue();
        int beyond = limit.contains(" min") ? bound - 1 : bound + 1;
        if (reason == null) {
            assertThatCode(() -> check(api, filled(body, unit, bound))).doesNotThrowAnyException();
            assertThatThrownBy(() -> check(api, filled(body, unit, beyond))).isInstanceOf(WireException.class);
        } else {
            assertThatCode(() -> check(api, filled(body, unit, beyond))).doesNotThrowAnyException();
        }
    }

    @Test
    void everyLimitOfTheContractHasALine() throws Exception {
        assumeTrue(Contract.load().isPresent());
        var lines = new String(getClass().getResourceAsStream(LINES).readAllBytes(), "UTF-8")
                .lines()
                .skip(1)
                .map(line -> line.split(" *\\|")[0])
                .toList();
        var unknown = new TreeSet<>(limits().keySet());
        unknown.removeIf(found -> lines.stream().anyMatch(line -> covers(line, found)));

        assertThat(unknown).isEmpty();
    }

    /// The contract's schema has these bounds for Responses; for Chat and for namespaces its text has them.
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
            chat      | 64  | {'type':'function','function':{'name':'N'}}
            chat      | 64  | {'type':'custom','custom':{'name':'N'}}
            responses | 128 | {'type':'function','name':'N'}
            responses | 128 | {'type':'custom','name':'N'}
            responses | 64  | {'type':'namespace','name':'N','description':'','tools':[]}
            responses | 128 | {'type':'namespace','name':'n','description':'','tools':[{'type':'function','name':'N'}]}
            responses | 128 | {'type':'namespace','name':'n','description':'','tools':[{'type':'custom','name':'N'}]}
            """)
    void aNameOfAToolIsAsLongAsItsApiAllowsInItsPlace(String api, int longest, String tool) {
        var body = (api.equals("chat")
                        ? "{'model':'m','messages':[{'role':'user','content':'x'}],'tools':["
                        : "{'model':'m','input':'x','tools':[")
                + tool + "]}";

        assertThatCode(() -> check(api, filled(body, null, longest))).doesNotThrowAnyException();
        assertThatThrownBy(() -> check(api, filled(body, null, longest + 1)))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("a name has 1 to " + longest + " letters");
    }

    private static boolean covers(String line, String limit) {
        return line.endsWith("*") ? limit.startsWith(line.substring(0, line.length() - 1)) : limit.equals(line);
    }

    private static String filled(String body, @Nullable String unit, int count) {
        var filling = unit == null ? "a".repeat(count) : String.join(",", Collections.nCopies(count, unit));
        return body.replace("N", filling).replace('\'', '"');
    }

    private static void check(String api, String body) {
        switch (api) {
            case "chat" -> ChatBodies.check(body);
            case "responses" -> TranslatedRequestTest.translate(body, List.of());
            case "items" -> AddedItems.check(body);
            default -> throw new IllegalArgumentException(api);
        }
    }

    /// Place and keyword of each bound, as in `FunctionToolParam/name maxLength`.
    private static SortedMap<String, Integer> limits() {
        var limits = new TreeMap<String, Integer>();
        var contract = Contract.load().orElseThrow();
        contract.schemas().forEach(schema -> collect(contract.at(Contract.pointer(schema)), schema, limits));
        return limits;
    }

    private static void collect(JsonNode schema, String place, SortedMap<String, Integer> limits) {
        for (var keyword : KEYWORDS) {
            if (schema.path(keyword).isInt()) {
                limits.put(place + " " + keyword, schema.path(keyword).asInt());
            }
        }
        schema.propertyStream().forEach(member -> {
            var key = member.getKey();
            collect(member.getValue(), key.equals("properties") ? place : place + "/" + key, limits);
        });
        for (int i = 0; i < (schema.isArray() ? schema.size() : 0); i++) {
            collect(schema.get(i), place + "/" + i, limits);
        }
    }
}
