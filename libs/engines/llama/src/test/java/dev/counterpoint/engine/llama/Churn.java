package dev.counterpoint.engine.llama;

import dev.counterpoint.engine.GenerationRequest;
import dev.counterpoint.engine.Sampling;
import dev.counterpoint.engine.Step;
import dev.counterpoint.engine.TokenMask;
import dev.counterpoint.engine.llama.testkit.TestLibrary;
import dev.counterpoint.engine.testkit.PulledGeneration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/// A process of its own that lets sequences join, leave and be cancelled at random, and prints one line: free
/// slots at the end, and the process's memory after the first joins and after all.
final class Churn {
    static final int SLOTS = 8;
    private static final int WARM = 200;
    private static final int JOINS = 2_000;

    private final SplittableRandom random = new SplittableRandom(6);
    private final List<PulledGeneration> running = new ArrayList<>();
    private final LlamaEngine engine;
    private int joined;

    private Churn(LlamaEngine engine) {
        this.engine = engine;
    }

    public static void main(String... arguments) throws Exception {
        var options = new LlamaOptions("made-up", GgufTestModel.file(), LlamaOptions.Capacity.of(SLOTS, 512, 2048), 1);
        try (var engine = LlamaEngine.open(TestLibrary.source(), options)) {
            var churn = new Churn(engine);
            churn.until(WARM);
            long warm = residentKilobytes();
            churn.until(JOINS);
            long after = residentKilobytes();
            System.out.println(engine.health().freeSlots() + " " + warm + " " + after);
        }
    }

    private void until(int joins) throws InterruptedException {
        while (joined < joins) {
            if (running.size() < SLOTS && random.nextInt(3) > 0) {
                running.add(new PulledGeneration(engine, request()));
                joined++;
            } else if (!running.isEmpty()) {
                disturb(running.get(random.nextInt(running.size())));
            }
        }
        running.forEach(PulledGeneration::close);
        running.clear();
    }

    private void disturb(PulledGeneration generation) throws InterruptedException {
        switch (random.nextInt(4)) {
            case 0 -> generation.cancel();
            case 1 -> leave(generation);
            default -> {
                if (generation.next() instanceof Step.Stopped) {
                    leave(generation);
                }
            }
        }
    }

    private void leave(PulledGeneration generation) {
        generation.close();
        running.remove(generation);
    }

    private GenerationRequest request() {
        var prompt = new int[1 + random.nextInt(60)];
        int first = 500 * random.nextInt(20);
        for (int i = 0; i < prompt.length; i++) {
            prompt[i] = first + i;
        }
        var salt = "salt " + random.nextInt(3);
        return new GenerationRequest(
                "churn", prompt, new int[0], Sampling.DEFAULT, 1 + random.nextInt(20), Set.of(), TokenMask.ALL, salt);
    }

    private static long residentKilobytes() throws IOException {
        System.gc();
        for (var line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IllegalStateException("no VmRSS");
    }
}
