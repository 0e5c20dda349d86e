import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;

/** Responses over WebSockets beside the same over HTTP, by turns, against a suite with the simulated engine. */
class Sockets {
    static final String URL = System.getenv("COUNTERPOINT_URL");
    static final String KEY = System.getenv("COUNTERPOINT_API_KEY");
    static final String MODEL = System.getenv("COUNTERPOINT_MODEL");
    static final int IDLE = Integer.getInteger("idle", 1_000);
    static final int STREAMS = Integer.getInteger("streams", 64);
    static final int COUNT = Integer.getInteger("count", 200);
    static final int ROUNDS = Integer.getInteger("rounds", 3);
    static final int TURNS = Integer.getInteger("turns", 20);
    static final Pattern ID = Pattern.compile("\"response\":\\{\"id\":\"([^\"]+)");
    static final Pattern CALL = Pattern.compile("\"call_id\":\"([^\"]+)");
    static final String TOOL = "\"tools\":[{\"type\":\"function\",\"name\":\"get_weather\",\"strict\":false,\"parameters\":"
            + "{\"type\":\"object\",\"properties\":{\"city\":{\"type\":\"string\"}}}}]";
    /** One for each round, so that none inherits connections. */
    static HttpClient http = client();

    /** Sends one request and reads its events until the last. */
    interface Way extends AutoCloseable {
        void ask(String members, Heard heard) throws Exception;

        @Override
        default void close() {}
    }

    interface Heard {
        void event(String json);
    }

    public static void main(String[] arguments) throws Exception {
        var gateway = ProcessHandle.of(Long.parseLong(arguments[0])).orElseThrow();
        streams(gateway, "warm-up", false, null);
        streams(gateway, "warm-up", true, null);
        System.out.println("| transport | idle | streams | events | gateway CPU, us/event | heap after a collection, MiB | resident, MiB |");
        System.out.println("|---|---:|---:|---:|---:|---:|---:|");
        var cost = List.of(new ArrayList<Double>(), new ArrayList<Double>());
        for (int round = 0; round < ROUNDS; round++) {
            streams(gateway, "HTTP", false, cost.getFirst());
            streams(gateway, "WebSocket", true, cost.getLast());
        }
        System.out.printf("median us/event: HTTP %.0f, WebSocket %.0f%n%n", median(cost.getFirst()), median(cost.getLast()));
        System.out.println("| first text of turn, ms (median of " + ROUNDS + ") | 1 | 5 | 10 | 15 | " + TURNS + " | all |");
        System.out.println("|---|---:|---:|---:|---:|---:|---:|");
        for (var transport : List.of("HTTP", "WebSocket", "WebSocket, not stored")) {
            agents(transport);
        }
        System.exit(0);
    }

    /** Idle connections and streams at once. */
    static void streams(ProcessHandle gateway, String name, boolean sockets, List<Double> cost) throws Exception {
        http = client();
        var idle = new ArrayList<AutoCloseable>();
        var events = new LongAdder();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < IDLE; i++) {
                idle.add(sockets ? new OverWebSocket() : idleConnection());
            }
            var ways = new ArrayList<Way>();
            for (int i = 0; i < STREAMS; i++) {
                ways.add(sockets ? new OverWebSocket() : new OverHttp());
            }
            long heap = heapMiB(gateway.pid());
            long cpu = cpuMillis(gateway.pid());
            var all = new ArrayList<Callable<Void>>();
            for (var way : ways) {
                all.add(() -> {
                    way.ask("\"input\":\"Count from 1 to " + COUNT + ".\"", _ -> events.increment());
                    return null;
                });
            }
            for (var done : threads.invokeAll(all)) {
                done.get();
            }
            double each = 1_000.0 * (cpuMillis(gateway.pid()) - cpu) / events.sum();
            if (cost != null) {
                cost.add(each);
                System.out.printf("| %s | %d | %d | %d | %.0f | %d | %d |%n",
                        name, IDLE, STREAMS, events.sum(), each, heap, residentMiB(gateway.pid()));
            }
            for (var way : ways) {
                way.close();
            }
        }
        for (var connection : idle) {
            connection.close();
        }
    }

    /** An agent: each turn is a question, a tool call, its result and an answer. */
    static void agents(String transport) throws Exception {
        var rounds = new ArrayList<double[]>();
        for (int round = 0; round < ROUNDS; round++) {
            try (Way way = transport.equals("HTTP") ? new OverHttp() : new OverWebSocket()) {
                rounds.add(agent(way, !transport.endsWith("not stored")));
            }
        }
        var line = new StringBuilder("| " + transport);
        for (int turn : new int[] {1, 5, 10, 15, TURNS}) {
            line.append(String.format(" | %.1f", median(rounds.stream().map(round -> round[turn - 1]).toList())));
        }
        var all = rounds.stream().flatMap(round -> Arrays.stream(round).boxed()).toList();
        System.out.println(line + String.format(" | %.1f |", median(all)));
    }

    static double[] agent(Way way, boolean stored) throws Exception {
        var times = new double[TURNS];
        var previous = "";
        for (int turn = 0; turn < TURNS; turn++) {
            long began = System.nanoTime();
            var asked = new Turn();
            var question = "\"input\":\"What is the weather in city " + turn + "?\\ncall: get_weather {}\"";
            way.ask(question + previous + "," + TOOL + ",\"store\":" + stored, asked);
            var answered = new Turn();
            way.ask("\"input\":[{\"type\":\"function_call_output\",\"call_id\":\"" + asked.call + "\",\"output\":\"sunny\"}],"
                    + "\"previous_response_id\":\"" + asked.id + "\"," + TOOL + ",\"store\":" + stored, answered);
            times[turn] = (answered.firstTextNanos - began) / 1e6;
            previous = ",\"previous_response_id\":\"" + answered.id + "\"";
        }
        return times;
    }

    static final class Turn implements Heard {
        String id = "";
        String call = "";
        long firstTextNanos;

        @Override
        public void event(String json) {
            if (firstTextNanos == 0 && json.contains("response.output_text.delta")) {
                firstTextNanos = System.nanoTime();
            }
            var named = ID.matcher(json);
            id = id.isEmpty() && named.find() ? named.group(1) : id;
            var called = CALL.matcher(json);
            call = call.isEmpty() && called.find() ? called.group(1) : call;
        }
    }

    static final class OverHttp implements Way {
        @Override
        public void ask(String members, Heard heard) throws Exception {
            var body = "{\"model\":\"" + MODEL + "\",\"stream\":true," + members + "}";
            var request = HttpRequest.newBuilder(URI.create(URL + "/v1/responses"))
                    .header("authorization", "Bearer " + KEY).header("content-type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body)).build();
            var answer = http.send(request, HttpResponse.BodyHandlers.ofLines());
            if (answer.statusCode() != 200) {
                throw new IOException(answer.statusCode() + " " + answer.body().toList());
            }
            answer.body().filter(line -> line.startsWith("data: {")).forEach(line -> heard.event(line.substring(6)));
        }
    }

    static final class OverWebSocket implements Way, WebSocket.Listener {
        private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
        private final StringBuilder text = new StringBuilder();
        private final WebSocket socket = http.newWebSocketBuilder().header("authorization", "Bearer " + KEY)
                .buildAsync(URI.create(URL.replaceFirst("http", "ws") + "/v1/responses"), this).join();

        @Override
        public void ask(String members, Heard heard) throws Exception {
            socket.sendText("{\"type\":\"response.create\",\"model\":\"" + MODEL + "\"," + members + "}", true).join();
            while (true) {
                var event = events.poll(60, TimeUnit.SECONDS);
                if (event == null || event.startsWith("{\"type\":\"error\"")) {
                    throw new IOException("no answer: " + event);
                }
                heard.event(event);
                if (event.startsWith("{\"type\":\"response.completed\"")) {
                    return;
                }
            }
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                events.add(text.toString());
                text.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public void close() {
            socket.abort();
        }
    }

    static HttpClient client() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    /** What a pool of an HTTP client keeps. */
    static AutoCloseable idleConnection() throws IOException {
        var gateway = URI.create(URL);
        var socket = new Socket(gateway.getHost(), gateway.getPort());
        socket.getOutputStream().write(("GET /v1/models HTTP/1.1\r\nHost: " + gateway.getHost()
                + "\r\nAuthorization: Bearer " + KEY + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        if (socket.getInputStream().read(new byte[8_192]) < 0) {
            throw new IOException("closed");
        }
        return socket;
    }

    static long cpuMillis(long pid) throws IOException {
        var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return 10 * (Long.parseLong(fields[11]) + Long.parseLong(fields[12]));
    }

    static long residentMiB(long pid) throws IOException {
        return Long.parseLong(Files.readString(Path.of("/proc/" + pid + "/statm")).split(" ")[1]) * 4 / 1_024;
    }

    /** Bytes of objects after a full collection. */
    static long heapMiB(long pid) throws Exception {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        new ProcessBuilder(jcmd, Long.toString(pid), "GC.run").start().waitFor();
        var info = new String(new ProcessBuilder(jcmd, Long.toString(pid), "GC.heap_info").start().getInputStream().readAllBytes());
        var used = Pattern.compile("used (\\d+)K").matcher(info);
        long kibibytes = 0;
        while (used.find() && !info.substring(0, used.start()).contains("Metaspace")) {
            kibibytes += Long.parseLong(used.group(1));
        }
        return kibibytes / 1_024;
    }

    static double median(List<Double> values) {
        var sorted = values.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
