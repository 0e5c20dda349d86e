package dev.counterpoint.structured.text;

import static dev.counterpoint.structured.text.Formats.whole;

/// URIs of RFC 3986 and IRIs of RFC 3987.
final class ResourceIdentifiers {
    /// Letters beyond ASCII that an IRI may have.
    static final String LETTERS = "ª-ʯα-ωа-яא-ת一-鿋ぁ-ゖァ-ヺ가-힣";

    private static final String SCHEME = "[A-Za-z][A-Za-z0-9+.-]*";
    private static final String PORT = "(?::(?:[1-5][0-9]{4}|[0-9]{1,4}))?";

    private final String pathCharacter;
    private final String authority;
    private final String end;

    /// @param letters beyond ASCII, as ranges
    ResourceIdentifiers(String letters) {
        var unreserved = "A-Za-z0-9._~!$&'()*+,;=" + letters + "-";
        var encoded = "%[0-9A-Fa-f]{2}";
        pathCharacter = "(?:[:@" + unreserved + "]|" + encoded + ")";
        var user = "(?:(?:[:" + unreserved + "]|" + encoded + ")*@)?";
        var name = "(?:[" + unreserved + "]|" + encoded + ")+";
        authority = user + "(?:" + name + "|\\[" + InternetNames.ipv6Pattern() + "\\])" + PORT;
        end = "(?:\\?(?:" + pathCharacter + "|[/?])*)?(?:#(?:" + pathCharacter + "|[/?])*)?";
    }

    /// With a scheme.
    TextPattern absolute() {
        return whole(absolutePattern());
    }

    private String absolutePattern() {
        var path = path();
        return SCHEME + ":(?://" + authority + path + "|/(?:" + pathCharacter + "+" + path + ")?|" + pathCharacter + "+"
                + path + ")" + end + "|file:///(?:" + pathCharacter + "+" + path + ")?";
    }

    private String path() {
        return "(?:/" + pathCharacter + "*)*";
    }

    /// With a scheme or relative to some place.
    TextPattern reference() {
        var path = path();
        var first = pathCharacter.replace("[:@", "[@") + "+";
        return whole(absolutePattern() + "|(?://" + authority + path + "|/(?:" + pathCharacter + "+" + path + ")?|"
                + first + path + "|)" + end);
    }
}
