package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.family.MarkPair;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/// A text that a model may write, with words that must not be shown and words that must.
///
/// @param text as it comes
/// @param answer all that may be shown
/// @param opened whether the text has its opening mark
/// @param sure whether a model of a known family has to be understood
record TextShape(String name, String text, String answer, boolean opened, boolean sure) {
    /// How a model puts its marks into the text.
    enum Style {
        PARAGRAPHS("\n", "\n", "\n\n"),
        LINES("\n", "\n", "\n"),
        WINDOWS("\r\n", "\r\n", "\r\n\r\n"),
        SENTENCE("", ".", ""),
        TIGHT("", "", ""),
        SPACED(" ", " ", " ");

        private final String open;
        private final String before;
        private final String after;

        Style(String open, String before, String after) {
            this.open = open;
            this.before = before;
            this.after = after;
        }

        boolean hasLines() {
            return before.endsWith("\n");
        }
    }

    /// All shapes of a pair of marks.
    ///
    /// @param secret a word of reasoning, another each time
    /// @param shown a word of an answer, another each time
    static List<TextShape> of(MarkPair marks, Style style, Supplier<String> secret, Supplier<String> shown) {
        return new Maker(marks, style, secret, shown).shapes();
    }

    private record Maker(MarkPair marks, Style style, Supplier<String> secret, Supplier<String> shown) {
        private String reasoning() {
            return secret.get() + " " + secret.get() + " " + secret.get();
        }

        private String answer() {
            return shown.get() + ", " + shown.get() + " " + shown.get() + ".";
        }

        private String end(String answer) {
            return style.before + marks.close() + style.after + answer;
        }

        private String thought(String reasoning) {
            return marks.open() + style.open + reasoning;
        }

        private TextShape opened(String name, String reasoning, boolean sure) {
            var answer = answer();
            return new TextShape(name, thought(reasoning) + end(answer), answer, true, sure);
        }

        private TextShape answering(String name, String answer) {
            // Up to the last mark that it quotes it is withheld.
            boolean sure = !answer.contains(marks.open());
            return new TextShape(name, thought(reasoning()) + end(answer), answer, true, sure);
        }

        private List<TextShape> shapes() {
            var bare = answer();
            var simple = List.of(
                    opened("plain", reasoning(), !marks.isHeading() || style != Style.TIGHT),
                    new TextShape("unclosed", thought(reasoning()), "", true, false),
                    new TextShape("unmarked", bare, bare, false, true));
            return marks.isHeading()
                    ? simple
                    : List.of(simple, reasonings(), answers(), others()).stream()
                            .flatMap(List::stream)
                            .toList();
        }

        private List<TextShape> reasonings() {
            var open = marks.open();
            var close = marks.close();
            var fence = "\n```\n" + open + "\n" + reasoning() + "\n" + close + "\n```\n";
            return List.of(
                    opened("quoted close", reasoning() + " \"" + close + "\" " + reasoning(), true),
                    opened("close in code", reasoning() + " `" + close + "` " + reasoning(), true),
                    opened("spoken close", reasoning() + " the " + close + " tag " + reasoning(), true),
                    opened("close amid", reasoning() + " " + close + " " + reasoning(), true),
                    opened("fenced pair", reasoning() + fence + reasoning(), true),
                    opened("fenced close", reasoning() + "\n```\n" + close + "\n```\n" + reasoning(), true),
                    // One opening mark more than closing ones: it may be open still.
                    opened("quoted open", reasoning() + " \"" + open + "\" " + reasoning(), false),
                    opened("spoken open", reasoning() + " the " + open + " tag " + reasoning(), false),
                    opened("open amid", reasoning() + " " + open + " " + reasoning(), false),
                    opened("nested", reasoning() + thought(reasoning()) + end(reasoning()), true),
                    opened("opened twice", thought(reasoning()), style.hasLines()),
                    opened("close behind a colon", reasoning() + ":\n" + close + "\n\n" + reasoning(), true),
                    opened("close in a sentence", reasoning() + "\n" + close + "\nand " + reasoning(), true),
                    opened(
                            "close after quote",
                            reasoning() + " \"" + close + "\"\n" + close + "\n\n" + reasoning(),
                            true),
                    opened("close amid paragraphs", reasoning() + ".\n\n" + close + "\n\n" + reasoning(), true),
                    opened("unicode", "\u6211\u60f3 " + reasoning() + " \ud83d\ude00\u3002", true));
        }

        private List<TextShape> answers() {
            var open = marks.open();
            var close = marks.close();
            return List.of(
                    answering("answer quotes", answer() + " Use `" + open + "` and `" + close + "`. " + answer()),
                    answering("answer speaks", answer() + " Use " + open + " tags. " + answer()),
                    answering("answer speaks of both", "Wrap it in " + open + " and " + close + " tags. " + answer()),
                    answering("answer in code", answer() + "\n```\n" + open + "\nx\n" + close + "\n```\n" + answer()),
                    answering("answer in letters", "\u00c4h, \ud83d\ude00 \u7b54\u6848 " + answer()),
                    answering("answer of code", "```json\n{\"a\": \"" + shown.get() + "\"}\n```"));
        }

        private List<TextShape> others() {
            var first = answer();
            var second = answer();
            var again = thought(reasoning()) + end(first) + "\n" + thought(reasoning()) + end(second);
            var alone = answer();
            var empty = answer();
            var spelled = answer();
            var open = marks.open();
            var tag = open.startsWith("<") && Character.isLetter(open.charAt(1)) && open.endsWith(">");
            var name = open.substring(1, open.length() - 1).toUpperCase(Locale.ROOT);
            var loud = tag ? "< " + name + " time=\"3\" >" : open;
            var late = answer();
            return List.of(
                    new TextShape("second thought", again, first + second, true, false),
                    new TextShape("opening lost", reasoning() + end(alone), alone, false, style.hasLines()),
                    new TextShape("empty", open + style.open + marks.close() + style.after + empty, empty, true, true),
                    new TextShape("spelled", loud + style.open + reasoning() + end(spelled), spelled, true, true),
                    new TextShape(
                            "preface",
                            secret.get() + " " + thought(reasoning()) + end(late),
                            late,
                            true,
                            style.hasLines()));
        }
    }
}
