package dev.counterpoint.local.canary;

import static dev.counterpoint.local.canary.CanaryRequests.slow;
import static dev.counterpoint.local.canary.CanaryRequests.summary;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.counterpoint.local.LaunchedSuite;
import dev.counterpoint.validator.StreamValidator;
import dev.counterpoint.validator.ValidatorOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/// Everything that callers do: each case has a canary of its own, named like the case. The names of answers begin with
/// who got them: `plain`, `raw`, `audit`.
final class Cases {
    private static final Executor CALLERS = Executors.newVirtualThreadPerTaskExecutor();
    private static final long CASES_MAX_SECONDS = 120;

    private final LaunchedSuite suite;
    private final CanaryCaller plain;
    private final CanaryCaller raw;
    /// Keys of a tenant that agreed to audits.
    private final CanaryCaller agreed;
    private final CanaryCaller rawAgreed;
    private final OptedInTenant tenant;
    private final Map<Canary, String> audited = new ConcurrentHashMap<>();
    private final Map<Canary, String> unaudited = new ConcurrentHashMap<>();
    private final List<Canary> canaries = new ArrayList<>();
    /// Cases whose stream has begun.
    private final Set<String> begun = ConcurrentHashMap.newKeySet();
    private final ConcurrentHashMap<String, Integer> asked = new ConcurrentHashMap<>();

    Cases(LaunchedSuite suite, Received received) {
        this.suite = suite;
        plain = new CanaryCaller(received, suite.gateway(), suite.export("COUNTERPOINT_API_KEY"));
        raw = new CanaryCaller(received, suite.gateway(), suite.export("COUNTERPOINT_RAW_API_KEY"));
        tenant = OptedInTenant.create(suite);
        agreed = new CanaryCaller(
                received, suite.gateway(), tenant.key("\"reasoning:summary\"").secret());
        rawAgreed = new CanaryCaller(
                received,
                suite.gateway(),
                tenant.key("\"reasoning:summary\",\"reasoning:raw\"").secret());
    }

    /// Responses whose reasoning must be on record, by their canaries.
    Map<Canary, String> audited() {
        return audited;
    }

    /// Responses that nobody opted in although their tenant agreed.
    Map<Canary, String> unaudited() {
        return unaudited;
    }

    String agreedTenant() {
        return tenant.id();
    }

    synchronized List<Canary> canaries() {
        return List.copyOf(canaries);
    }

    /// One case: what it is called, and what happens.
    private record Case(String name, Consumer<Canary> happens) {}

    /// Nobody here may read raw reasoning.
    ///
    /// @param without the case that the engine refuses, if any
    void unentitled(String without) {
        run(unentitledCases().stream()
                .filter(each -> !each.name().equals(without))
                .toList());
    }

    private List<Case> unentitledCases() {
        return List.of(
                new Case("responses unasked", canary -> completed(responses(plain, canary, ""))),
                new Case("responses none", canary -> completed(responses(plain, canary, ",\"reasoning\":{}"))),
                new Case("responses summary", canary -> summed(responses(plain, canary, summary("auto")))),
                new Case("responses detailed", canary -> summed(responses(plain, canary, summary("detailed")))),
                new Case("responses whole", this::whole),
                new Case("responses cut off", canary -> responses(plain, canary, ",\"max_output_tokens\":70")),
                new Case("chat unasked", canary -> done(chat(plain, canary, ""))),
                new Case("chat none", canary -> done(chat(plain, canary, ",\"reasoning\":\"none\""))),
                new Case("chat summary", canary -> done(chat(plain, canary, ",\"reasoning\":\"summary\""))),
                new Case("chat object", canary -> done(chat(plain, canary, ",\"reasoning\":{\"effort\":\"high\"}"))),
                new Case("chat excluded", canary -> done(chat(plain, canary, ",\"reasoning\":{\"exclude\":true}"))),
                new Case("chat flag", canary -> done(chat(plain, canary, ",\"include_reasoning\":true"))),
                new Case("chat logprobs", canary -> done(chat(plain, canary, ",\"logprobs\":true,\"top_logprobs\":5"))),
                new Case("chat whole", this::wholeChat),
                new Case("sealed resent", canary -> sealedResent(canary, plain)),
                new Case("sealed resent chat", canary -> resentInChat(canary, true)),
                new Case("sealed kept for chat", canary -> resentInChat(canary, false)),
                new Case("summary resent", this::summaryResent),
                new Case("left", this::left),
                new Case("left chat", this::leftChat),
                new Case("opted in", canary -> optedIn(agreed, canary, summary("auto"))),
                new Case("opted in chat", this::optedInChat),
                new Case("opted in left", this::optedInLeft),
                new Case("not opted in", canary -> recorded(unaudited, canary, responses(agreed, canary, ""))),
                new Case(
                        "opted out",
                        canary -> recorded(
                                unaudited, canary, responses(agreed, canary, ",\"reasoning_encrypt\":false"))));
    }

    /// A worker is killed while it reasons.
    void killed() {
        kill(List.of(
                new Case("killed responses", canary -> completed(responses(plain, canary, slow("")))),
                new Case("opted in killed", canary -> optedIn(agreed, canary, slow(""))),
                new Case(
                        "killed summary", canary -> completed(responses(plain, canary, slow(",\"summary\":\"auto\"")))),
                new Case("killed chat", canary -> done(chat(plain, canary, ",\"reasoning\":{\"effort\":\"high\"}")))));
    }

    /// The raw key sees its own canaries.
    void entitled() {
        run(List.of(
                new Case("raw responses", canary -> shown(responses(raw, canary, ""), canary)),
                new Case(
                        "raw responses with summary", canary -> shown(responses(raw, canary, summary("auto")), canary)),
                new Case("raw chat", canary -> shown(chat(raw, canary, ""), canary)),
                new Case("raw chat full", canary -> shown(chat(raw, canary, ",\"reasoning\":\"full\""), canary)),
                new Case("raw key asks for a summary", canary -> done(chat(raw, canary, ",\"reasoning\":\"summary\""))),
                new Case("raw opted in", canary -> optedIn(rawAgreed, canary, "")),
                new Case("raw resent", this::rawResent),
                new Case(
                        "raw left",
                        canary -> raw.post(
                                name("raw", canary),
                                "/v1/responses",
                                CanaryRequests.request(canary, CanaryRequests.QUESTION, true, ""),
                                text -> text.contains(canary.words().getLast())))));
    }

    void killedBeforeARawCaller() {
        kill(List.of(new Case("raw killed", canary -> shown(responses(raw, canary, slow("")), canary))));
    }

    private void run(List<Case> cases) {
        var running = start(cases);
        await(running);
    }

    /// Kills the worker in the middle of these cases. A chat may begin with its answer, so the others say when.
    private void kill(List<Case> cases) {
        var running = start(cases);
        while (cases.stream().anyMatch(each -> !each.name().contains("chat") && !begun.contains(each.name()))) {
            CanaryCaller.pause(Duration.ofMillis(10));
        }
        CanaryCaller.pause(KILL_AFTER);
        assertThat(running).anyMatch(response -> !response.isDone());
        suite.kill("worker-1");
        await(running);
        suite.awaitReady("worker-1");
    }

    private Predicate<String> begins(Canary canary) {
        return _ -> {
            begun.add(canary.word());
            return false;
        };
    }

    /// About when the engine has said the canary: 120 ms to the first token, 15 ms for each of some 60.
    private static final Duration KILL_AFTER = Duration.ofMillis(1_200);

    private synchronized List<CompletableFuture<Void>> start(List<Case> cases) {
        return cases.stream()
                .map(each -> {
                    var canary = Canary.of(each.name());
                    canaries.add(canary);
                    return CompletableFuture.runAsync(() -> each.happens().accept(canary), CALLERS);
                })
                .toList();
    }

    private static void await(List<CompletableFuture<Void>> running) {
        CompletableFuture.allOf(running.toArray(CompletableFuture[]::new))
                .orTimeout(CASES_MAX_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    private String name(String who, Canary canary) {
        return who + ": " + canary.word() + " " + asked.merge(canary.word(), 1, Integer::sum);
    }

    private String name(CanaryCaller caller, Canary canary) {
        return name(caller == raw || caller == rawAgreed ? "raw" : "plain", canary);
    }

    private Received.Answer responses(CanaryCaller caller, Canary canary, String more) {
        return ok(caller.post(
                name(caller, canary),
                "/v1/responses",
                CanaryRequests.request(canary, CanaryRequests.QUESTION, true, more),
                begins(canary)));
    }

    private Received.Answer chat(CanaryCaller caller, Canary canary, String more) {
        var body = CanaryRequests.chatRequest(canary, CanaryRequests.QUESTION, true, more);
        return ok(caller.post(name(caller, canary), "/v1/chat/completions", body, begins(canary)));
    }

    private Received.Answer ask(CanaryCaller caller, Canary canary, String path, String body) {
        return ok(caller.post(name(caller, canary), path, body));
    }

    private static Received.Answer ok(Received.Answer answer) {
        assertThat(answer.status()).as("%s: %s", answer.name(), answer.text()).isEqualTo(200);
        return answer;
    }

    private static void completed(Received.Answer answer) {
        validate(answer);
        assertThat(answer.events())
                .filteredOn(
                        event -> event.path("type").asText().matches("response.(completed|failed|incomplete)|error"))
                .singleElement()
                .matches(event -> event.path("type").asText().equals("response.completed"), answer.name());
    }

    /// The summary tells what the model does.
    private static void summed(Received.Answer answer) {
        completed(answer);
        assertThat(answer.summary()).as(answer.name()).isNotEmpty();
    }

    private static void validate(Received.Answer answer) {
        assertThat(StreamValidator.validate(answer.body(), ValidatorOptions.DEFAULT))
                .as(answer.name())
                .isEmpty();
    }

    private static void done(Received.Answer answer) {
        validate(answer);
        assertThat(answer.text())
                .as(answer.name())
                .contains("\"finish_reason\":\"stop\"")
                .contains("data: [DONE]");
    }

    private static void shown(Received.Answer answer, Canary canary) {
        assertThat(answer.text()).as(answer.name()).contains("data: [DONE]");
        assertThat(answer.told()).as(answer.name()).contains(canary.words());
    }

    private void whole(Canary canary) {
        var request = CanaryRequests.request(canary, CanaryRequests.QUESTION, false, summary("auto"));
        var id = ask(plain, canary, "/v1/responses", request).json().path("id").asText();
        var stored = plain.get(name(plain, canary), "/v1/responses/" + id);
        assertThat(stored.json().path("status").asText()).isEqualTo("completed");
        ask(plain, canary, "/v1/responses", CanaryRequests.next(id));

        // A worker tells the reasoning again, in a log of its own.
        var again = ask(plain, canary, "/v1/responses/" + id + "/reasoning_summary", "{}");
        assertThat(again.json().path("summary")).as(again.text()).isNotEmpty();
    }

    private void wholeChat(Canary canary) {
        ask(
                plain,
                canary,
                "/v1/chat/completions",
                CanaryRequests.chatRequest(canary, CanaryRequests.QUESTION, false, ",\"reasoning\":\"summary\""));
    }

    /// A tool turn whose reasoning comes back sealed; then the same with a blob that was tampered with, and with a
    /// result for a call that was never made.
    private void sealedResent(Canary canary, CanaryCaller caller) {
        var first = toolTurn(canary, caller, summary("auto"));
        var output = first.path("output");
        assertThat(output.findValuesAsText("encrypted_content")).isNotEmpty();
        ask(caller, canary, "/v1/responses", CanaryRequests.followUp(canary, output, summary("auto")));

        var tampered =
                CanaryRequests.followUp(canary, output, "").replaceFirst("(\"encrypted_content\":\".{60})..", "$1AA");
        var refused = caller.post(name(caller, canary), "/v1/responses", tampered);
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        var wrongCall =
                CanaryRequests.followUp(canary, output, "").replace("function_call_output\",\"call_id\":\"", "$0x");
        assertThat(caller.post(name(caller, canary), "/v1/responses", wrongCall).status())
                .isBetween(200, 499);
        var cut = CanaryRequests.followUp(canary, output, "");
        assertThat(caller.post(name(caller, canary), "/v1/responses", cut.substring(0, cut.length() - 2))
                        .status())
                .isEqualTo(400);
    }

    private static final String INCLUDE = ",\"include\":[\"reasoning.encrypted_content\"],";

    private JsonNode toolTurn(Canary canary, CanaryCaller caller, String more) {
        var body = CanaryRequests.request(canary, CanaryRequests.WEATHER, false, INCLUDE + CanaryRequests.TOOL + more);
        return ask(caller, canary, "/v1/responses", body).json();
    }

    private void resentInChat(Canary canary, boolean carries) {
        var first = ask(
                        plain,
                        canary,
                        "/v1/chat/completions",
                        CanaryRequests.chatRequest(
                                canary, CanaryRequests.WEATHER, false, ",\"reasoning\":{}," + CanaryRequests.CHAT_TOOL))
                .json();
        var message = (ObjectNode) first.path("choices").path(0).path("message");
        assertThat(message.path("tool_calls")).as(first.toString()).isNotEmpty();
        assertThat(message.path("reasoning_details").toString()).contains("reasoning.encrypted");
        if (!carries) {
            message.remove(List.of("reasoning", "reasoning_details"));
        }
        ask(plain, canary, "/v1/chat/completions", CanaryRequests.chatFollowUp(canary, message));
    }

    private void summaryResent(Canary canary) {
        var first = toolTurn(canary, plain, summary("auto"));
        first.path("output").forEach(item -> {
            if (item instanceof ObjectNode object) {
                object.remove("encrypted_content");
            }
        });
        ask(plain, canary, "/v1/responses", CanaryRequests.followUp(canary, first.path("output"), summary("auto")));
    }

    /// Raw reasoning that a client knows comes back in clear, from the raw key and from one that may not read it.
    private void rawResent(Canary canary) {
        var first = toolTurn(canary, raw, "");
        assertThat(first.toString()).contains(canary.words());
        first.path("output").forEach(item -> {
            if (item instanceof ObjectNode object) {
                object.remove("encrypted_content");
            }
        });
        ask(raw, canary, "/v1/responses", CanaryRequests.followUp(canary, first.path("output"), ""));
        ask(plain, canary, "/v1/responses", CanaryRequests.followUp(canary, first.path("output"), summary("auto")));
        var refused = plain.post(
                name(plain, canary),
                "/v1/responses",
                CanaryRequests.followUp(canary, first.path("output"), "")
                        .replace("\"reasoning_text\"", "\"reasoning_riddle\""));
        assertThat(refused.status()).isEqualTo(400);
    }

    private void optedIn(CanaryCaller caller, Canary canary, String more) {
        var answer = responses(caller, canary, ",\"reasoning_encrypt\":true" + more);
        completed(answer);
        recorded(audited, canary, answer);
    }

    private static void recorded(Map<Canary, String> where, Canary canary, Received.Answer answer) {
        var id = answer.events().getFirst().findValue("id").asText();
        where.put(canary, id.substring(Math.max(id.indexOf('_'), id.indexOf('-')) + 1));
    }

    private void optedInChat(Canary canary) {
        var answer = chat(agreed, canary, ",\"reasoning_encrypt\":true");
        done(answer);
        recorded(audited, canary, answer);
    }

    private void optedInLeft(Canary canary) {
        var answer = agreed.postAndLeave(
                name(agreed, canary),
                "/v1/responses",
                CanaryRequests.request(canary, CanaryRequests.QUESTION, true, slow("") + ",\"reasoning_encrypt\":true"),
                KILL_AFTER);
        recorded(audited, canary, answer);
    }

    /// The stream keeps silent while the model reasons, so it is left by the clock.
    private void left(Canary canary) {
        plain.postAndLeave(
                name(plain, canary),
                "/v1/responses",
                CanaryRequests.request(canary, CanaryRequests.QUESTION, true, slow(",\"summary\":\"auto\"")),
                KILL_AFTER);
    }

    private void leftChat(Canary canary) {
        plain.postAndLeave(
                name(plain, canary),
                "/v1/chat/completions",
                CanaryRequests.chatRequest(
                        canary, CanaryRequests.QUESTION, true, ",\"reasoning\":{\"effort\":\"high\"}"),
                KILL_AFTER);
    }
}
