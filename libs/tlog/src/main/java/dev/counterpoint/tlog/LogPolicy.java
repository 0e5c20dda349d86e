package dev.counterpoint.tlog;

import static dev.counterpoint.tlog.InvalidLogException.require;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Decides which checkpoints count: those that a known log signed and enough witnesses cosigned.
///
/// @param logs keys of the logs; a key's name is its log's origin
/// @param witnesses keys of the witnesses, with their submission prefixes, empty where the policy names none
/// @param quorum whether the witnesses with these keys are enough
public record LogPolicy(
        List<VerifierKey> logs, Map<VerifierKey, String> witnesses, Predicate<Set<VerifierKey>> quorum) {
    /// A policy that asks for no witness.
    public static LogPolicy ofLogs(VerifierKey... logs) {
        return new LogPolicy(List.of(logs), Map.of(), _ -> true);
    }

    /// Reads a policy file. Throws [InvalidLogException] for a line that breaks a rule, with its number.
    public static LogPolicy parse(String file) {
        return new Reader().read(file);
    }

    /// The checkpoint of a note that a log of this policy and a quorum of its witnesses signed. Throws
    /// [InvalidLogException] for any other note.
    public Checkpoint verify(SignedNote note) {
        var keys = Stream.concat(logs.stream(), witnesses.keySet().stream()).toList();
        var signers = note.verify(keys).keySet();
        var checkpoint = Checkpoint.parse(note.text());
        require(
                logs.stream().anyMatch(log -> log.name().equals(checkpoint.origin()) && signers.contains(log)),
                "no key of the log signed the checkpoint");
        require(quorum.test(signers), "too few witnesses cosigned");
        return checkpoint;
    }

    private static final class Reader {
        private static final String NONE = "none";

        private final List<VerifierKey> logs = new ArrayList<>();
        private final Map<VerifierKey, String> witnesses = new LinkedHashMap<>();
        private final Map<String, Predicate<Set<VerifierKey>>> named = new HashMap<>();
        private final Set<String> members = new HashSet<>();
        private @Nullable Predicate<Set<VerifierKey>> quorum;

        LogPolicy read(String file) {
            var number = 0;
            for (var line : file.split("\n", -1)) {
                number++;
                try {
                    require(line.chars().allMatch(c -> c == '\t' || (c >= ' ' && c != 0x7f)), "a control character");
                    var words = Stream.of(line.split("[ \t]+")).filter(word -> !word.isEmpty());
                    accept(words.toList());
                } catch (InvalidLogException e) {
                    throw new InvalidLogException("line " + number + ": " + e.getMessage());
                }
            }
            if (quorum == null) {
                throw new InvalidLogException("a policy has one quorum line");
            }
            return new LogPolicy(logs, witnesses, quorum);
        }

        private void accept(List<String> words) {
            var count = words.size();
            if (count == 0 || words.getFirst().startsWith("#")) {
                return;
            }
            switch (words.getFirst()) {
                case "log" -> {
                    require(count == 2 || count == 3, "log <vkey> [<url>]");
                    logs.add(key(words.get(1), logs.stream()));
                    require(logs.getLast().type() != SignatureType.ED25519_COSIGNATURE, "a key of the wrong type");
                }
                case "witness" -> {
                    require(count == 3 || count == 4, "witness <name> <vkey> [<url>]");
                    var key = key(words.get(2), witnesses.keySet().stream());
                    require(key.type().timestamped(), "a key of the wrong type");
                    witnesses.put(key, count == 4 ? words.get(3) : "");
                    define(words.get(1), signers -> signers.contains(key));
                }
                case "group" -> {
                    require(count >= 4, "group <name> all|any|<k> <name>...");
                    define(words.get(1), group(words.get(2), words.subList(3, count)));
                }
                case "quorum" -> {
                    require(count == 2 && quorum == null, "one line: quorum <name>");
                    quorum = words.get(1).equals(NONE) ? _ -> true : known(words.get(1));
                }
                default -> throw new InvalidLogException("a line starts with log, witness, group or quorum");
            }
        }

        private static VerifierKey key(String vkey, Stream<VerifierKey> others) {
            var key = VerifierKey.parse(vkey);
            require(others.noneMatch(other -> Arrays.equals(other.raw(), key.raw())), "a key that was listed before");
            return key;
        }

        private Predicate<Set<VerifierKey>> group(String threshold, List<String> names) {
            var parts = names.stream().map(this::known).toList();
            require(names.stream().allMatch(members::add), "a member that is in a group already");
            var enough = switch (threshold) {
                case "all" -> parts.size();
                case "any" -> 1;
                default -> Encoding.decodeDecimal(threshold);
            };
            require(enough >= 1 && enough <= parts.size(), "a threshold from 1 to the number of members");
            return signers -> parts.stream().filter(part -> part.test(signers)).count() >= enough;
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
    }
}
