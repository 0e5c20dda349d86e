package dev.counterpoint.structured.lark;

import java.util.Map;

/// The terminals of Lark's module `common`.
final class LarkCommon {
    private static final String INT = "[0-9]+";
    private static final String DECIMAL = "(?:[0-9]+\\.[0-9]*|\\.[0-9]+)";
    private static final String EXPONENT = "[eE][+-]?[0-9]+";
    private static final String FLOAT = "(?:[0-9]+" + EXPONENT + "|" + DECIMAL + "(?:" + EXPONENT + ")?)";
    private static final String NUMBER = "(?:" + FLOAT + "|" + INT + ")";
    private static final String SIGN = "[+-]?";

    private static final Map<String, String> PATTERNS = Map.ofEntries(
            Map.entry("DIGIT", "[0-9]"),
            Map.entry("HEXDIGIT", "[0-9a-fA-F]"),
            Map.entry("INT", INT),
            Map.entry("SIGNED_INT", SIGN + INT),
            Map.entry("DECIMAL", DECIMAL),
            Map.entry("FLOAT", FLOAT),
            Map.entry("SIGNED_FLOAT", SIGN + FLOAT),
            Map.entry("NUMBER", NUMBER),
            Map.entry("SIGNED_NUMBER", SIGN + NUMBER),
            Map.entry("ESCAPED_STRING", "\"(?:[^\"\\\\\\n]|\\\\[^\\n])*\""),
            Map.entry("LCASE_LETTER", "[a-z]"),
            Map.entry("UCASE_LETTER", "[A-Z]"),
            Map.entry("LETTER", "[A-Za-z]"),
            Map.entry("WORD", "[A-Za-z]+"),
            Map.entry("CNAME", "[A-Za-z_][A-Za-z_0-9]*"),
            Map.entry("WS_INLINE", "[ \\t]+"),
            Map.entry("WS", "[ \\t\\f\\r\\n]+"),
            Map.entry("CR", "\\r"),
            Map.entry("LF", "\\n"),
            Map.entry("NEWLINE", "(?:\\r?\\n)+"),
            Map.entry("SH_COMMENT", "#[^\\n]*"),
            Map.entry("CPP_COMMENT", "//[^\\n]*"),
            Map.entry("C_COMMENT", "/\\*(?:[^*]|\\*+[^*/])*\\*+/"),
            Map.entry("SQL_COMMENT", "--[^\\n]*"));

    private LarkCommon() {}

    static LarkExpression find(LarkToken name) {
        var pattern = PATTERNS.get(name.text());
        if (pattern == null) {
            throw name.error("The module common has no " + name.text() + ".");
        }
        return new LarkExpression.Text(
                new LarkToken(LarkToken.Kind.REGEXP, "/" + pattern + "/", name.line(), name.column()));
    }
}
