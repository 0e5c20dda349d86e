package dev.counterpoint.worker.engine.simulated;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Which number is larger, and is it prime or even.
final class Comparing implements Skill {
    private static final Pattern LARGEST =
            Pattern.compile("(?i)\\b(larger|largest|bigger|biggest|greater|greatest|highest|higher|maximum|max)\\b");
    private static final Pattern SMALLEST =
            Pattern.compile("(?i)\\b(smaller|smallest|lesser|least|lowest|lower|minimum|min)\\b");
    private static final Pattern PROPERTY =
            Pattern.compile("(?i)\\bis (?:the number )?(\\d{1,18}) (?:an? )?(prime|even|odd)\\b");
    private static final long TRIAL_MAX = 1_000_000_000_000L;

    @Override
    public @Nullable Answer answer(Situation situation) {
        var question = situation.question();
        var property = PROPERTY.matcher(question);
        if (property.find()) {
            return property(property.group(1), Words.lower(property.group(2)));
        }
        var numbers = FactFinder.find(question).numbers();
        boolean largest = LARGEST.matcher(question).find();
        if (numbers.size() < 2 || (!largest && !SMALLEST.matcher(question).find())) {
            return null;
        }
        BigDecimal best = numbers.getFirst();
        for (var number : numbers) {
            best = largest ? best.max(number) : best.min(number);
        }
        var listed = Words.join(numbers.stream().map(BigDecimal::toPlainString).toList());
        var word = largest ? numbers.size() == 2 ? "larger" : "largest" : numbers.size() == 2 ? "smaller" : "smallest";
        return Answer.say(
                List.of(
                        "The numbers to compare are " + listed + ".",
                        "Digit by digit from the left, " + best.toPlainString() + " is the " + word + "."),
                best.toPlainString() + " is the " + word + " of " + listed + ".",
                best.toPlainString());
    }

    private static @Nullable Answer property(String digits, String property) {
        long number = Long.parseLong(digits);
        if (property.equals("prime")) {
            if (number > TRIAL_MAX) {
                return null;
            }
            boolean prime = number > 1 && BigInteger.valueOf(number).isProbablePrime(40);
            long divisor = prime || number < 2 ? 0 : smallestDivisor(number);
            var why = divisor == 0
                    ? number < 2 ? "Primes begin at 2." : "No number from 2 to its root divides " + number + "."
                    : number + " = " + divisor + " * " + number / divisor + ".";
            return Answer.say(
                    List.of("I look for divisors of " + number + ".", why),
                    (prime ? "Yes, " + number + " is prime. " : "No, " + number + " is not prime. ") + why,
                    String.valueOf(prime));
        }
        boolean holds = (number % 2 == 0) == property.equals("even");
        return Answer.say(
                List.of(number + " divided by 2 leaves " + number % 2 + "."),
                (holds ? "Yes, " : "No, ") + number + " is " + (number % 2 == 0 ? "even." : "odd."),
                String.valueOf(holds));
    }

    private static long smallestDivisor(long number) {
        for (long divisor = 2; divisor * divisor <= number; divisor++) {
            if (number % divisor == 0) {
                return divisor;
            }
        }
        return number;
    }
}
