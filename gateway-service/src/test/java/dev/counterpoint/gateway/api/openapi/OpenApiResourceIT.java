package dev.counterpoint.gateway.api.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.counterpoint.gateway.Api;
import dev.counterpoint.gateway.GatewayDatabase;
import dev.counterpoint.gateway.turn.FakeModels;
import dev.counterpoint.gateway.turn.ModelScript;
import dev.counterpoint.openai.json.WireJson;
import io.quarkus.test.common.WithTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The document is one that others can use, and agrees with what the gateway does.
@QuarkusTest
@TestProfile(FakeModels.Profile.class)
@WithTestResource(GatewayDatabase.class)
class OpenApiResourceIT {
    private static final String QUESTION = "{\"model\":\"%s\",\"input\":\"2+2?\"}".formatted(FakeModels.MODEL);

    private final JsonNode document = new Api("").get(OpenApiResource.PATH).json();

    @Test
    void everyReferenceLeadsSomewhere() {
        // When
        var references = document.findValuesAsText("$ref");

        // Then
        assertThat(references)
                .hasSizeGreaterThan(100)
                .allSatisfy(reference -> assertThat(
                                document.at(reference.substring(1)).isObject())
                        .as(reference)
                        .isTrue());
        assertThat(document.path("openapi").asText()).isEqualTo("3.1.0");
    }

    @Test
    void everyPathNamesItsParametersAndSaysHowItFails() {
        document.path("paths")
                .properties()
                .forEach(path -> path.getValue().forEach(operation -> {
                    for (var name : path.getKey().split("[{}]")) {
                        if (path.getKey().contains("{" + name + "}")) {
                            assertThat(operation.path("parameters").findValuesAsText("name"))
                                    .contains(name);
                        }
                    }
                    assertThat(operation
                                    .at("/responses/default/content/application~1json/schema/$ref")
                                    .asText())
                            .endsWith("error.ErrorBody");
                    assertThat(operation.path("summary").asText()).isNotBlank();
                }));
    }

    @Test
    void parametersAreThoseOfTheResources() {
        var read = document.at("/paths/~1v1~1responses~1{id}/get/parameters");
        var create = document.at("/paths/~1v1~1responses/post/parameters");

        assertThat(read.findValuesAsText("name")).contains("id", "stream", "starting_after");
        assertThat(create.findValuesAsText("name")).containsExactly("Idempotency-Key");
        assertThat(document.toString()).doesNotContain("/v1/probe").doesNotContain("/admin");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"model\":5}",
                "{\"input\":5}",
                "{\"tools\":{}}",
                "{\"stream\":\"yes\"}",
                "{\"metadata\":{\"a\":1}}"
            })
    void whatTheSchemaRefusesTheGatewayRefuses(String body) {
        assertThat(schema("responses.CreateResponse").validate(json(body))).isNotEmpty();
        assertThat(Api.newCaller().post("/v1/responses", body).status()).isEqualTo(400);
    }

    @Test
    void whatTheGatewaySaysIsAsTheSchemaSays() {
        // Given
        FakeModels.next(ModelScript.read("""
                [{"message":0,"channel":"final"},{"message":0,"text":"4","closed":true},{"finish":"STOP"}]"""));

        // When
        var answer = Api.newCaller().post("/v1/responses", QUESTION);
        var refused = Api.newCaller().post("/v1/responses", "{}");

        // Then
        assertThat(schema("responses.CreateResponse").validate(json(QUESTION))).isEmpty();
        assertThat(schema("responses.ResponseObject").validate(answer.json())).isEmpty();
        assertThat(schema("error.ErrorBody").validate(refused.json())).isEmpty();
        assertThat(List.of(answer.status(), refused.status())).containsExactly(200, 400);
    }

    private JsonSchema schema(String name) {
        var pointed = ((ObjectNode) document.deepCopy()).put("$ref", "#/components/schemas/" + name);
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(pointed);
    }

    private static JsonNode json(String text) {
        return WireJson.parse(text.getBytes(StandardCharsets.UTF_8));
    }
}
