import { readFileSync } from "node:fs";
import { fromBase64, fromHex } from "@cosmjs/encoding";

/**
 * Reads the VAAs of a file, one a line: JSON with `vaa_hex` or `vaa` (base64), or hex, or base64.
 *
 * @throws naming the file and the line that is none of these
 */
export function vaasOfFile(file: string): Uint8Array[] {
  const vaas: Uint8Array[] = [];
  for (const [index, text] of readFileSync(file, "utf8").split("\n").entries()) {
    const line = text.trim();
    if (line === "") continue;
    try {
      vaas.push(vaaOfText(line));
    } catch (error) {
      throw new Error(`${file}, line ${index + 1}: no VAA: ${error instanceof Error ? error.message : error}`);
    }
  }
  return vaas;
}

function vaaOfText(text: string): Uint8Array {
  if (text.startsWith("{")) {
    const row = JSON.parse(text) as { vaa_hex?: unknown; vaa?: unknown };
    if (typeof row.vaa_hex === "string") return fromHex(row.vaa_hex.replace(/^0x/i, ""));
    if (typeof row.vaa === "string") return fromBase64(row.vaa);
    throw new Error("the object has neither `vaa_hex` nor `vaa`");
  }
  const hex = text.replace(/^0x/i, "");
  return /^([0-9a-f]{2})+$/i.test(hex) ? fromHex(hex) : fromBase64(text);
}

/** Cuts VAAs into batches of at most so many, and of at most so many bytes unless one VAA alone has more. */
export function batches(vaas: readonly Uint8Array[], most: number, bytes: number): Uint8Array[][] {
  const all: Uint8Array[][] = [];
  let batch: Uint8Array[] = [];
  let size = 0;
  for (const vaa of vaas) {
    if (batch.length > 0 && (batch.length >= most || size + vaa.length > bytes)) {
      all.push(batch);
      batch = [];
      size = 0;
    }
    batch.push(vaa);
    size += vaa.length;
  }
  if (batch.length > 0) all.push(batch);
  return all;
}
