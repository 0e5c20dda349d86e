package dev.counterpoint.testkit;

/// The broker of the whole JVM, which no single test may disturb.
record SharedKafka(String bootstrapServers) implements TestKafka {

    @Override
    public void stop() {
        throw refused();
    }

    @Override
    public void kill() {
        throw refused();
    }

    @Override
    public void restart() {
        throw refused();
    }

    @Override
    public void pause() {
        throw refused();
    }

    @Override
    public void resume() {
        throw refused();
    }

    private static UnsupportedOperationException refused() {
        return new UnsupportedOperationException("others use the shared broker: TestKafka.start() gives one's own");
    }

    @Override
    public void close() {
        // It ends with the JVM.
    }
}
