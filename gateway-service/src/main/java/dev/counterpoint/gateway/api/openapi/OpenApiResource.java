package dev.counterpoint.gateway.api.openapi;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.gateway.idempotency.IdempotencyKey;
import dev.counterpoint.openai.error.ErrorBody;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.openai.json.WireSchemas;
import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.Router;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.QueryParam;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Publishes what is served under `/v1` as `GET /openapi.json`, to everybody. Paths and parameters are those of the
/// resources, schemas those of the wire types; nothing is written by hand but sentences, so it cannot promise what is
/// not there. Generators that look at the methods' own types see bytes only.
@ApplicationScoped
class OpenApiResource {
    static final String PATH = "/openapi.json";
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String API = "/v1";

    private final Supplier<List<Class<?>>> resources;
    private volatile byte[] written = {};

    OpenApiResource(BeanManager beans) {
        resources = () -> beans.getBeans(Object.class, Any.Literal.INSTANCE).stream()
                .<Class<?>>map(bean -> bean.getBeanClass())
                .filter(type -> type.isAnnotationPresent(Path.class))
                .distinct()
                .sorted(Comparator.comparing(Class::getName))
                .toList();
    }

    void register(@Observes Router router) {
        router.get(PATH)
                .handler(http -> http.response()
                        .putHeader("Content-Type", "application/json")
                        .end(Buffer.buffer(bytes())));
    }

    private byte[] bytes() {
        if (written.length == 0) {
            written = WireJson.writeBytes(document()); // the same whoever writes it
        }
        return written;
    }

    private ObjectNode document() {
        var document = JSON.objectNode().put("openapi", "3.1.0");
        document.putObject("info")
                .put("title", "Counterpoint")
                .put("version", "1")
                .put("description", "The OpenAI API, served by Counterpoint. API.md says what each field does here.");
        document.putArray("security").addObject().putArray("apiKey");
        var paths = document.putObject("paths");
        var schemas = new WireSchemas();
        resources.get().forEach(type -> describe(type, paths, schemas));
        var components = document.putObject("components");
        components.set("schemas", schemas.components());
        components
                .putObject("securitySchemes")
                .putObject("apiKey")
                .put("type", "http")
                .put("scheme", "bearer");
        return document;
    }

    private static void describe(Class<?> type, ObjectNode paths, WireSchemas schemas) {
        for (var method : type.getDeclaredMethods()) {
            var speaks = method.getAnnotation(ApiOperation.class);
            var path = path(type, method);
            if (speaks != null && path.startsWith(API)) {
                verb(method)
                        .ifPresent(
                                verb -> paths.withObjectProperty(path).set(verb, operation(method, speaks, schemas)));
            }
        }
    }

    private static String path(Class<?> type, Method method) {
        var own = method.getAnnotation(Path.class);
        var whole = "/" + type.getAnnotation(Path.class).value() + (own == null ? "" : "/" + own.value());
        return whole.replaceAll("/+", "/").replaceAll("\\{\\s*(\\w+)\\s*:[^}]*}", "{$1}");
    }

    private static Optional<String> verb(Method method) {
        return Arrays.stream(method.getAnnotations())
                .map(annotation -> annotation.annotationType().getAnnotation(HttpMethod.class))
                .filter(Objects::nonNull)
                .map(verb -> verb.value().toLowerCase(Locale.ROOT))
                .findFirst();
    }

    private static ObjectNode operation(Method method, ApiOperation speaks, WireSchemas schemas) {
        var operation = JSON.objectNode().put("summary", speaks.value());
        var parameters = operation.putArray("parameters");
        parameters(method, speaks).forEach(parameters::add);
        if (speaks.takes() != Void.class) {
            var body = operation.putObject("requestBody").put("required", true);
            content(body, "application/json", schemas.reference(speaks.takes()));
        }
        var responses = operation.putObject("responses");
        var answer = responses.putObject("200").put("description", "What was asked for.");
        content(answer, "application/json", gives(speaks, schemas));
        if (speaks.streams() != Void.class) {
            content(answer, "text/event-stream", schemas.reference(speaks.streams()));
        }
        var error = responses.putObject("default").put("description", "Why not.");
        content(error, "application/json", schemas.reference(ErrorBody.class));
        return operation;
    }

    private static ObjectNode gives(ApiOperation speaks, WireSchemas schemas) {
        return speaks.gives() == Void.class ? JSON.objectNode() : schemas.reference(speaks.gives());
    }

    private static void content(ObjectNode of, String type, ObjectNode schema) {
        of.withObjectProperty("content").putObject(type).set("schema", schema);
    }

    private static List<ObjectNode> parameters(Method method, ApiOperation speaks) {
        var all = new ArrayList<ObjectNode>();
        for (var parameter : method.getParameters()) {
            Stream<? extends AnnotatedElement> elements = parameter.isAnnotationPresent(BeanParam.class)
                    ? Arrays.stream(parameter.getType().getDeclaredFields())
                    : Stream.of(parameter);
            elements.forEach(element -> parameter(element).ifPresent(all::add));
        }
        if (speaks.once()) {
            all.add(parameter("header", IdempotencyKey.HEADER));
        }
        return all;
    }

    private static Optional<ObjectNode> parameter(AnnotatedElement element) {
        var inPath = element.getAnnotation(PathParam.class);
        var inQuery = element.getAnnotation(QueryParam.class);
        if (inPath != null) {
            return Optional.of(parameter("path", inPath.value()).put("required", true));
        }
        return inQuery == null ? Optional.empty() : Optional.of(parameter("query", inQuery.value()));
    }

    private static ObjectNode parameter(String in, String name) {
        var parameter = JSON.objectNode().put("name", name).put("in", in);
        parameter.putObject("schema").put("type", "string");
        return parameter;
    }
}
