package dev.counterpoint.engine.remote;

import dev.counterpoint.engine.GrammarNotation;

/// What vLLM's paths have in common.
public sealed interface VllmServer extends ServerDialect permits VllmDialect, VllmTokensDialect {
    @Override
    default String server() {
        return "vLLM";
    }

    @Override
    default GrammarNotation notation() {
        return GrammarNotation.XGRAMMAR;
    }

    @Override
    default ServerProfile profile(ServerQuestioning questions) throws UnfitServerException, InterruptedException {
        return VllmFields.profile(questions);
    }

    @Override
    default boolean mayOrder() {
        return true;
    }

    @Override
    default boolean tellsUsageAtTheEnd() {
        return true;
    }
}
