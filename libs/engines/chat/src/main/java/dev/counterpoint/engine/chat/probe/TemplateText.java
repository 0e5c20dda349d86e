package dev.counterpoint.engine.chat.probe;

import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.family.ModelFamily.Opener;
import java.util.List;
import java.util.regex.Pattern;

/// Reads who opens reasoning from a chat template.
final class TemplateText {
    /// From here on stands what the template writes before the model does.
    private static final String PROMPT = "add_generation_prompt";
    /// Blanks, and line ends as a template spells them.
    private static final String BLANKS = "(?:\\s|\\\\n)*";

    private static final Pattern STATEMENT = Pattern.compile("\\{%.*?%}", Pattern.DOTALL);
    private static final Pattern SPEAKS_OF_THINKING = Pattern.compile("think|thought|reason", Pattern.CASE_INSENSITIVE);

    private TemplateText() {}

    /// @param marks of the family
    /// @return either where that cannot be read from it: marks stand in variables, or it is no Jinja, as
    ///     Ollama's
    static Opener opener(String template, List<MarkPair> marks) {
        int from = template.lastIndexOf(PROMPT);
        if (from < 0) {
            return Opener.EITHER;
        }
        var written = STATEMENT.matcher(template.substring(from)).replaceAll("");
        for (var pair : marks) {
            // An empty pair makes the model skip its thinking.
            written = Pattern.compile(Pattern.quote(pair.open()) + BLANKS + Pattern.quote(pair.close()))
                    .matcher(written)
                    .replaceAll("");
        }
        if (marks.stream().map(MarkPair::open).anyMatch(written::contains)) {
            return Opener.TEMPLATE;
        }
        return SPEAKS_OF_THINKING.matcher(written).find() ? Opener.EITHER : Opener.MODEL;
    }
}
