package dev.counterpoint.structured.text;

import java.lang.Character.UnicodeScript;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntPredicate;

/// The character properties that `\p{...}` names: general categories, scripts and common binary ones.
final class UnicodeProperties {
    /// Short and long name of each of [Character#getType].
    private static final String[] CATEGORIES = {
        "Cn Unassigned",
        "Lu Uppercase_Letter",
        "Ll Lowercase_Letter",
        "Lt Titlecase_Letter",
        "Lm Modifier_Letter",
        "Lo Other_Letter",
        "Mn Nonspacing_Mark",
        "Me Enclosing_Mark",
        "Mc Spacing_Mark",
        "Nd Decimal_Number",
        "Nl Letter_Number",
        "No Other_Number",
        "Zs Space_Separator",
        "Zl Line_Separator",
        "Zp Paragraph_Separator",
        "Cc Control",
        "Cf Format",
        "",
        "Co Private_Use",
        "Cs Surrogate",
        "Pd Dash_Punctuation",
        "Ps Open_Punctuation",
        "Pe Close_Punctuation",
        "Pc Connector_Punctuation",
        "Po Other_Punctuation",
        "Sm Math_Symbol",
        "Sc Currency_Symbol",
        "Sk Modifier_Symbol",
        "So Other_Symbol",
        "Pi Initial_Punctuation",
        "Pf Final_Punctuation"
    };

    private static final Map<String, String> GROUPS = Map.of(
            "Letter", "L",
            "Mark", "M",
            "Combining_Mark", "M",
            "Number", "N",
            "Punctuation", "P",
            "punct", "P",
            "Symbol", "S",
            "Separator", "Z",
            "Other", "C");

    private static final Map<String, IntPredicate> BINARY = Map.ofEntries(
            Map.entry("Any", _ -> true),
            Map.entry("ASCII", codePoint -> codePoint < 0x80),
            Map.entry("Assigned", Character::isDefined),
            Map.entry("Alphabetic", Character::isAlphabetic),
            Map.entry("Alpha", Character::isAlphabetic),
            Map.entry("Uppercase", Character::isUpperCase),
            Map.entry("Lowercase", Character::isLowerCase),
            Map.entry("Ideographic", Character::isIdeographic),
            Map.entry("Emoji", Character::isEmoji),
            Map.entry("Emoji_Presentation", Character::isEmojiPresentation),
            Map.entry("Emoji_Modifier", Character::isEmojiModifier),
            Map.entry("Emoji_Modifier_Base", Character::isEmojiModifierBase),
            Map.entry("Emoji_Component", Character::isEmojiComponent),
            Map.entry("Extended_Pictographic", Character::isExtendedPictographic),
            Map.entry("White_Space", UnicodeProperties::isWhiteSpace));

    /// Grows to the number of names there are.
    private static final Map<String, Characters> FOUND = new ConcurrentHashMap<>();

    private UnicodeProperties() {}

    /// @param name as between the braces
    static Optional<Characters> find(String name) {
        var known = FOUND.get(name);
        return known != null
                ? Optional.of(known)
                : test(name).map(test -> {
                    var set = Characters.matching(test);
                    FOUND.put(name, set);
                    return set;
                });
    }

    private static Optional<IntPredicate> test(String name) {
        int equals = name.indexOf('=');
        if (equals < 0) {
            return category(name)
                    .or(() -> Optional.ofNullable(BINARY.get(name)))
                    .or(() -> script(name));
        }
        var value = name.substring(equals + 1);
        return switch (name.substring(0, equals)) {
            case "General_Category", "gc" -> category(value);
            case "Script", "sc" -> script(value);
            default -> Optional.empty();
        };
    }

    private static Optional<IntPredicate> category(String name) {
        int mask = 0;
        var group = GROUPS.getOrDefault(name, name);
        for (int type = 0; type < CATEGORIES.length; type++) {
            var names = CATEGORIES[type];
            boolean inGroup = group.length() == 1 && names.startsWith(group);
            boolean cased = type <= Character.TITLECASE_LETTER
                    && type > 0
                    && (name.equals("LC") || name.equals("Cased_Letter"));
            if (inGroup
                    || cased
                    || !names.isEmpty() && Arrays.asList(names.split(" ")).contains(name)) {
                mask |= 1 << type;
            }
        }
        int types = mask;
        return mask == 0
                ? Optional.empty()
                : Optional.of(codePoint -> (types >>> Character.getType(codePoint) & 1) != 0);
    }

    private static Optional<IntPredicate> script(String name) {
        try {
            var script = UnicodeScript.forName(name);
            return Optional.of(codePoint -> UnicodeScript.of(codePoint) == script);
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static boolean isWhiteSpace(int codePoint) {
        return codePoint != 0xfeff && EcmaEscapes.SPACE.contains(codePoint) || codePoint == 0x85;
    }
}
