package dev.counterpoint.gateway.request;

import dev.counterpoint.bus.job.GenerationJob.InputGrammar;
import dev.counterpoint.openai.json.WireException;
import dev.counterpoint.structured.lark.GrammarRefusedException;
import dev.counterpoint.structured.lark.GrammarSyntax;
import dev.counterpoint.structured.regex.RegexPool;

/// The grammars that requests give custom tools.
public final class InputGrammars {
    private InputGrammars() {}

    /// Compiles the grammar as workers will, so that one that cannot be enforced is refused before anything is queued.
    /// What a refusal quotes of the grammar, the caller alone reads.
    ///
    /// @param param of the object that holds both members
    /// @throws WireException that names the member
    public static InputGrammar of(String syntax, String definition, String param) {
        var known = GrammarSyntax.of(syntax);
        if (known.isEmpty()) {
            throw RequestRules.notOneOf(param + ".syntax", syntax, GrammarSyntax.names());
        }
        try {
            known.get().compile(definition, RegexPool.shared());
        } catch (GrammarRefusedException e) {
            throw RequestRules.invalid(param + ".definition", String.valueOf(e.getMessage()));
        }
        return new InputGrammar(
                switch (known.get()) {
                    case LARK -> InputGrammar.Syntax.LARK;
                    case REGEX -> InputGrammar.Syntax.REGEX;
                },
                definition);
    }
}
