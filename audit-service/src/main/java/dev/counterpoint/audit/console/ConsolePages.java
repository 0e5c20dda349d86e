package dev.counterpoint.audit.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.audit.api.CurrentStaff;
import dev.counterpoint.audit.api.StaffRoles;
import dev.counterpoint.audit.config.AuditConfig;
import dev.counterpoint.audit.problem.SignIn;
import io.quarkus.qute.Engine;
import io.quarkus.qute.TemplateInstance;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/// Makes pages of templates, and of refusals below `/console`. Thread-safe.
@ApplicationScoped
class ConsolePages {
    private static final String FORM = "counterpoint.console-form";
    private static final int AFTER_PUBLISHING = 1_000;
    private static final String HTML = "text/html; charset=utf-8";

    private final Engine engine;
    private final CurrentStaff staff;
    private final ConsoleSession session;
    private final CurrentVertxRequest http;
    private final ObjectMapper json;
    private final AuditConfig config;

    ConsolePages(
            Engine engine,
            CurrentStaff staff,
            ConsoleSession session,
            CurrentVertxRequest http,
            ObjectMapper json,
            AuditConfig config) {
        this.engine = engine;
        this.staff = staff;
        this.session = session;
        this.http = http;
        this.json = json;
        this.config = config;
    }

    /// A page of the one who is signed in.
    TemplateInstance page(String name) {
        return bare(name)
                .data("staff", staff.person().name())
                .data("can", can())
                .data("token", session.formToken())
                .data("idle", config.consoleIdle().toSeconds());
    }

    /// Who may do what; the services decide it, a page only leaves out what they would refuse.
    private Map<String, Boolean> can() {
        return Map.of(
                "search", staff.has(StaffRoles.SEARCH),
                "read", staff.has(StaffRoles.READ),
                "erase", staff.has(StaffRoles.ERASE),
                "hold", staff.has(StaffRoles.HOLD),
                "approve", staff.has(StaffRoles.APPROVE),
                "audit", staff.has(StaffRoles.AUDITOR));
    }

    boolean isMe(String name) {
        return staff.person().name().equals(name);
    }

    boolean can(String what) {
        return can().getOrDefault(what, false);
    }

    /// A page without a session.
    TemplateInstance bare(String name) {
        return engine.getTemplate("console/" + name)
                .data("page", name)
                .data("problem", null)
                .data("given", Map.of());
    }

    /// The page that shows a refusal of the rest of this request, with what was filled in.
    void onProblem(TemplateInstance page, Map<String, String> given) {
        http.getCurrent().put(FORM, page.data("given", given));
    }

    /// What the API would show.
    JsonNode shown(Object answer) {
        return json.valueToTree(answer);
    }

    List<ShownMember> members(JsonNode object, String... without) {
        return ShownMember.of(object, Set.of(without));
    }

    /// For templates: maps, lists and texts.
    Object plain(Object answer) {
        return json.convertValue(answer, Object.class);
    }

    /// A form as the body that the API takes.
    ///
    /// @throws JsonProcessingException for a field that the API does not have
    <T> T body(Map<String, ?> form, Class<T> type) throws JsonProcessingException {
        return json.treeToValue(json.valueToTree(form), type);
    }

    static Response seeOther(String path) {
        return Response.seeOther(URI.create(path)).build();
    }

    /// Shows a refusal as a page, after it was decided whether the answer leaves.
    @ServerResponseFilter(priority = AFTER_PUBLISHING)
    public void show(ContainerResponseContext answer, RoutingContext request) {
        boolean refusal = answer.getStatus() >= 400;
        if (!refusal || !SignIn.concerns(request)) {
            return;
        }
        TemplateInstance form = request.get(FORM);
        var page = (form == null ? bare("problem") : form)
                .data("problem", error(answer.getEntity()))
                .data("status", answer.getStatus());
        answer.setEntity(page.render(), null, MediaType.valueOf(HTML));
    }

    private Object error(Object entity) {
        try {
            return entity instanceof byte[] problem
                    ? plain(json.readTree(problem).path("error"))
                    : Map.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
