package dev.counterpoint.structured.match;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// Forgets what was not used for longest when its values take more memory than allowed. Thread-safe.
final class BoundedCache<K, V> {
    /// What an entry takes beside its value.
    private static final int ENTRY_BYTES = 150;

    private final long bytesMax;
    private final ToIntFunction<V> size;
    private final Map<K, V> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    /// @param size in bytes, of a value
    BoundedCache(long bytesMax, ToIntFunction<V> size) {
        this.bytesMax = bytesMax;
        this.size = size;
    }

    /// The value of a key, made when it is not known: two threads may make it at once, and either one is kept.
    V get(K key, Supplier<V> make) {
        var known = find(key);
        if (known == null) {
            known = make.get();
            put(key, known);
        }
        return known;
    }

    synchronized void clear() {
        entries.clear();
        bytes = 0;
    }

    private synchronized @Nullable V find(K key) {
        return entries.get(key);
    }

    private synchronized void put(K key, V value) {
        var before = entries.put(key, value);
        bytes += bytes(value) - (before == null ? 0 : bytes(before));
        var oldest = entries.entrySet().iterator();
        while (bytes > bytesMax && entries.size() > 1) {
            bytes -= bytes(oldest.next().getValue());
            oldest.remove();
        }
    }

    private long bytes(V value) {
        return ENTRY_BYTES + (long) size.applyAsInt(value);
    }
}
