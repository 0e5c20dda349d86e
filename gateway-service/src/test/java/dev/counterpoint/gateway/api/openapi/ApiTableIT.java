package dev.counterpoint.gateway.api.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.api.openapi.ApiTable.Status;
import dev.counterpoint.gateway.generation.ModelOutput;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.testkit.ConformanceFiles;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The tables of `API.md` against the running gateway, and against OpenAI's contract.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class ApiTableIT {
    private static final List<ModelOutput> FOUR = ModelScript.read("""
            [{"message":0,"channel":"final"},{"message":0,"text":"4","closed":true},{"finish":"STOP"}]""");
    private static final String RESPONSES = "/v1/responses";
    private static final ApiTable TABLE = ApiTable.read();

    private final Api caller = Api.newCaller("reasoning:summary");

    static List<ApiTable.Field> fields() {
        return TABLE.fields();
    }

    static List<ApiTable.Endpoint> endpoints() {
        return TABLE.endpoints();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("fields")
    void aFieldIsWhatItsLineSays(ApiTable.Field field) {
        // Given
        var body = body(field);
        if (field.status() != Status.REFUSED) {
            for (int answer = 0; answer < body.path("n").asInt(1); answer++) {
                FakeModels.next(FOUR);
            }
        }

        // When
        var answer = caller.post(field.path(), body.toString());

        // Then
        var ignored = Arrays.asList(answer.header("x-counterpoint-ignored").split(", "));
        var said = new String(answer.http().body(), StandardCharsets.UTF_8);
        if (field.status() == Status.REFUSED) {
            assertThat(answer.status()).as(said).isEqualTo(400);
            assertThat(answer.json().at("/error/param").asText()).startsWith(field.name());
        } else {
            assertThat(answer.status()).as(said).isEqualTo(200);
            assertThat(ignored.contains(field.name()))
                    .as(ignored.toString())
                    .isEqualTo(field.status() == Status.IGNORED);
        }
    }

    /// The shortest valid body with the members of the line.
    private ObjectNode body(ApiTable.Field field) {
        var question = field.path().equals(RESPONSES)
                ? "\"input\":\"Some JSON: 2+2?\""
                : "\"messages\":[{\"role\":\"user\",\"content\":\"Some JSON: 2+2?\"}]";
        var body = (ObjectNode) json("{\"model\":\"%s\",%s}".formatted(FakeModels.MODEL, question));
        var members = field.members();
        if (members.contains("$RESPONSE")) {
            FakeModels.next(FOUR);
            var earlier = caller.post(RESPONSES, body.toString()).json();
            members = members.replace("$RESPONSE", earlier.path("id").asText());
        }
        if (members.contains("$CONVERSATION")) {
            var conversation = caller.post("/v1/conversations", "{}").json();
            members = members.replace("$CONVERSATION", conversation.path("id").asText());
        }
        body.setAll((ObjectNode) json(members));
        return body;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("endpoints")
    void anEndpointIsWhatItsLineSays(ApiTable.Endpoint endpoint) {
        // Given
        var documented = new Api("").get("/openapi.json").json().path("paths");
        var path = endpoint.path().replaceAll("\\{[^}]*}", "x");

        // When
        var answer = caller.method(endpoint.method(), path, endpoint.method().equals("POST") ? "[]" : "");

        // Then
        boolean there = answer.status() != 405
                && !answer.json().at("/error/code").asText().equals("unknown_url");
        assertThat(there).as(answer.json().toString()).isEqualTo(endpoint.status() == Status.SUPPORTED);
        assertThat(operations(documented).contains(operation(endpoint.method(), endpoint.path())))
                .isEqualTo(endpoint.status() == Status.SUPPORTED);
    }

    @Test
    void everyEndpointThatIsServedHasALine() {
        var documented = operations(new Api("").get("/openapi.json").json().path("paths"));

        assertThat(documented)
                .isSubsetOf(TABLE.endpoints().stream()
                        .map(endpoint -> operation(endpoint.method(), endpoint.path()))
                        .toList());
    }

    @Test
    void everyFieldOfTheContractHasALine() throws IOException {
        var catalogue = contract("openai-responses-catalog.json");

        assertThat(lines(RESPONSES)).containsAll(members(catalogue.path("CreateResponse")));
        assertThat(lines("/v1/chat/completions")).containsAll(members(catalogue.path("CreateChatCompletionRequest")));
    }

    @Test
    void everyFieldOfTheContractOfNovemberHasALine() throws IOException {
        var types = contract("openai-2026-11-17.json").path("$defs");

        assertThat(lines(RESPONSES)).containsAll(fields(types.path("ResponseCreateParamsStreaming")));
        assertThat(lines("/v1/chat/completions"))
                .containsAll(fields(types.path("ChatCompletionCreateParamsStreaming")));
    }

    private static List<String> fields(JsonNode type) {
        var names = new ArrayList<String>();
        type.path("properties").fieldNames().forEachRemaining(names::add);
        assertThat(names).isNotEmpty();
        return names;
    }

    @Test
    void everyEndpointOfTheContractHasALine() throws IOException {
        var paths = contract("openai-openapi-2026-08-21.subset.json").path("paths");

        assertThat(TABLE.endpoints())
                .extracting(endpoint -> operation(endpoint.method(), endpoint.path()))
                .containsAll(operations(paths).stream()
                        .map(operation -> operation.replace(" ", " /v1"))
                        .toList());
    }

    private static Set<String> lines(String path) {
        return TABLE.fields().stream()
                .filter(field -> field.path().equals(path))
                .map(ApiTable.Field::name)
                .collect(Collectors.toSet());
    }

    private static List<String> members(JsonNode type) {
        var names = new ArrayList<String>();
        type.path("required").forEach(name -> names.add(name.asText()));
        type.path("optional").forEach(name -> names.add(name.asText()));
        assertThat(names).isNotEmpty();
        return names;
    }

    /// Such as `GET /v1/models/{}`.
    private static Set<String> operations(JsonNode paths) {
        var operations = new TreeSet<String>();
        paths.properties()
                .forEach(path -> path.getValue()
                        .fieldNames()
                        .forEachRemaining(method -> operations.add(operation(method, path.getKey()))));
        return operations;
    }

    private static String operation(String method, String path) {
        return method.toUpperCase(Locale.ROOT) + " " + path.replaceAll("\\{[^}]*}", "{}");
    }

    private static JsonNode contract(String file) throws IOException {
        var path = ConformanceFiles.find("openai/" + file);
        assumeTrue(path.isPresent());
        return WireJson.parse(Files.readAllBytes(path.get()));
    }

    private static JsonNode json(String text) {
        return WireJson.parse(text.getBytes(StandardCharsets.UTF_8));
    }
}
