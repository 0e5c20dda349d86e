package dev.counterpoint.gateway.api.webhooks;

import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.gateway.api.openapi.ApiOperation;
import dev.counterpoint.gateway.api.paging.PageParameters;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.http.IgnoredFields;
import dev.counterpoint.gateway.http.JsonAnswer;
import dev.counterpoint.gateway.problem.Problem;
import dev.counterpoint.gateway.request.RequestRules;
import dev.counterpoint.gateway.store.Owner;
import dev.counterpoint.gateway.tenancy.CurrentCaller;
import dev.counterpoint.gateway.tenancy.Scope;
import dev.counterpoint.openai.json.WireJson;
import dev.counterpoint.servicekit.ProblemException;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.List;
import java.util.Map;

/// The webhook endpoints of a project, for its keys with the scope `webhooks`.
@Path("/v1/webhook_endpoints")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
public class WebhooksResource {
    private static final int ENDPOINTS_MAX = 20;
    private static final String KEEP = "keep_old_secret_active_for_24_hours";

    private final StoredWebhooks endpoints;
    private final WebhookDeliveries deliveries;
    private final CurrentCaller caller;
    private final boolean plainHttp;

    WebhooksResource(
            StoredWebhooks endpoints, WebhookDeliveries deliveries, GatewayConfig config, CurrentCaller caller) {
        this.endpoints = endpoints;
        this.deliveries = deliveries;
        this.caller = caller;
        plainHttp = config.webhookPlainHttp();
    }

    @ApiOperation(value = "Creates a webhook endpoint.", takes = WebhookRequest.class)
    @POST
    public Response create(byte[] body, @Context RoutingContext http) {
        if (endpoints.list(owner()).size() >= ENDPOINTS_MAX) {
            var message = "A project has at most " + ENDPOINTS_MAX + " webhook endpoints.";
            throw new ProblemException(Problem.invalidRequest(null, message));
        }
        var settings = IgnoredFields.read(body, WebhookRequest.class, http).settings(null, plainHttp);
        var secret = WebhookSecrets.create();
        return withSecret(endpoints.create(owner(), settings, secret), secret);
    }

    @ApiOperation("Lists the webhook endpoints of the project.")
    @GET
    public Response list(@BeanParam PageParameters parameters) {
        var page = parameters.page("desc").ofAll(endpoints.list(owner()), StoredWebhooks.Endpoint::id);
        var list = WireJson.mapper().createObjectNode().put("object", "list");
        list.putArray("data")
                .addAll(page.shown().stream().map(WebhooksResource::view).toList());
        list.put("first_id", page.shown().isEmpty() ? null : page.firstId(StoredWebhooks.Endpoint::id));
        list.put("last_id", page.shown().isEmpty() ? null : page.lastId(StoredWebhooks.Endpoint::id));
        return JsonAnswer.ok(list.put("has_more", page.more()));
    }

    @ApiOperation("Reads a webhook endpoint.")
    @GET
    @Path("{id}")
    public Response read(@PathParam("id") String id) {
        return JsonAnswer.ok(view(found(id)));
    }

    @ApiOperation(value = "Changes a webhook endpoint.", takes = WebhookRequest.class)
    @POST
    @Path("{id}")
    public Response update(@PathParam("id") String id, byte[] body, @Context RoutingContext http) {
        var before = found(id);
        endpoints.update(
                before, IgnoredFields.read(body, WebhookRequest.class, http).settings(before, plainHttp));
        return read(id);
    }

    @ApiOperation("Deletes a webhook endpoint.")
    @DELETE
    @Path("{id}")
    public Response delete(@PathParam("id") String id) {
        endpoints.delete(found(id));
        return JsonAnswer.ok(Map.of("id", id, "object", "webhook_endpoint.deleted", "deleted", true));
    }

    @ApiOperation("Makes a new secret for a webhook endpoint.")
    @POST
    @Path("{id}/rotate_secret")
    public Response rotateSecret(@PathParam("id") String id, byte[] body) {
        var endpoint = found(id);
        var keep = body.length == 0
                ? MissingNode.getInstance()
                : WireJson.parse(body).path(KEEP);
        RequestRules.require(
                keep.isBoolean() || keep.isMissingNode() || keep.isNull(), KEEP, "expected true or false.");
        var secret = WebhookSecrets.create();
        endpoints.rotate(endpoint, secret, keep.asBoolean());
        return withSecret(id, secret);
    }

    @ApiOperation(value = "Sends a sample event to a webhook endpoint.", takes = WebhookRequest.Test.class)
    @POST
    @Path("{id}/test")
    public Response test(@PathParam("id") String id, byte[] body, @Context RoutingContext http)
            throws InterruptedException {
        var endpoint = found(id);
        var type = IgnoredFields.read(body, WebhookRequest.Test.class, http).eventType();
        RequestRules.oneOf("event_type", type, WebhookRequest.EVENT_TYPES);
        var result = deliveries.test(endpoint, type);
        if (result.status() == 0) {
            var message = "The URL of the webhook endpoint could not be reached: " + result.outcome() + ".";
            throw new ProblemException(Problem.invalidRequest(null, "webhook_" + result.outcome(), message));
        }
        return JsonAnswer.ok(WireJson.mapper()
                .createObjectNode()
                .put("object", "webhook_endpoint.test")
                .put("webhook_endpoint_id", id)
                .put("event_type", type)
                .put("status_code", result.status())
                .put("success", true));
    }

    /// The only times that a secret is shown.
    private Response withSecret(String id, String secret) {
        return JsonAnswer.ok(view(found(id)).put("signing_secret", secret));
    }

    private static ObjectNode view(StoredWebhooks.Endpoint endpoint) {
        var view = WireJson.mapper().createObjectNode().put("id", endpoint.id()).put("object", "webhook_endpoint");
        List.of(endpoint.eventTypes().split(",")).forEach(view.putArray("event_types")::add);
        return view.put("name", endpoint.name())
                .put("url", endpoint.url())
                .put("signing_secret_hint", endpoint.hint())
                .put("created_at", endpoint.createdAt().getEpochSecond())
                .put("updated_at", endpoint.updatedAt().getEpochSecond());
    }

    private StoredWebhooks.Endpoint found(String id) {
        return endpoints
                .find(id, owner())
                .orElseThrow(() -> new ProblemException(Problem.notFound("Webhook endpoint with id '" + id + "'")));
    }

    private Owner owner() {
        return caller.get().requiring(Scope.WEBHOOKS).owner();
    }
}
