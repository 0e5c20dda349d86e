/// How fast the wire is written and read: `./mvnw -pl libs/openai-api -am -Pbench verify`.
@NullMarked
package dev.counterpoint.openai.bench;

import org.jspecify.annotations.NullMarked;
