package dev.counterpoint.structured.text;

import static dev.counterpoint.structured.text.Formats.whole;

import dev.counterpoint.structured.regex.Regex;
import java.util.ArrayList;

/// How hosts are named.
final class InternetNames {
    static final String OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
    static final String IPV4 = OCTET + "(?:\\." + OCTET + "){3}";

    private static final String LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";

    /// Letters that all of IDNA 2008's rules allow wherever they stand; so few that they fit into 63 bytes as
    /// Punycode.
    private static final String IDN_LABEL = "[a-z0-9ß-öø-ÿа-яぁ-ゖァ-ヺ一-鿋가-힣]{1,12}";

    private static final int NAME_MAX = 253;
    private static final int LOCAL_MAX = 64;

    private InternetNames() {}

    static TextPattern ipv4() {
        return whole(IPV4);
    }

    static TextPattern hostname() {
        return dotted(label());
    }

    static TextPattern idnHostname() {
        return TextPattern.and(dotted(TextPattern.or(label(), whole(IDN_LABEL))), TextPattern.length(1, NAME_MAX / 4));
    }

    /// Two hyphens after two characters mark an encoded name, whose code is not checked here.
    private static TextPattern label() {
        return TextPattern.and(whole(LABEL), TextPattern.not(whole("..--.*")));
    }

    private static TextPattern dotted(TextPattern label) {
        var more = TextPattern.concat(TextPattern.literal("."), label);
        return TextPattern.and(
                TextPattern.concat(label, TextPattern.repeat(more, 0, Regex.UNBOUNDED)),
                TextPattern.length(1, NAME_MAX));
    }

    /// Without quoted names and addresses in brackets; the host ends in a dot and a word of two letters or more.
    static TextPattern email(TextPattern host) {
        var local = TextPattern.and(
                whole("A(?:\\.A)*".replace("A", "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+")), TextPattern.length(1, LOCAL_MAX));
        var withDot = TextPattern.and(host, whole(".*\\.[A-Za-z]{2,24}"), TextPattern.length(1, NAME_MAX - LOCAL_MAX));
        return TextPattern.concat(local, TextPattern.literal("@"), withDot);
    }

    static TextPattern ipv6() {
        return whole(ipv6Pattern());
    }

    /// Eight groups, or fewer with `::` for the rest; the last two may be written as an IPv4 address.
    static String ipv6Pattern() {
        var choices = new ArrayList<String>();
        choices.add("(?:H:){7}H");
        choices.add("(?:H:){6}" + IPV4);
        for (int before = 0; before <= 7; before++) {
            var start = before == 0 ? "" : "H(?::H){" + (before - 1) + "}";
            int after = 7 - before;
            var end = after == 0 ? "" : "(?:H(?::H){0," + (after - 1) + "})?";
            choices.add(start + "::" + end);
            if (after >= 2) {
                choices.add(start + "::(?:H:){0," + (after - 2) + "}" + IPV4);
            }
        }
        return "(?:" + String.join("|", choices).replace("H", "[0-9a-fA-F]{1,4}") + ")";
    }
}
