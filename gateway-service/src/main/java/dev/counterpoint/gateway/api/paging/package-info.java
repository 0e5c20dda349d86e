/// Lists that are read page by page.
@NullMarked
package dev.counterpoint.gateway.api.paging;

import org.jspecify.annotations.NullMarked;
