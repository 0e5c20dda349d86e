/// Measures the module beside its peers on the same texts: `./mvnw -pl libs/harmony -Pbench verify`.
@NullMarked
package dev.counterpoint.harmony.bench;

import org.jspecify.annotations.NullMarked;
