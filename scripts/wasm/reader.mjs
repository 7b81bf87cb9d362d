// Reads the binary form of WebAssembly.
import { readFileSync } from "node:fs";

export const CUSTOM = 0;
export const IMPORTS = 2;
export const CODE = 10;
export const DATA = 11;

/** Reads a wasm file from its beginning to its end. */
export class Reader {
  constructor(file) {
    this.bytes = readFileSync(file);
    this.at = 8; // past the magic number and the version
  }

  /** Reads an unsigned LEB128 number. */
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++];
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
  }

  /** Reads a length and a text of that length. */
  text() {
    const length = this.number();
    this.at += length;
    return this.bytes.toString("utf8", this.at - length, this.at);
  }

  /** Goes through the sections: where each starts, its id, and where its content is. */
  *sections() {
    while (this.at < this.bytes.length) {
      const start = this.at;
      const id = this.bytes[this.at++];
      const length = this.number();
      const content = this.at;
      const end = content + length;
      yield { start, id, content, end };
      this.at = end;
    }
  }

  /** Goes through the functions of the code section, whose content begins here: where each one's body is. */
  *bodies() {
    for (let left = this.number(); left > 0; left -= 1) {
      const start = this.at;
      const length = this.number();
      const content = this.at;
      const end = content + length;
      yield { start, content, end };
      this.at = end;
    }
  }
}
