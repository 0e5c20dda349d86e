package dev.counterpoint.gateway.api.chat;

import dev.counterpoint.gateway.admission.TenantDoor;
import dev.counterpoint.gateway.api.completions.CompletionFilter;
import dev.counterpoint.gateway.api.completions.CompletionService;
import dev.counterpoint.gateway.api.openapi.ApiOperation;
import dev.counterpoint.gateway.api.paging.PageParameters;
import dev.counterpoint.gateway.config.GatewayConfig;
import dev.counterpoint.gateway.fleet.ModelAliases;
import dev.counterpoint.gateway.http.ClientDisconnect;
import dev.counterpoint.gateway.http.EventSource;
import dev.counterpoint.gateway.http.IgnoredFields;
import dev.counterpoint.gateway.http.JsonAnswer;
import dev.counterpoint.gateway.http.SseBody;
import dev.counterpoint.gateway.idempotency.IdempotencyKey;
import dev.counterpoint.gateway.reasoning.SummaryTierWish;
import dev.counterpoint.gateway.request.AuditConsent;
import dev.counterpoint.gateway.tenancy.CurrentCaller;
import dev.counterpoint.gateway.turn.TurnRefusals;
import dev.counterpoint.gateway.turn.TurnRun;
import dev.counterpoint.gateway.turn.TurnStream;
import dev.counterpoint.openai.chat.ChatChunk;
import dev.counterpoint.openai.chat.ChatCompletion;
import dev.counterpoint.openai.chat.ChatCompletionList;
import dev.counterpoint.openai.chat.ChatRequest;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Chat Completions.
@Path("/v1/chat/completions")
@Produces({MediaType.APPLICATION_JSON, MediaType.SERVER_SENT_EVENTS})
@RunOnVirtualThread
public class ChatResource {
    /// API.md says why of each.
    private static final Set<String> WITHOUT_EFFECT =
            Set.of("prediction", "prompt_cache_key", "prompt_cache_options", "prompt_cache_retention");

    private final ChatCompletions completions;
    private final CompletionService stored;
    private final ModelAliases aliases;
    private final CurrentCaller caller;
    private final GatewayConfig config;
    private final TenantDoor door;

    ChatResource(
            ChatCompletions completions,
            CompletionService stored,
            ModelAliases aliases,
            CurrentCaller caller,
            GatewayConfig config,
            TenantDoor door) {
        this.completions = completions;
        this.stored = stored;
        this.aliases = aliases;
        this.caller = caller;
        this.config = config;
        this.door = door;
    }

    @ApiOperation(value = "Lists the stored chat completions.", gives = ChatCompletionList.class)
    @GET
    public Response list(@BeanParam CompletionFilter filter, @BeanParam PageParameters parameters) {
        return JsonAnswer.ok(stored.list(caller.get().owner(), filter.filter(), parameters.page("asc")));
    }

    @ApiOperation(
            value = "Creates a chat completion.",
            takes = ChatRequest.class,
            gives = ChatCompletion.class,
            streams = ChatChunk.class,
            once = true)
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    public Response create(byte[] body, @Context RoutingContext http) throws InterruptedException {
        var request = IgnoredFields.read(aliases.read(body), ChatRequest.class, this::withoutEffect, http);
        var who = caller.get();
        var key = IdempotencyKey.of(http, who, body);
        var answers = door.through(who.tenant(), () -> completions.start(who, request, key));
        if (request.streaming()) {
            return SseBody.answer(stream(answers, request.usageInStream()), SseBody.Patience.of(config), http);
        }
        ClientDisconnect.listen(
                http, () -> answers.forEach(answer -> answer.run().abandon()));
        for (var ending : TurnRun.awaitAll(runs(answers), config.firstTokenTimeout())) {
            TurnRefusals.requireAnswer(ending, ChatEventFormat.MESSAGES);
        }
        return JsonAnswer.ok(ChatChoices.of(
                answers.stream().map(ChatCompletions.Running::assembler).toList()));
    }

    private Set<String> withoutEffect(ChatRequest request) {
        var paths = new HashSet<>(WITHOUT_EFFECT);
        paths.addAll(completions.optionsWithoutEffect(request));
        if (!Boolean.TRUE.equals(request.store())) {
            paths.add("metadata"); // it is kept with the completion
        }
        if (AuditConsent.hasNoEffect(request.reasoningEncrypt(), caller.get())) {
            paths.add(AuditConsent.MEMBER);
        }
        if (SummaryTierWish.hasNoEffect(request.reasoningSummaryTier(), caller.get())) {
            paths.add(SummaryTierWish.MEMBER);
        }
        return paths;
    }

    private static EventSource stream(List<ChatCompletions.Running> answers, boolean usage) {
        var first = answers.getFirst().assembler();
        boolean usageAfterAll = usage && answers.size() > 1;
        return new TurnStream<>(
                runs(answers),
                new ChatEventFormat(),
                endings -> usageAfterAll ? List.of(first.usage(ChatChoices.usage(endings))) : List.of());
    }

    private static List<TurnRun<ChatChunk>> runs(List<ChatCompletions.Running> answers) {
        return answers.stream().map(ChatCompletions.Running::run).toList();
    }
}
