/**
 * Returns the stable code, as `E105`, that the text of the registry's errors ends in; undefined if the error is not the
 * registry's. The chain wraps the text in its own, so that the code may stand anywhere in it.
 */
export function errorCode(error: unknown): string | undefined {
  const text = error instanceof Error ? error.message : String(error);
  return /\[(E\d{3})\]/.exec(text)?.[1];
}
