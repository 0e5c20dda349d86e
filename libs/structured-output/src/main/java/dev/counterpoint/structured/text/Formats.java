package dev.counterpoint.structured.text;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/// The values of JSON Schema's keyword `format`.
public final class Formats {
    private static final String YEAR = "(?!0000)[0-9]{4}";
    private static final String LEAP_YEAR =
            "(?!0000)(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)";
    private static final String DATE = "(?:" + YEAR + "-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
            + "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|" + LEAP_YEAR + "-02-29)";

    /// Without the leap second, which is valid at the end of some days in UTC only, and without offsets of 18 hours
    /// and more, which Java does not know.
    private static final String TIME =
            "(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,9})?" + "(?:Z|[+-](?:0[0-9]|1[0-7]):[0-5][0-9])";

    /// A unit is followed by the next smaller one or by none, as RFC 3339 has it.
    private static final String DURATION = ("P(?:#W|(?:#Y(?:#M(?:#D)?)?|#M(?:#D)?|#D)(?:TIME)?|TIME)")
            .replace("TIME", "T(?:#H(?:#M(?:#S)?)?|#M(?:#S)?|#S)")
            .replace("#", "[0-9]{1,9}");

    private static final String UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
    private static final String POINTER = "(?:/(?:[^/~]|~[01])*)*";
    private static final String TEMPLATE = "(?:[!#$&(-;=?-\\[\\]_a-z~]|%[0-9A-Fa-f]{2}|\\{[+#./;?&]?V(?:,V)*\\})*"
            .replace("V", "N(?:\\.N)*(?::[1-9][0-9]{0,3}|\\*)?")
            .replace("N", "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+");

    /// Part of what regular expressions are, but no more: groups are not nested.
    private static final String REGEX = "\\^?(?:T|\\((?:\\?:)?T(?:\\|T)*\\)(?:[*+?])?)*(?:\\|T)?\\$?"
            .replace(
                    "T",
                    "(?:(?:[A-Za-z0-9_ ,:;@%&=<>~\"'#!-]|\\.|\\\\[dDwWsS.*+?^${}()|\\[\\]\\\\/]"
                            + "|\\[\\^?[A-Za-z0-9_]+\\])(?:[*+?]|\\{[0-9]{1,3}\\})?)+");

    private static final Map<String, Supplier<TextPattern>> PATTERNS = Map.ofEntries(
            Map.entry("date", () -> whole(DATE)),
            Map.entry("time", () -> whole(TIME)),
            Map.entry("date-time", () -> whole(DATE + "T" + TIME)),
            Map.entry("duration", () -> whole(DURATION)),
            Map.entry("email", () -> InternetNames.email(InternetNames.hostname())),
            Map.entry("idn-email", () -> InternetNames.email(InternetNames.idnHostname())),
            Map.entry("hostname", InternetNames::hostname),
            Map.entry("idn-hostname", InternetNames::idnHostname),
            Map.entry("ipv4", InternetNames::ipv4),
            Map.entry("ipv6", InternetNames::ipv6),
            Map.entry("uuid", () -> whole(UUID)),
            Map.entry("uri", () -> new ResourceIdentifiers("").absolute()),
            Map.entry("uri-reference", () -> new ResourceIdentifiers("").reference()),
            Map.entry("iri", () -> new ResourceIdentifiers(ResourceIdentifiers.LETTERS).absolute()),
            Map.entry("iri-reference", () -> new ResourceIdentifiers(ResourceIdentifiers.LETTERS).reference()),
            Map.entry("uri-template", () -> whole(TEMPLATE)),
            Map.entry("json-pointer", () -> whole(POINTER)),
            Map.entry("relative-json-pointer", () -> whole("(?:0|[1-9][0-9]{0,9})(?:#|" + POINTER + ")")),
            Map.entry("regex", () -> whole(REGEX)));

    private static final Map<String, TextPattern> FOUND = new ConcurrentHashMap<>();

    private Formats() {}

    /// What a format allows, or empty when the format is unknown or says nothing about the text. All of it is valid
    /// for every common validator; where these differ the pattern is the narrower one.
    public static Optional<TextPattern> find(String name) {
        return Optional.ofNullable(PATTERNS.get(name)).map(made -> FOUND.computeIfAbsent(name, _ -> made.get()));
    }

    static TextPattern whole(String source) {
        return EcmaPattern.parseWhole(source);
    }
}
