package dev.counterpoint.gateway.request;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.regex.Pattern;

/// The text for a custom tool. The model knows such a tool as a function with one argument, `input`, because it was
/// trained to call functions with JSON; here the text is taken out of the arguments as they come, piece by piece. What
/// is no such object is taken for the text itself. A tool with a grammar is the exception: its text comes as it is.
/// Not thread-safe.
public final class CustomInput {
    /// The JSON Schema of the arguments, as the model is shown it.
    static final String SCHEMA = "{\"type\":\"object\",\"properties\":{\"input\":{\"type\":\"string\"}},"
            + "\"required\":[\"input\"],\"additionalProperties\":false}";
    /// The same of a tool with a grammar.
    static final String PLAIN_SCHEMA = "{\"type\":\"string\"}";

    private static final String MEMBER = "input";
    /// Matched against what has come so far: whole, or as far as it goes.
    private static final Pattern HEAD = Pattern.compile("\\s*\\{\\s*\"" + MEMBER + "\"\\s*:\\s*\"");

    /// Arguments without a text.
    private static final Pattern NOTHING = Pattern.compile("\\s*\\{\\s*}\\s*");

    private static final int UNICODE_ESCAPE = 6;

    private enum Stage {
        HEAD,
        STRING,
        OVER,
        PLAIN
    }

    private final StringBuilder held = new StringBuilder();
    private Stage stage;

    /// @param plain whether the text comes as it is, whatever it looks like
    public CustomInput(boolean plain) {
        stage = plain ? Stage.PLAIN : Stage.HEAD;
    }

    /// The arguments that a model would write for this text.
    public static String arguments(String text) {
        return JsonNodeFactory.instance.objectNode().put(MEMBER, text).toString();
    }

    /// Takes more of the arguments.
    ///
    /// @return the text that is certain by now
    public String accept(String more) {
        held.append(more);
        if (stage == Stage.HEAD) {
            head();
        }
        return switch (stage) {
            case HEAD -> "";
            case STRING -> string();
            case OVER -> "";
            case PLAIN -> all();
        };
    }

    /// The arguments are over.
    ///
    /// @return what was held back
    public String finish() {
        return stage == Stage.HEAD ? all() : "";
    }

    private void head() {
        var matcher = HEAD.matcher(held);
        if (matcher.lookingAt()) {
            held.delete(0, matcher.end());
            stage = Stage.STRING;
        } else if (NOTHING.matcher(held).matches()) {
            stage = Stage.OVER;
        } else if (!matcher.hitEnd()) {
            stage = Stage.PLAIN;
        }
    }

    private String string() {
        var text = new StringBuilder();
        int at = 0;
        while (at < held.length() && stage == Stage.STRING) {
            char c = held.charAt(at);
            if (c == '"') {
                stage = Stage.OVER;
            } else if (c != '\\') {
                text.append(c);
                at++;
            } else {
                int length = escapeLength(at);
                if (at + length > held.length()) {
                    break;
                }
                text.append(unescaped(at));
                at += length;
            }
        }
        held.delete(0, stage == Stage.OVER ? held.length() : at);
        return text.toString();
    }

    private int escapeLength(int at) {
        return at + 1 < held.length() && held.charAt(at + 1) == 'u' ? UNICODE_ESCAPE : 2;
    }

    /// A character that JSON does not escape stands for itself.
    private String unescaped(int at) {
        char c = held.charAt(at + 1);
        return switch (c) {
            case 'n' -> "\n";
            case 't' -> "\t";
            case 'r' -> "\r";
            case 'b' -> "\b";
            case 'f' -> "\f";
            case 'u' -> codeUnit(held.substring(at, at + UNICODE_ESCAPE));
            default -> String.valueOf(c);
        };
    }

    private static String codeUnit(String escape) {
        try {
            return String.valueOf((char) Integer.parseInt(escape.substring(2), 16));
        } catch (NumberFormatException e) {
            return escape;
        }
    }

    private String all() {
        var text = held.toString();
        held.setLength(0);
        return text;
    }
}
