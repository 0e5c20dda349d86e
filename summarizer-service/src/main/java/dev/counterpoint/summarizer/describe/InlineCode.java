package dev.counterpoint.summarizer.describe;

import java.util.regex.Pattern;

/// Code outside of blocks. Its words tell nothing of what the model does: `wg.Wait()` corrects nothing, and a function
/// that returns has no result yet.
final class InlineCode {
    /// Characters of a span between two backquotes.
    private static final String SPAN = "`[^`\\n]{1,200}`";
    /// `name(` and `some.name(`, of three characters at least: `f(x)` is no code.
    private static final String CALL = "(?<![\\p{L}\\p{N}_.])[\\p{L}_][\\p{L}\\p{N}_.]{2,60}+(?=\\()";

    private static final String SNAKE_CASE = "(?<![\\p{L}\\p{N}_])\\p{L}[\\p{L}\\p{N}]{0,40}_[\\p{L}\\p{N}_]{1,60}";
    private static final Pattern CODE = Pattern.compile(String.join("|", SPAN, CALL, SNAKE_CASE));
    /// A line that is code and no sentence: a brace ends it, unless JSON stands in it, as a tool's arguments do; it
    /// assigns a call or a string, or it begins as only code does.
    private static final Pattern LINE = Pattern.compile("\\s*(?:(?![^{]{0,60}\\{\\s*\")[^\\\\]*[{}]"
            + "|[\\w.\\[\\], ]{1,60}(?::=|\\+=|=) ?(?:.*[\"'].*|.*[\\w.]{3,}\\(.*)[)\\]}\"'] ?;?"
            + "|(?:#!/|(?:FROM|RUN|COPY|WORKDIR|ENV) |import [\\w.]+;?$|def \\w+\\(|(?:const|var) \\w+ ?=).*)\\s*");

    private InlineCode() {}

    /// The text with a comma for each piece of code, so that the words around it make no phrase. Of a line of code,
    /// [ThoughtCutter#CODE].
    static String removed(String text) {
        return LINE.matcher(text).matches()
                ? ThoughtCutter.CODE
                : CODE.matcher(text).replaceAll(",");
    }
}
