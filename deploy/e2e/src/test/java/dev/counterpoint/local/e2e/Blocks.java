package dev.counterpoint.local.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.counterpoint.validator.StreamValidator;
import dev.counterpoint.validator.ValidatorOptions;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The blocks of a stream as they are on the wire, comments left out, which come when they come. What is read to
/// its end is validated.
final class Blocks implements AutoCloseable {
    private static final Pattern STARTING_AFTER = Pattern.compile("starting_after=(\\d+)");

    private final InputStream stream;
    private final ValidatorOptions options;
    private final StringBuilder read = new StringBuilder();

    private Blocks(InputStream stream, ValidatorOptions options) {
        this.stream = new BufferedInputStream(stream);
        this.options = options;
    }

    /// What a request gets.
    static Blocks of(InputStream stream) {
        return new Blocks(stream, ValidatorOptions.DEFAULT);
    }

    /// A stream that is taken up again.
    ///
    /// @param path with its query
    static Blocks again(ApiClient caller, String path) {
        var after = STARTING_AFTER.matcher(path);
        var options = ValidatorOptions.DEFAULT.startingAfter(after.find() ? Long.parseLong(after.group(1)) : -1);
        return new Blocks(caller.open(path), options);
    }

    /// The next so many, or fewer when the stream ends before.
    List<String> next(int most) {
        var blocks = new ArrayList<String>();
        try {
            var block = new StringBuilder();
            while (blocks.size() < most) {
                int next = stream.read();
                if (next < 0) {
                    break;
                }
                block.append((char) next);
                if (block.length() > 1 && next == '\n' && block.charAt(block.length() - 2) == '\n') {
                    if (block.charAt(0) != ':') {
                        blocks.add(utf8(block));
                        read.append(blocks.getLast());
                    }
                    block.setLength(0);
                }
            }
            return blocks;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// All that are left. They are validated when they are here, because a slow reader may be cut off.
    List<String> rest() {
        var rest = next(Integer.MAX_VALUE);
        assertThat(StreamValidator.validate(read.toString().getBytes(StandardCharsets.UTF_8), options))
                .isEmpty();
        return rest;
    }

    private static String utf8(CharSequence bytes) {
        return new String(bytes.toString().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        try {
            stream.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
