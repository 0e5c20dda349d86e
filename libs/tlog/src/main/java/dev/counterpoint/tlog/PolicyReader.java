package dev.counterpoint.tlog;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads one policy file, line by line.
///
/// Source: <https://c2sp.org/tlog-policy#policy-file-syntax-and-structure>
final class PolicyReader {
    private static final String NONE = "none";

    private final List<VerifierKey> logs = new ArrayList<>();
    private final List<LogPolicy.WitnessLine> witnesses = new ArrayList<>();
    private final Map<String, Predicate<Set<VerifierKey>>> named = new HashMap<>();
    private final Set<String> members = new HashSet<>();
    private @Nullable Predicate<Set<VerifierKey>> quorum;

    LogPolicy read(String file) {
        var number = 0;
        for (var line : file.split("\n", -1)) {
            number++;
            try {
                accept(line);
            } catch (InvalidLogException e) {
                throw new InvalidLogException("line " + number + ": " + e.getMessage());
            }
        }
        if (quorum == null) {
            throw new InvalidLogException("a policy has one quorum line");
        }
        return new LogPolicy(logs, witnesses, quorum);
    }

    private void accept(String line) {
        require(line.chars().allMatch(c -> c == '\t' || (c >= ' ' && c != 0x7f)), "a control character");
        var words =
                Stream.of(line.split("[ \t]+")).filter(word -> !word.isEmpty()).toList();
        if (words.isEmpty() || words.getFirst().startsWith("#")) {
            return;
        }
        var count = words.size();
        switch (words.getFirst()) {
            case "log" -> {
                require(count == 2 || count == 3, "log <vkey> [<url>]");
                logs.add(key(words.get(1), logs, type -> type != SignatureType.ED25519_COSIGNATURE));
            }
            case "witness" -> {
                require(count == 3 || count == 4, "witness <name> <vkey> [<url>]");
                witness(words.get(1), words.get(2), count == 4 ? words.get(3) : "");
            }
            case "group" -> {
                require(count >= 4, "group <name> all|any|<k> <name>...");
                group(words.get(1), words.get(2), words.subList(3, count));
            }
            case "quorum" -> {
                require(count == 2 && quorum == null, "one line: quorum <name>");
                quorum = words.get(1).equals(NONE) ? _ -> true : known(words.get(1));
            }
            default -> throw new InvalidLogException("a line starts with log, witness, group or quorum");
        }
    }

    private static VerifierKey key(String vkey, List<VerifierKey> others, Predicate<SignatureType> legal) {
        var key = VerifierKey.parse(vkey);
        require(legal.test(key.type()), "a key of the wrong type");
        require(others.stream().noneMatch(key::sameKeyMaterial), "a key that was listed before");
        return key;
    }

    private void witness(String name, String vkey, String url) {
        var others = witnesses.stream().map(LogPolicy.WitnessLine::key).toList();
        var key = key(vkey, others, SignatureType::timestamped);
        witnesses.add(new LogPolicy.WitnessLine(key, url));
        define(name, signers -> signers.contains(key));
    }

    private void group(String name, String threshold, List<String> names) {
        var parts = names.stream().map(this::known).toList();
        require(names.stream().allMatch(members::add), "a member that is in a group already");
        var enough = switch (threshold) {
            case "all" -> parts.size();
            case "any" -> 1;
            default -> Encoding.decodeDecimal(threshold);
        };
        require(enough >= 1 && enough <= parts.size(), "a threshold from 1 to the number of members");
        define(
                name,
                signers -> parts.stream().filter(part -> part.test(signers)).count() >= enough);
    }

    private void define(String name, Predicate<Set<VerifierKey>> rule) {
        require(!name.equals(NONE) && named.put(name, rule) == null, "a name that is defined already");
    }

    private Predicate<Set<VerifierKey>> known(String name) {
        var rule = named.get(name);
        if (rule == null) {
            throw new InvalidLogException("a name that no line before defines");
        }
        return rule;
    }

    private static void require(boolean legal, String rule) {
        if (!legal) {
            throw new InvalidLogException(rule);
        }
    }
}
