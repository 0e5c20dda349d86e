/// Lists that are read page by page.
@NullMarked
package dev.counterpoint.gateway.paging;

import org.jspecify.annotations.NullMarked;
