package dev.counterpoint.structured.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.structured.regex.Regex;
import dev.counterpoint.structured.regex.RegexPool;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetTime;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormatsTest {
    private final RegexPool pool = new RegexPool();
    private final Random random = new Random(5);

    private Regex format(String name) {
        return Formats.find(name).orElseThrow().toRegex(pool, Spelling.PLAIN);
    }

    private static boolean matches(Regex regex, String text) {
        return regex.matches(text.getBytes(StandardCharsets.UTF_8));
    }

    private String mutated(String text) {
        var result = new StringBuilder(text);
        for (int left = random.nextInt(3); left > 0 && !result.isEmpty(); left--) {
            int at = random.nextInt(result.length());
            switch (random.nextInt(3)) {
                case 0 -> result.deleteCharAt(at);
                case 1 -> result.insert(at, text.charAt(random.nextInt(text.length())));
                default -> result.setCharAt(at, (char) random.nextInt(32, 127));
            }
        }
        return result.toString();
    }

    /// A text that the expression matches, by steps to random live states; null when it got too long.
    private String sample(Regex regex) {
        var bytes = new java.io.ByteArrayOutputStream();
        var state = regex;
        while (bytes.size() < 60 && !(state.nullable() && random.nextInt(6) == 0)) {
            int value = random.nextInt(33, 127);
            var next = state.step(value);
            for (int tries = 0; next == null && tries < 400; tries++) {
                value = random.nextInt(33, 127);
                next = state.step(value);
            }
            if (next == null) {
                break;
            }
            bytes.write(value);
            state = next;
        }
        return state.nullable() ? bytes.toString(StandardCharsets.UTF_8) : "";
    }

    @Test
    void datesAreTheDaysThereAre() {
        // Given
        var date = format("date");
        for (int year : new int[] {0, 1, 4, 100, 400, 1899, 1900, 1996, 1999, 2000, 2023, 2024, 2100, 9999}) {
            for (int month = 0; month <= 13; month++) {
                for (int day = 0; day <= 32; day++) {
                    // Then
                    var text = "%04d-%02d-%02d".formatted(year, month, day);
                    assertThat(matches(date, text)).as(text).isEqualTo(year > 0 && isDate(text));
                }
            }
        }
    }

    private static boolean isDate(String text) {
        try {
            LocalDate.parse(text);
            return true;
        } catch (DateTimeException _) {
            return false;
        }
    }

    @Test
    void timesAreWhatJavaReads() {
        // Given
        var time = format("time");
        var strict = Pattern.compile("..:..:..(\\.\\d{1,9})?(Z|[+-]..:..)");
        for (int i = 0; i < 20_000; i++) {
            var text = mutated(i % 2 == 0 ? "23:59:01.25Z" : "05:19:50+02:30");
            // Then
            if (matches(time, text)) {
                assertThat(strict.matcher(text).matches()).isTrue();
                assertThat(text.contains("+1")
                                || text.contains("+2")
                                || text.contains("-1")
                                || text.contains("-2")
                                || isTime(text))
                        .as(text)
                        .isTrue();
            } else {
                assertThat(strict.matcher(text).matches() && isTime(text))
                        .as(text)
                        .isFalse();
            }
        }
    }

    private static boolean isTime(String text) {
        try {
            OffsetTime.parse(text);
            return !text.endsWith("z");
        } catch (DateTimeException _) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"uri", "uri-reference", "iri"})
    void resourceIdentifiersAreWhatJavaReads(String name) throws URISyntaxException {
        // Given
        var format = format(name);
        for (int i = 0; i < 3_000; i++) {
            var text = i % 2 == 0 ? sample(format) : mutated("https://a.b:80/c%20d/e?f=g&h#i");
            if (matches(format, text)) {
                // Then
                var uri = new URI(text);
                assertThat(name.endsWith("reference") || uri.isAbsolute())
                        .as(text)
                        .isTrue();
            }
        }
    }

    @Test
    void regularExpressionsCompile() {
        var format = format("regex");
        for (int i = 0; i < 3_000; i++) {
            var text = sample(format);
            try {
                Pattern.compile(text);
            } catch (PatternSyntaxException wrong) {
                throw new AssertionError(text, wrong);
            }
            EcmaPattern.parse(text);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "date-time 2024-02-29T23:59:59Z true",
                "date-time 2023-02-29T23:59:59Z false",
                "date-time 1990-12-31T15:59:50.123-08:00 true",
                "date-time 1990-12-31T15:59:50 false",
                "duration P4DT12H30M5S true",
                "duration P1Y2M3DT4H5M6S true",
                "duration PT false",
                "duration P2W true",
                "duration P1YT false",
                "duration P1Y2W false",
                "duration PT1D false",
                "duration P1Y1D false",
                "email joe.bloggs@example.com true",
                "email .a@example.com false",
                "email a..b@example.com false",
                "email a@b@c.de false",
                "email te~st@example.com true",
                "idn-email joe@müller.de true",
                "hostname www.example.com true",
                "hostname -a.com false",
                "hostname a-.com false",
                "hostname a_b false",
                "hostname xn--x false",
                "hostname a..b false",
                "hostname localhost true",
                "idn-hostname 실례.com true",
                "ipv4 192.168.0.1 true",
                "ipv4 256.1.1.1 false",
                "ipv4 1.2.3 false",
                "ipv4 087.10.0.1 false",
                "ipv6 ::1 true",
                "ipv6 :: true",
                "ipv6 1::d6:192.168.0.1 true",
                "ipv6 1:2:3:4:5:6:7:8 true",
                "ipv6 1:2:3:4:5:6:7:: true",
                "ipv6 ::2:3:4:5:6:7:8 true",
                "ipv6 1:2:3:4:5:6:7:8:9 false",
                "ipv6 1::2::3 false",
                "ipv6 12345:: false",
                "ipv6 :2:3::8 false",
                "ipv6 1:2:3:4:1.2.3.4 false",
                "ipv6 1:2:3:4:5:6:1.2.3.4 true",
                "ipv6 ::ffff:1.2.3.4 true",
                "ipv6 fe80::a%eth1 false",
                "uuid 2EB8AA08-aa98-11ea-b4aa-73b441d16380 true",
                "uuid 2eb8aa08aa9811eab4aa73b441d16380 false",
                "uri http://foo.bar/?baz=qux#quux true",
                "uri urn:oasis:names:specification:docbook:dtd:xml:4.1.2 true",
                "uri /abc false",
                "uri mailto:John.Doe@example.com true",
                "uri http://[::1]:80/ true",
                "uri http://a/<b> false",
                "uri //foo.bar false",
                "uri-reference /abc true",
                "uri-reference abc true",
                "uri-reference #frag true",
                "uri-reference \\\\a false",
                "iri http://ƒøø.ßår/?∂éœ=πîx false",
                "iri http://føø.ßår/päth true",
                "uri-template http://e.com/{term:1}/{+t,u*} true",
                "uri-template http://e.com/{term false",
                "uri-template /a{#b.c} true",
                "json-pointer /foo/bar~0/baz~1/%a true",
                "json-pointer a false",
                "json-pointer /~ false",
                "relative-json-pointer 0# true",
                "relative-json-pointer 1/a true",
                "relative-json-pointer 01/a false",
                "regex ^([a-z]+|\\d{2})$ false",
                "regex ^([az]+|\\d{2})$ true",
                "regex ( false"
            })
    void formatsAreTheirStandards(String name, String text, boolean valid) {
        assertThat(matches(format(name), text)).isEqualTo(valid);
    }

    @Test
    void sayNothingAboutOthers() {
        assertThat(Formats.find("int32")).isEmpty();
        assertThat(Formats.find("nonsense")).isEmpty();
    }
}
