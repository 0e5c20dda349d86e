package dev.counterpoint.summarizer.judge;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.counterpoint.harmony.tokenizer.HarmonyTokenizer;
import dev.counterpoint.summarizer.describe.WordList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An operator's policy on written summaries, as JSON.
///
/// @param version of the form, 1
/// @param policy what a policy model is told, in the form that gpt-oss-safeguard expects; absent for the policy
///     of [#DEFAULT]
/// @param guarded words and phrases that no written part may tell
/// @param publicNames names that may be told although they stand in confidential texts
public record PolicyFile(
        int version,
        @Nullable String policy,
        @Nullable List<String> guarded,
        @JsonProperty("public_names") @Nullable List<String> publicNames) {
    /// Guards nothing beyond the texts of a request; its policy is `judge/policy.md`.
    public static final PolicyFile DEFAULT = new PolicyFile(1, null, null, null);

    private static final String OUR_POLICY = WordList.text(PolicyFile.class, "policy.md");
    private static final int VERSION = 1;
    private static final int ENTRIES_MAX = 10_000;
    private static final int WORDS_MAX = 6;
    private static final int LETTERS_MIN = 3;
    /// Longer policies make the policy model worse, and each call dearer.
    private static final int POLICY_TOKENS_MAX = 4_000;
    /// The sections that gpt-oss-safeguard is trained on.
    private static final List<String> SECTIONS = List.of("instructions", "definitions", "violates", "safe", "examples");

    private static final ObjectMapper JSON =
            new ObjectMapper().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    /// @throws IllegalArgumentException naming every problem, never the text of an entry
    public static PolicyFile read(Path file) throws IOException {
        try {
            var policy = JSON.readValue(Files.readAllBytes(file), PolicyFile.class);
            var problems = policy.problems();
            if (!problems.isEmpty()) {
                throw new IllegalArgumentException(String.join("\n", problems));
            }
            return policy;
        } catch (JsonProcessingException e) {
            var at = e.getLocation();
            throw new IllegalArgumentException(
                    "no policy: no JSON, or an unknown member, before line " + (at == null ? 1 : at.getLineNr()));
        }
    }

    List<String> problems() {
        var problems = new ArrayList<String>();
        if (version != VERSION) {
            problems.add("version: only 1 is known");
        }
        entryProblems("guarded", orNone(guarded), problems);
        entryProblems("public_names", orNone(publicNames), problems);
        var both = Stream.of(orNone(publicNames))
                .flatMap(List::stream)
                .filter(orNone(guarded)::contains)
                .count();
        if (both > 0) {
            problems.add("public_names: " + both + " are guarded too");
        }
        policyProblems(problems);
        return problems;
    }

    private static void entryProblems(String name, List<String> entries, List<String> problems) {
        if (entries.size() > ENTRIES_MAX) {
            problems.add(name + ": more than " + ENTRIES_MAX);
        }
        for (int i = 0; i < entries.size(); i++) {
            var words = TextWord.of(entries.get(i));
            boolean telling = words.stream().anyMatch(word -> word.isContent() || isLong(word));
            if (words.size() > WORDS_MAX || !telling) {
                problems.add(name + "[" + i + "]: one to " + WORDS_MAX + " words, one of them more than grammar");
            }
        }
    }

    /// In Chinese and Japanese words are shorter.
    private static boolean isLong(TextWord word) {
        return !UnspacedRuns.in(word.shown()).isEmpty() || word.folded().length() >= LETTERS_MIN && word.isHangul();
    }

    private void policyProblems(List<String> problems) {
        if (policy == null) {
            return;
        }
        if (policy.contains("<|")) {
            problems.add("policy: holds the beginning of a special token");
        }
        if (HarmonyTokenizer.shared().countTokens(policy) > POLICY_TOKENS_MAX) {
            problems.add("policy: more than " + POLICY_TOKENS_MAX + " tokens");
        }
        var headings = policy.lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.toLowerCase(Locale.ROOT))
                .toList();
        for (var section : SECTIONS) {
            if (headings.stream().noneMatch(heading -> heading.contains(section))) {
                problems.add("policy: no heading with \"" + section + "\"");
            }
        }
    }

    public JudgePolicy judgePolicy() {
        return new JudgePolicy(orNone(guarded), orNone(publicNames));
    }

    /// What a policy model is told.
    public String policyText() {
        return policy == null ? OUR_POLICY : policy;
    }

    private static List<String> orNone(@Nullable List<String> entries) {
        return entries == null ? List.of() : entries;
    }

    @Override
    public String toString() {
        return "PolicyFile[" + judgePolicy() + "]";
    }
}
