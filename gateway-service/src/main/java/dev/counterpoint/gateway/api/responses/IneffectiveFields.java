package dev.counterpoint.gateway.api.responses;

import dev.counterpoint.gateway.reasoning.SummaryTierWish;
import dev.counterpoint.gateway.request.AuditConsent;
import dev.counterpoint.gateway.tenancy.Caller;
import dev.counterpoint.openai.responses.CreateResponse;
import dev.counterpoint.openai.responses.Input;
import dev.counterpoint.openai.responses.InputItem;
import dev.counterpoint.openai.responses.Tool;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/// The members of a request to the Responses API that are taken and do nothing; API.md gives the reason for each.
final class IneffectiveFields {
    private static final Set<String> MEMBERS = Set.of(
            "background_options.continuation_id",
            "max_tool_calls",
            "prompt_cache_key",
            "prompt_cache_options.mode",
            "prompt_cache_options.ttl",
            "prompt_cache_retention");

    private IneffectiveFields() {}

    /// Paths, such as `tools[1]` for a tool that would run at the provider, or `input[2]` for a call of one.
    static Set<String> of(CreateResponse request, Caller caller) {
        var paths = new HashSet<>(MEMBERS);
        if (AuditConsent.hasNoEffect(request.reasoningEncrypt(), caller)) {
            paths.add(AuditConsent.MEMBER);
        }
        if (SummaryTierWish.hasNoEffect(request.reasoningSummaryTier(), caller)) {
            paths.add(SummaryTierWish.MEMBER);
        }
        addTools(Objects.requireNonNullElse(request.tools(), List.of()), "tools", paths);
        var includes = Objects.requireNonNullElse(request.include(), List.<String>of());
        for (int i = 0; i < includes.size(); i++) {
            if (InputItems.OF_HOSTED.contains(includes.get(i))) {
                paths.add("include[" + i + "]");
            }
        }
        if (request.input() instanceof Input.Items(List<InputItem> items)) {
            for (int i = 0; i < items.size(); i++) {
                if (InputItems.isLeftOut(items.get(i))) {
                    paths.add("input[" + i + "]");
                } else if (items.get(i) instanceof InputItem.AdditionalTools more) {
                    addTools(more.tools(), "input[" + i + "].tools", paths);
                }
            }
        }
        return paths;
    }

    private static void addTools(List<Tool> tools, String member, Set<String> paths) {
        for (int i = 0; i < tools.size(); i++) {
            if (!ResponsesTools.isOffered(tools.get(i))) {
                paths.add(member + "[" + i + "]");
            }
        }
    }
}
