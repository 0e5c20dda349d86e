/// Misconfigurations by name: what `doctor` looks for, in any deployment.
@NullMarked
package dev.counterpoint.local.doctor;

import org.jspecify.annotations.NullMarked;
