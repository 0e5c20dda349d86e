package dev.counterpoint.harmony;

import dev.counterpoint.harmony.HarmonyEvent.Repair;
import dev.counterpoint.harmony.HeaderDraft.Kind;
import dev.counterpoint.harmony.HeaderDraft.Section;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes the best of a header, whatever it says. Never throws.
///
/// Only `to=` names a recipient, the first one counts; the first known channel counts; a bare word may be a content
/// type; everything else is ignored, or in a cut header the message's text. Used once.
final class HeaderReader {
    /// What a header says. `channel` is null where it named none that is known (in a prompt: none at all).
    record Reading(
            Author author,
            @Nullable String channel,
            @Nullable String recipient,
            @Nullable String contentType,
            String text,
            Set<Repair> repairs) {}

    private static final String RECIPIENT = "to=";
    private static final String ASSISTANT = Role.ASSISTANT.wireName();
    private static final Set<String> CONTENT_TYPES = Set.of("json", "code", "text");
    /// Fewer letters do not tell which channel was meant.
    private static final int CHANNEL_LETTERS_MIN = 3;

    private final HeaderDraft draft;
    private final boolean prompt;
    /// Cut: `<|message|>` never came, and from the first word without a meaning on it is the message's text.
    private final boolean cut;

    private final Set<Repair> repairs = EnumSet.noneOf(Repair.class);
    private final List<String> bareWords = new ArrayList<>();
    private final StringBuilder rest = new StringBuilder();
    private @Nullable Author author;
    private @Nullable String channel;
    private @Nullable String recipient;
    private @Nullable String contentType;

    private HeaderReader(HeaderDraft draft, boolean prompt, boolean cut) {
        this.draft = draft;
        this.prompt = prompt;
        this.cut = cut;
        this.author = draft.given == null ? null : Author.of(draft.given);
    }

    /// Reads a header that `<|message|>` ended.
    static Reading complete(HeaderDraft draft, boolean prompt) {
        return new HeaderReader(draft, prompt, false).read();
    }

    /// Reads a header that anything else ended.
    static Reading cut(HeaderDraft draft) {
        return new HeaderReader(draft, false, true).read();
    }

    private Reading read() {
        for (Section section : draft.sections()) {
            readSection(section);
        }
        if (author == null) {
            author = Author.of(Role.ASSISTANT);
            repairs.add(Repair.ROLE_GUESSED);
        }
        if (contentType == null && !bareWords.isEmpty()) {
            var last = bareWords.getLast();
            if (recipient != null || CONTENT_TYPES.contains(last)) {
                contentType = last;
                bareWords.removeLast();
            }
        }
        if (!bareWords.isEmpty()) {
            repairs.add(Repair.HEADER_WORDS_IGNORED);
        }
        return new Reading(
                author, channel, recipient, contentType, rest.toString().strip(), repairs);
    }

    private void readSection(Section section) {
        var text = section.text();
        boolean first = true;
        int at = skipBlanks(text, 0);
        while (at < text.length()) {
            int end = wordEnd(text, at);
            var word = text.substring(at, end);
            int used = meaning(section.kind(), word, first);
            if (used == 0 && cut) {
                rest.append(text, at, text.length());
                return;
            }
            if (used == 0) {
                bareWords.add(word);
                used = word.length();
            }
            // In a cut header the message's text may stick to a header word.
            at = skipBlanks(text, cut ? at + used : end);
            first = false;
        }
    }

    /// How many characters of the word say something; 0 for a word that says nothing.
    private int meaning(Kind kind, String word, boolean first) {
        if (word.startsWith(RECIPIENT)) {
            if (author == null) {
                author = Author.of(Role.ASSISTANT);
                repairs.add(Repair.ROLE_GUESSED);
            }
            return readRecipient(word);
        }
        return switch (kind) {
            case ROLE -> author == null ? readRole(word) : readAfterRole(word);
            case CHANNEL -> first ? readChannel(word) : readContentType(word);
            case CONSTRAIN -> first ? readConstraint(word) : 0;
        };
    }

    private int readRecipient(String word) {
        int end = RECIPIENT.length();
        while (end < word.length() && "{\"<".indexOf(word.charAt(end)) < 0) {
            end++;
        }
        if (recipient == null && end > RECIPIENT.length()) {
            recipient = word.substring(RECIPIENT.length(), end);
        }
        return end;
    }

    private int readRole(String word) {
        var role = Role.ofWireName(word);
        if (role != null) {
            author = role == Role.TOOL ? Author.tool(word) : Author.of(role);
            return word.length();
        }
        int colon = word.indexOf(':');
        var named = colon < 0 ? null : Role.ofWireName(word.substring(0, colon));
        if (named != null) {
            author = new Author(named, word.substring(colon + 1));
            return word.length();
        }
        if (prompt || isToolHeader()) {
            author = Author.tool(word);
            return word.length();
        }
        author = Author.of(Role.ASSISTANT);
        repairs.add(Repair.ROLE_GUESSED);
        if (word.startsWith(ASSISTANT)) {
            readAfterRole(word.substring(ASSISTANT.length()));
            return word.length();
        }
        return readAfterRole(word);
    }

    /// A result of a tool is addressed to the assistant.
    private boolean isToolHeader() {
        var address = RECIPIENT + ASSISTANT;
        return draft.sections().stream()
                .anyMatch(section -> (" " + section.text() + " ").contains(" " + address + " "));
    }

    private int readAfterRole(String word) {
        if (author != null && word.equals(author.role().wireName())) {
            return word.length();
        }
        // In a cut header such a word is more likely the beginning of a sentence.
        var known = cut || draft.hasChannelToken() ? null : knownChannel(word);
        if (known != null && channel == null) {
            channel = known;
            repairs.add(Repair.CHANNEL_GUESSED);
            return word.length();
        }
        return readContentType(word);
    }

    private int readChannel(String word) {
        if (prompt) {
            channel = channel == null ? word : channel;
            return word.length();
        }
        var known = knownChannel(word);
        if (known == null) {
            return cut ? 0 : word.length();
        }
        if (!known.equals(word) || channel != null && !known.equals(channel)) {
            repairs.add(Repair.CHANNEL_GUESSED);
        }
        channel = channel == null ? known : channel;
        return word.startsWith(known) ? known.length() : word.length();
    }

    private int readConstraint(String word) {
        if (!prompt && channel == null && Channels.ALL.contains(word)) {
            channel = word;
            repairs.add(Repair.CHANNEL_GUESSED);
            return word.length();
        }
        if (cut) {
            return readContentType(word);
        }
        contentType = contentType == null ? word : contentType;
        return word.length();
    }

    /// Cut headers run into their text: `json{"a":1}`.
    private int readContentType(String word) {
        if (!cut || recipient == null) {
            return 0;
        }
        for (String type : CONTENT_TYPES) {
            if (word.startsWith(type)
                    && (word.length() == type.length() || !Character.isLetter(word.charAt(type.length())))) {
                contentType = contentType == null ? type : contentType;
                return type.length();
            }
        }
        return 0;
    }

    /// The channel a word means: `fina`, `commentary?`, `––commentary`.
    private static @Nullable String knownChannel(String word) {
        int from = 0;
        while (from < word.length() && !Character.isLetter(word.charAt(from))) {
            from++;
        }
        int to = from;
        while (to < word.length() && Character.isLetter(word.charAt(to))) {
            to++;
        }
        var letters = word.substring(from, to).toLowerCase(Locale.ROOT);
        for (String name : Channels.ALL) {
            boolean beginning = letters.length() >= CHANNEL_LETTERS_MIN && name.startsWith(letters);
            if (beginning || letters.startsWith(name)) {
                return name;
            }
        }
        return null;
    }

    private static int skipBlanks(String text, int from) {
        int at = from;
        while (at < text.length() && ReferenceHeader.isBlank(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static int wordEnd(String text, int from) {
        int at = from;
        while (at < text.length() && !ReferenceHeader.isBlank(text.charAt(at))) {
            at++;
        }
        return at;
    }
}
