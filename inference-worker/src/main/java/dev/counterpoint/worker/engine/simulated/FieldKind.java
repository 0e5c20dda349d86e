package dev.counterpoint.worker.engine.simulated;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a field wants, guessed from its name, else from its description.
enum FieldKind {
    EMAIL("email mail recipient recipients cc bcc"),
    URL("url link website homepage"),
    PHONE("phone telephone mobile fax"),
    DATE("date day deadline due when birthday weekday"),
    TIME("time hour clock"),
    ORIGIN("origin from departure source"),
    DESTINATION("destination arrival"),
    PLACE("location city place town address country where venue region"),
    PERSON("person people participant participants attendee attendees author"
            + " customer user patient employee guest guests"
            + " member members friend friends student passenger sender who"),
    ITEM("items ingredients tags keywords list things options fruits"),
    MONEY("price amount cost total budget salary fee subtotal"),
    AGE("age"),
    COUNT("count quantity number limit top num max maximum n k size guests_count rows"),
    LANGUAGE("language lang locale"),
    EXPRESSION("expression formula equation calculation"),
    OPERAND("a b x y left right first second operand1 operand2 augend addend"),
    STEPS("steps reasoning thoughts working rationale"),
    ANSWER("answer result solution output value response reply"),
    SUMMARY("summary explanation description reason comment details abstract note notes"),
    TITLE("title subject event headline topic"),
    QUERY("query question search q prompt term"),
    CONTENT("text content body message markdown code input html string sentence word phrase"),
    ID("id identifier reference sku ticker symbol"),
    TABLE("table"),
    COLUMNS("columns fields"),
    NAME("name"),
    UNKNOWN("");

    private static final Map<String, FieldKind> BY_STEM = new LinkedHashMap<>();

    static {
        for (var kind : values()) {
            for (var word : kind.words.split(" ", -1)) {
                BY_STEM.putIfAbsent(Words.stem(word), kind);
            }
        }
    }

    private final String words;

    FieldKind(String words) {
        this.words = words;
    }

    /// The last telling word of a name decides (`customer_email` is an e-mail), then the first of the
    /// description.
    static FieldKind of(String name, String description) {
        var parts = Words.ofIdentifier(name);
        for (var word : parts.reversed()) {
            var kind = ofWord(word);
            if (kind != UNKNOWN) {
                return kind == NAME && parts.size() > 1 ? ofNameOf(parts.getFirst()) : kind;
            }
        }
        for (var word : Words.content(description)) {
            var kind = ofWord(Words.lower(word));
            if (kind != UNKNOWN && kind != OPERAND) {
                return kind;
            }
        }
        return UNKNOWN;
    }

    private static FieldKind ofNameOf(String owner) {
        var kind = ofWord(owner);
        return List.of(PLACE, TITLE, TABLE, PERSON, ITEM).contains(kind) ? kind : NAME;
    }

    private static FieldKind ofWord(String word) {
        return BY_STEM.getOrDefault(Words.stem(word), UNKNOWN);
    }
}
