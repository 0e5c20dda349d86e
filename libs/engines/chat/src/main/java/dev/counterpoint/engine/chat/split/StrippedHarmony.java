package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.split.TextPiece.Kind;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Harmony whose control tokens were stripped, so that roles and channels stick to the text. Not
/// thread-safe.
final class StrippedHarmony implements HarmonyText.Form {
    private static final String ANALYSIS = "assistantanalysis";
    private static final String FINAL = "assistantfinal";
    private static final String COMMENTARY = "assistantcommentary";
    private static final String ADDRESSED = "assistant to=";
    private static final List<String> MARKS = List.of(ANALYSIS, FINAL, COMMENTARY, ADDRESSED);
    private static final Pattern HEADER =
            Pattern.compile("\\s*to=(\\S+?)(?:\\s*(?:commentary|analysis))?(?:\\s+(?:json|code))?\\s*");
    private static final String TO = "to=";
    private static final int HEADER_MAX = 256;

    private enum State {
        TEXT,
        /// Behind the name of the channel `commentary`.
        HEADER,
        ARGUMENTS
    }

    private final Consumer<ToldPart> sink;
    private final StringBuilder unread = new StringBuilder();
    private State state = State.TEXT;
    private Kind kind = Kind.UNTOLD;
    /// Blanks behind a call are nothing.
    private boolean afterCall;
    /// Of the arguments of a call.
    private int depth;
    private boolean string;
    private boolean escaped;

    StrippedHarmony(Consumer<ToldPart> sink) {
        this.sink = sink;
    }

    @Override
    public void words(String text) {
        unread.append(text);
        boolean more = true;
        while (more && !unread.isEmpty()) {
            more = switch (state) {
                case TEXT -> text(false);
                case HEADER -> header(false);
                case ARGUMENTS -> arguments();
            };
        }
    }

    /// Only those that are left over from the end of a message.
    @Override
    public void control(int token) {
        if (state == State.ARGUMENTS) {
            state = State.TEXT;
            kind = Kind.UNTOLD;
        }
    }

    @Override
    public void finish(boolean whole) {
        while (!unread.isEmpty()) {
            switch (state) {
                case TEXT -> text(true);
                case HEADER -> header(true);
                case ARGUMENTS -> arguments();
            }
        }
    }

    private boolean text(boolean last) {
        int at = -1;
        var found = "";
        for (var mark : MARKS) {
            int here = unread.indexOf(mark);
            if (here >= 0 && (at < 0 || here < at)) {
                at = here;
                found = mark;
            }
        }
        if (at < 0) {
            say(take(unread.length() - (last ? 0 : possibleBeginning())));
            return false;
        }
        say(take(at));
        take(found.equals(ADDRESSED) ? found.length() - TO.length() : found.length());
        switch (found) {
            case ANALYSIS -> kind = Kind.REASONING;
            case FINAL -> kind = Kind.ANSWER;
            default -> state = State.HEADER;
        }
        return true;
    }

    private int possibleBeginning() {
        int longest = 0;
        for (var mark : MARKS) {
            int length = Math.min(mark.length() - 1, unread.length());
            while (length > longest && unread.indexOf(mark.substring(0, length), unread.length() - length) < 0) {
                length--;
            }
            longest = Math.max(longest, length);
        }
        return longest;
    }

    /// A header that addresses nobody is commentary for the user; one that is not understood tells nothing.
    private boolean header(boolean last) {
        var so = unread.toString();
        var start = so.stripLeading();
        boolean addressed = start.startsWith(TO);
        if (!addressed && !last && TO.startsWith(start)) {
            return false;
        }
        if (!addressed) {
            state = State.TEXT;
            kind = !start.isEmpty() && Character.isLowerCase(start.charAt(0)) ? Kind.UNTOLD : Kind.ANSWER;
            return true;
        }
        int body = body(so);
        if (body < 0 && !last && so.length() < HEADER_MAX) {
            return false;
        }
        var header = HEADER.matcher(body < 0 ? so : so.substring(0, body));
        if (body >= 0 && header.matches()) {
            take(body);
            sink.accept(new ToldPart.CallBegun(header.group(1)));
            state = State.ARGUMENTS;
            depth = 0;
            string = false;
        } else {
            state = State.TEXT;
            kind = Kind.UNTOLD;
        }
        return true;
    }

    private static int body(String header) {
        for (int i = 0; i < Math.min(header.length(), HEADER_MAX); i++) {
            if ("{[\"".indexOf(header.charAt(i)) >= 0) {
                return i;
            }
        }
        return -1;
    }

    private boolean arguments() {
        int to = 0;
        boolean over = false;
        while (to < unread.length() && !over) {
            over = ends(unread.charAt(to));
            to++;
        }
        sink.accept(new ToldPart.CallArguments(take(to)));
        if (over) {
            state = State.TEXT;
            kind = Kind.UNTOLD;
            afterCall = true;
        }
        return over;
    }

    /// Whether the JSON value ends with this character.
    private boolean ends(char c) {
        if (string) {
            string = escaped || c != '"';
            escaped = !escaped && c == '\\';
            return !string && depth == 0;
        }
        string = c == '"';
        if (c == '{' || c == '[') {
            depth++;
        } else if (c == '}' || c == ']') {
            depth--;
        }
        return !string && depth <= 0;
    }

    private void say(String text) {
        boolean nothing = afterCall && text.isBlank();
        if (!nothing) {
            afterCall = false;
            sink.accept(new TextPiece(kind, text));
        }
    }

    private String take(int length) {
        var taken = unread.substring(0, length);
        unread.delete(0, length);
        return taken;
    }
}
