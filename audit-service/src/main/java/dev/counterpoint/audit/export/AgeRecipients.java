package dev.counterpoint.audit.export;

import com.exceptionfactory.jagged.RecipientStanzaWriter;
import com.exceptionfactory.jagged.framework.stream.StandardEncryptingChannelFactory;
import com.exceptionfactory.jagged.x25519.X25519RecipientStanzaWriterFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;

/// Encrypts files to keys of age (`age1…`, X25519).
public final class AgeRecipients {
    public static final int COUNT_MAX = 10;

    private AgeRecipients() {}

    /// Whether a file can be encrypted to these.
    public static boolean accepts(List<String> recipients) {
        if (recipients.isEmpty() || recipients.size() > COUNT_MAX) {
            return false;
        }
        try {
            encrypting(Channels.newChannel(OutputStream.nullOutputStream()), recipients)
                    .close();
            return true;
        } catch (GeneralSecurityException | IOException | RuntimeException e) {
            return false; // jagged throws various kinds for a text that is no key
        }
    }

    /// @param file channel that the result closes
    /// @throws GeneralSecurityException for a text that is no such key
    static WritableByteChannel encrypting(WritableByteChannel file, List<String> recipients)
            throws GeneralSecurityException, IOException {
        var writers = new ArrayList<RecipientStanzaWriter>();
        for (var recipient : recipients) {
            writers.add(X25519RecipientStanzaWriterFactory.newRecipientStanzaWriter(recipient));
        }
        return new StandardEncryptingChannelFactory().newEncryptingChannel(file, writers);
    }
}
