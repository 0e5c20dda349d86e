package dev.counterpoint.harmony.parse;

import dev.counterpoint.harmony.model.Author;
import dev.counterpoint.harmony.model.Channels;
import dev.counterpoint.harmony.model.Role;
import dev.counterpoint.harmony.model.ToolNamespace;
import dev.counterpoint.harmony.parse.HarmonyEvent.Repair;
import dev.counterpoint.harmony.parse.HeaderDraft.Kind;
import dev.counterpoint.harmony.parse.HeaderDraft.Origin;
import dev.counterpoint.harmony.parse.HeaderDraft.Section;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes the best of a header, whatever it says. Never throws.
///
/// Only `to=` names a recipient, the first one counts. The first known channel counts, but analysis wherever it stands:
/// what may be reasoning is not shown. A bare word may be a content type; everything else is ignored, or in a cut
/// header the message's text. Used once.
final class HeaderReader {
    /// The content of a header. `channel` is null when the header names no known channel (in a prompt: no channel
    /// at all).
    record Reading(
            Author author,
            @Nullable String channel,
            @Nullable String recipient,
            @Nullable String contentType,
            String text,
            Set<Repair> repairs) {}

    static final String RECIPIENT = "to=";
    private static final String EVERYBODY = "all";
    static final String ASSISTANT = Role.ASSISTANT.wireName();
    static final List<String> CONTENT_TYPES = List.of("json", "code", "text");
    /// What arguments may begin with when they stick to a header's word.
    static final String TEXT_OPENERS = "{[\"";
    /// Longer words are read in parts, so that no header takes long.
    private static final int WORD_LENGTH_MAX = 1024;

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
    private boolean analysisNamed;
    private boolean strayChannel;
    /// Models reason where the word of a constraint belongs.
    private boolean thoughtInConstraint;

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

    /// Reads a header of a model's that anything else ended.
    static Reading cut(HeaderDraft draft) {
        return new HeaderReader(draft, false, true).read();
    }

    private Reading read() {
        draft.sections().forEach(this::readSection);
        if (author == null) {
            author = Author.of(Role.ASSISTANT);
            guessed(Repair.ROLE_GUESSED);
        }
        if (!prompt) {
            decideForSecrecy(author);
        }
        if (contentType == null && !bareWords.isEmpty() && isContentType(bareWords.getLast())) {
            contentType = bareWords.removeLast();
        }
        var text = rest.toString().strip();
        // A commentary header without a meaningful word comes from a misspelt header: `commentary 2?`.
        boolean rubble = Channels.COMMENTARY.equals(channel) && recipient == null && !says(text);
        // And this is a recipient's beginning, where a limit of tokens cut.
        if (rubble || RECIPIENT.equals(text + "=")) {
            text = ignored(text);
        }
        if (!bareWords.isEmpty()) {
            repairs.add(Repair.HEADER_WORDS_IGNORED);
        }
        return new Reading(author, channel, recipient, contentType, text, repairs);
    }

    /// Hides possible reasoning, text that the model invents in another author's name, and a call without its
    /// recipient: the header of commentary for the user holds nothing but its channel.
    private void decideForSecrecy(Author speaker) {
        recipient = thoughtInConstraint ? null : recipient;
        boolean saysMore = strayChannel || contentType != null || !bareWords.isEmpty();
        boolean pretended = channel != null && speaker.role() != Role.ASSISTANT;
        boolean doubtful =
                thoughtInConstraint || analysisNamed || pretended || Channels.COMMENTARY.equals(channel) && saysMore;
        // A final message may be the answer although it names a recipient.
        boolean shown = recipient == null || Channels.FINAL.equals(channel);
        if (shown && doubtful && !Channels.ANALYSIS.equals(channel)) {
            guessed(Repair.CHANNEL_GUESSED);
            channel = Channels.ANALYSIS;
        }
    }

    /// A single bare word of a call, or behind `<|constrain|>`, says how the text is written; among several words only
    /// a known one does.
    private boolean isContentType(String word) {
        boolean expected = recipient != null || draft.has(Kind.CONSTRAIN);
        return prompt || CONTENT_TYPES.contains(word) || expected && bareWords.size() == 1 && !word.contains("<|");
    }

    private void readSection(Section section) {
        // What stood before a further marker was no text of the message.
        ignored(rest.toString());
        rest.setLength(0);
        thoughtInConstraint = false;
        var text = section.text();
        int at = skipBlanks(text, 0);
        boolean first = true;
        while (at < text.length()) {
            var word = text.substring(at, wordEnd(text, at));
            int used = meaning(section, word, first);
            if (used == 0 && cut) {
                rest.append(text, at, text.length());
                thoughtInConstraint =
                        section.kind() == Kind.CONSTRAIN && first && TEXT_OPENERS.indexOf(word.charAt(0)) < 0;
                return;
            }
            if (used == 0) {
                bareWords.add(word);
                used = word.length();
            }
            // A recipient may stand anywhere; the section's own word is still to come.
            first &= word.startsWith(RECIPIENT);
            // What sticks to a word is the next one.
            at = skipBlanks(text, at + used);
        }
    }

    /// The number of characters of the word that have a meaning; 0 for none.
    private int meaning(Section section, String word, boolean first) {
        if (word.startsWith(RECIPIENT)) {
            if (author == null) {
                author = Author.of(Role.ASSISTANT);
                guessed(Repair.ROLE_GUESSED);
            }
            return readRecipient(word);
        }
        return switch (section.kind()) {
            case ROLE -> author == null ? readRole(word) : readAfterRole(author, word);
            case CHANNEL -> first ? readChannel(section, word) : readContentType(word, recipient != null);
            case CONSTRAIN -> first ? readConstraint(word) : 0;
        };
    }

    private int readRecipient(String word) {
        int end = RECIPIENT.length();
        while (end < word.length() && (prompt || (TEXT_OPENERS + "<").indexOf(word.charAt(end)) < 0)) {
            end++;
        }
        var name = word.substring(RECIPIENT.length(), end);
        if (recipient == null && !name.isEmpty() && (prompt || !name.equals(EVERYBODY))) {
            recipient = name;
        } else {
            repairs.add(Repair.HEADER_WORDS_IGNORED);
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
        if (prompt || isToolHeader() || isToolName(word)) {
            author = Author.tool(word);
            return word.length();
        }
        author = Author.of(Role.ASSISTANT);
        guessed(Repair.ROLE_GUESSED);
        return readAfterRole(author, word);
    }

    /// What speaks in a tool's name is its made-up result. A call names its tool by `to=`.
    private static boolean isToolName(String word) {
        return word.startsWith(ToolNamespace.FUNCTION_PREFIX);
    }

    /// A result of a tool is addressed to the assistant.
    private boolean isToolHeader() {
        var address = RECIPIENT + ASSISTANT;
        return draft.sections().stream()
                .anyMatch(section -> (" " + section.text() + " ").contains(" " + address + " "));
    }

    private int readAfterRole(Author speaker, String word) {
        if (prompt) {
            return 0;
        }
        var role = speaker.role().wireName();
        if (word.startsWith(role) && ChannelWord.isWordEnd(word, role.length())) {
            guessed(Repair.ROLE_GUESSED);
            return role.length();
        }
        var named = ChannelWord.meant(word);
        boolean wanted = channel == null
                && !draft.has(Kind.CHANNEL)
                && bareWords.stream().noneMatch(HeaderReader::says);
        // In a cut header such a word is more likely the beginning of a sentence; but reasoning must stay such.
        boolean sentence = cut && (named == null || !word.startsWith(Channels.ANALYSIS));
        if (named == null || !wanted || sentence) {
            return readContentType(word, recipient != null);
        }
        guessed(Repair.CHANNEL_GUESSED);
        return takeChannel(named);
    }

    private int readChannel(Section section, String word) {
        if (prompt) {
            channel = channel == null ? word : channel;
            return word.length();
        }
        // A beginning will do where nothing but a name can stand; in a cut header it may begin a sentence.
        boolean sentence = cut && !section.text().strip().equals(word);
        var named = sentence ? ChannelWord.of(word) : ChannelWord.meant(word);
        if (named == null || channel != null || !word.equals(named.name())) {
            guessed(Repair.CHANNEL_GUESSED);
        }
        if (named == null) {
            strayChannel = true;
            return cut ? 0 : word.length();
        }
        return takeChannel(named);
    }

    private int takeChannel(ChannelWord named) {
        channel = channel == null ? named.name() : channel;
        analysisNamed |= named.name().equals(Channels.ANALYSIS);
        return named.length();
    }

    private int readConstraint(String word) {
        if (!prompt && Channels.ALL.contains(word)) {
            guessed(Repair.CHANNEL_GUESSED);
            return takeChannel(new ChannelWord(word, word.length()));
        }
        return readContentType(word, true);
    }

    /// Cut headers run into their text: `json{"a":1}`.
    ///
    /// @param expected whether a type may stand alone; elsewhere it may be a word of the text
    private int readContentType(String word, boolean expected) {
        for (String type : cut ? CONTENT_TYPES : List.<String>of()) {
            boolean alone = word.length() == type.length();
            if (word.startsWith(type) && (alone ? expected : TEXT_OPENERS.indexOf(word.charAt(type.length())) >= 0)) {
                contentType = contentType == null ? type : contentType;
                return type.length();
            }
        }
        return 0;
    }

    private void guessed(Repair kind) {
        // Between messages no role is expected; that `<|start|>` is missing says it.
        if (kind != Repair.ROLE_GUESSED || draft.origin == Origin.STREAM_START || draft.origin == Origin.START_TOKEN) {
            repairs.add(kind);
        }
    }

    private static boolean says(String text) {
        return text.codePoints().anyMatch(Character::isLetter);
    }

    private String ignored(String text) {
        if (!text.isBlank()) {
            repairs.add(Repair.HEADER_WORDS_IGNORED);
        }
        return "";
    }

    private static int skipBlanks(String text, int from) {
        int at = from;
        while (at < text.length() && isBlank(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static int wordEnd(String text, int from) {
        int max = Math.min(text.length(), from + WORD_LENGTH_MAX);
        int at = from;
        while (at < max && !isBlank(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /// Unicode's White_Space.
    static boolean isBlank(char c) {
        return c >= '\t' && c <= '\r' || c == '\u0085' || Character.isSpaceChar(c);
    }
}
