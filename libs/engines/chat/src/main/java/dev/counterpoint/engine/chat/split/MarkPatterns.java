package dev.counterpoint.engine.chat.split;

import dev.counterpoint.engine.chat.family.MarkPair;
import dev.counterpoint.engine.chat.split.MarkScanner.Mark;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The spellings of reasoning marks as one regular expression: in either case, with blanks inside brackets, and with
/// attributes in a tag. Immutable.
///
/// @param all matches any mark; each alternative is a group
/// @param marks by group, the longest first
/// @param firsts the characters that a mark may begin with, in small letters; must not be changed
record MarkPatterns(Pattern all, List<Mark> marks, BitSet firsts) {
    private static final Pattern TAG = Pattern.compile("</?[a-z][a-z0-9_:.-]*>");
    private static final String BLANKS = "\\s{0,8}+";
    private static final String ATTRIBUTES = "(?:\\s[^<>]{0,199}+)?+";
    /// A worker knows a handful of rules.
    private static final Map<List<MarkPair>, MarkPatterns> KNOWN = new ConcurrentHashMap<>();

    static MarkPatterns of(List<MarkPair> pairs) {
        return KNOWN.computeIfAbsent(pairs, MarkPatterns::compile);
    }

    private static MarkPatterns compile(List<MarkPair> pairs) {
        var marks = pairs.stream()
                .flatMap(pair -> Stream.of(new Mark(pair, true, pair.open()), new Mark(pair, false, pair.close())))
                .sorted(Comparator.comparing((Mark mark) -> mark.written().length())
                        .reversed())
                .toList();
        var all =
                marks.stream().map(mark -> "(" + spelling(mark.written()) + ")").collect(Collectors.joining("|"));
        var firsts = new BitSet();
        marks.forEach(mark -> firsts.set(Character.toLowerCase(mark.written().charAt(0))));
        return new MarkPatterns(Pattern.compile(all, Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE), marks, firsts);
    }

    /// The mark that was found.
    Mark mark(Matcher matched) {
        int group = 1;
        while (matched.start(group) < 0) {
            group++;
        }
        var mark = marks.get(group - 1);
        return new Mark(mark.pair(), mark.opens(), matched.group());
    }

    /// Whether a mark may begin with this character.
    boolean begins(char c) {
        return firsts.get(Character.toLowerCase(c));
    }

    private static String spelling(String mark) {
        boolean heading = Character.isLetter(mark.charAt(0)) || "*#".indexOf(mark.charAt(0)) >= 0;
        boolean tag = TAG.matcher(mark.toLowerCase(Locale.ROOT)).matches();
        // A heading within a word is none.
        var spelling = new StringBuilder(Character.isLetter(mark.charAt(0)) ? "(?<![\\p{L}\\p{N}])" : "");
        for (int i = 0; i < mark.length(); i++) {
            char c = mark.charAt(i);
            if (tag && c == '>') {
                spelling.append(ATTRIBUTES);
            } else if (i > 0 && !heading && (tag && c == '/' || c != ' ' && isWord(c) != isWord(mark.charAt(i - 1)))) {
                spelling.append(BLANKS);
            }
            spelling.append(
                    switch (c) {
                        case ' ' -> "\\s{1,8}+";
                        case '\'' -> "['\u2019]";
                        default -> Pattern.quote(String.valueOf(c));
                    });
        }
        return spelling.toString();
    }

    /// Brackets and bars are no part of a word.
    private static boolean isWord(char c) {
        return Character.isLetterOrDigit(c) || "_:.- ".indexOf(c) >= 0;
    }
}
