package dev.counterpoint.audit.requests;

import com.fasterxml.jackson.databind.JsonNode;
import dev.counterpoint.audit.accesslog.StaffAccess;
import java.text.Normalizer;
import java.util.Locale;

/// A member of the staff.
///
/// @param name as the access log shows it
/// @param issuer of the token, and its subject: one person, whatever the name
public record StaffPerson(String name, String issuer, String subject) {
    private static final String ISSUER = "iss";
    private static final String SUBJECT = "sub";

    /// Cyrillic and Greek letters that Unicode's list of confusables (UTS 39) takes for a Latin one, in lower case.
    private static final String LOOK_ALIKES = "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04bb"
            + "\u0501\u051b\u051d\u0432\u043a\u043c\u043d\u0442\u03b1\u03b2\u03b5\u03b9"
            + "\u03ba\u03bc\u03bf\u03c1\u03c4\u03c5\u03c7\u03b6";

    private static final String LATIN = "aeopcyxijshdqwbkmhtabeikmoptyxz";

    /// The person who asked for something.
    static StaffPerson of(JsonNode body) {
        return new StaffPerson(
                body.path("actor").asText(),
                body.path(ISSUER).asText(),
                body.path(SUBJECT).asText());
    }

    StaffAccess on(StaffAccess access) {
        return access.member(ISSUER, issuer).member(SUBJECT, subject);
    }

    /// Whether both are one person. Names that differ only in case, width or look-alike letters are one, because such a
    /// second token would not be a second person.
    public boolean isSame(StaffPerson other) {
        return (issuer.equals(other.issuer) && subject.equals(other.subject))
                || folded(name).equals(folded(other.name));
    }

    private static String folded(String name) {
        return Normalizer.normalize(name, Normalizer.Form.NFKC)
                .toLowerCase(Locale.ROOT)
                .codePoints()
                .map(letter -> {
                    int found = LOOK_ALIKES.indexOf(letter);
                    return found < 0 ? letter : LATIN.charAt(found);
                })
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }
}
