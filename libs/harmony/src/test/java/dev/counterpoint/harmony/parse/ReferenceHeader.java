package dev.counterpoint.harmony.parse;

import dev.counterpoint.harmony.model.Author;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.render.ReferenceCodec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A header as the references read it: as one string, `parse_header_from_string`, surprises included.
record ReferenceHeader(
        Author author,
        @Nullable String channel,
        @Nullable String recipient,
        @Nullable String contentType,
        String leftover) {
    private static final String CHANNEL = "<|channel|>";
    private static final String CONSTRAIN = "<|constrain|>";
    private static final String RECIPIENT = "to=";

    /// Reads a complete header; words without a meaning are an error.
    static ReferenceHeader of(String header, @Nullable Role given, ReferenceCodec reference) {
        var parts = Parts.of(header, given, reference);
        var words = parts.words;
        String recipient = null;
        String contentType = null;
        if (!words.isEmpty()) {
            var last = words.removeLast();
            if (last.startsWith(RECIPIENT) || words.isEmpty()) {
                recipient = withoutPrefix(last);
            } else {
                contentType = last;
                recipient = withoutPrefix(words.removeLast());
            }
        }
        if (!words.isEmpty()) {
            throw new HarmonyFormatException("unexpected tokens remaining in message header: Some("
                    + RustDebug.of(String.join(" ", words), reference) + ")");
        }
        return new ReferenceHeader(parts.author, parts.channel, recipient, contentType, "");
    }

    /// Reads a header that a stop token cut: what is neither role nor channel becomes the leftover.
    static ReferenceHeader cut(String header, @Nullable Role given, ReferenceCodec reference) {
        var parts = Parts.of(header, given, reference);
        return new ReferenceHeader(parts.author, parts.channel, null, null, String.join(" ", parts.words));
    }

    private static String withoutPrefix(String word) {
        return word.startsWith(RECIPIENT) ? word.substring(RECIPIENT.length()) : word;
    }

    private record Parts(Author author, @Nullable String channel, List<String> words) {
        static Parts of(String header, @Nullable Role given, ReferenceCodec reference) {
            String channel = null;
            var text = header;
            int marker = text.indexOf(CHANNEL);
            while (marker >= 0 && (channel == null || reference == ReferenceCodec.OSS_0_0_11)) {
                int from = marker + CHANNEL.length();
                int to = from;
                while (to < text.length() && text.charAt(to) != '<' && !HeaderReader.isBlank(text.charAt(to))) {
                    to++;
                }
                if (channel == null) {
                    if (to == from) {
                        throw new HarmonyFormatException("channel marker present but no channel value found in header");
                    }
                    channel = text.substring(from, to);
                }
                text = text.substring(0, marker) + text.substring(to);
                marker = text.indexOf(CHANNEL);
            }
            var words = words(text.replace(CONSTRAIN, " " + CONSTRAIN));
            return new Parts(author(words, given), channel, words);
        }

        /// Removes the words that name the author.
        private static Author author(List<String> words, @Nullable Role given) {
            var role = given;
            String name = null;
            if (role == null) {
                if (words.isEmpty()) {
                    throw new HarmonyFormatException("message header did not contain a role");
                }
                var word = words.getFirst();
                role = Role.ofWireName(word);
                if (role == null) {
                    if (words.size() == 1 && !word.startsWith(RECIPIENT)) {
                        throw new HarmonyFormatException("Unknown role: " + word);
                    }
                    words.removeFirst();
                    role = Role.TOOL;
                }
                name = role == Role.TOOL ? word : null;
            }
            if (!words.isEmpty() && words.getFirst().equals(role.wireName())) {
                words.removeFirst();
            }
            return new Author(role, name);
        }

        /// Words between ASCII blanks; other blanks only count at the ends and after a channel.
        private static List<String> words(String text) {
            var words = new ArrayList<String>();
            int from = 0;
            int end = text.length();
            while (from < end && HeaderReader.isBlank(text.charAt(from))) {
                from++;
            }
            while (end > from && HeaderReader.isBlank(text.charAt(end - 1))) {
                end--;
            }
            for (String word : text.substring(from, end).split("[ \\t\\n\\r\\f]+")) {
                if (!word.isEmpty()) {
                    words.add(word);
                }
            }
            return words;
        }
    }
}
