import type { PageRequest, PageResponse } from "./generated/types.ts";

/**
 * Yields page after page of a list, until there are no more: a registry answers 10 rows a page by default, and 30 at
 * most. A page may be short, or empty, and still not be the last.
 *
 * Rows that are added meanwhile are seen if they come after the place reached; none is seen twice.
 *
 * @param query asks for one page, as `(page) => client.messagesByChain({ chain: 2, page })`
 * @param first the limit and the direction, and for the first page the place to start at
 */
export async function* pages<T extends { page: PageResponse }>(
  query: (page: PageRequest) => Promise<T>,
  first: PageRequest = {},
): AsyncGenerator<T, void, void> {
  let request = first;
  for (;;) {
    const answer = await query(request);
    yield answer;
    const next = answer.page.next_key;
    if (next === undefined || next === null) return;
    // The offset and the wish for a total belong to the first page alone: together with a key they are refused.
    request = { limit: first.limit, reverse: first.reverse, key: next };
  }
}
