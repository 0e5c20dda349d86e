/// The canary test: a secret that only ever stands in raw reasoning is looked for in every byte that the suite leaves.
@NullMarked
package dev.counterpoint.local.canary;

import org.jspecify.annotations.NullMarked;
