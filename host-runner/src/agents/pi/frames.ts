// MessagePack, as much as the board's frames need, and the cutting of what goes into them. Pure.

/** Longest text of a message, in UTF-16 units: what the board keeps of one. */
export const TEXT_LIMIT = 12_000;
/** Longest arguments of a tool, as JSON. */
export const ARGUMENTS_LIMIT = 4_000;
/** Longest text of a person's input: the board shows its first line. */
export const INPUT_LIMIT = 4_000;
/** Longest excerpt of a tool's result or of an error. */
export const EXCERPT_LIMIT = 600;

function pack(value: any, out: Buffer[]): void {
  if (value === null || value === undefined) out.push(Buffer.from([0xc0]));
  else if (typeof value === "boolean") out.push(Buffer.from([value ? 0xc3 : 0xc2]));
  else if (typeof value === "number") packUint(Math.max(0, Math.floor(value)), out);
  else if (typeof value === "string") {
    const bytes = Buffer.from(value, "utf8");
    packLength(bytes.length, [0xd9, 0xda, 0xdb], out);
    out.push(bytes);
  } else if (value instanceof Uint8Array) {
    packLength(value.length, [0xc4, 0xc5, 0xc6], out);
    out.push(Buffer.from(value));
  } else {
    const entries = Object.entries(value);
    out.push(Buffer.from([0x80 | entries.length]));
    for (const [key, inner] of entries) {
      pack(key, out);
      pack(inner, out);
    }
  }
}

function packUint(value: number, out: Buffer[]): void {
  if (value < 0x80) out.push(Buffer.from([value]));
  else {
    const bytes = Buffer.alloc(9);
    bytes[0] = 0xcf;
    bytes.writeBigUInt64BE(BigInt(value), 1);
    out.push(bytes);
  }
}

function packLength(length: number, codes: number[], out: Buffer[]): void {
  if (length < 0x100) out.push(Buffer.from([codes[0], length]));
  else if (length < 0x10000) {
    const bytes = Buffer.alloc(3);
    bytes[0] = codes[1];
    bytes.writeUInt16BE(length, 1);
    out.push(bytes);
  } else {
    const bytes = Buffer.alloc(5);
    bytes[0] = codes[2];
    bytes.writeUInt32BE(length, 1);
    out.push(bytes);
  }
}

function packed(value: any): Buffer {
  const out: Buffer[] = [];
  pack(value, out);
  return Buffer.concat(out);
}

export function frame(value: any): Buffer {
  const body = packed(value);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length, 0);
  return Buffer.concat([length, body]);
}

/** The variant that an answer is: its name, or the only key of its map. Nothing more of it matters here. */
export function variantOf(body: Buffer): string {
  let at = body.length > 0 && (body[0] & 0xf0) === 0x80 ? 1 : 0;
  const code = body[at] ?? 0;
  let length = 0;
  if ((code & 0xe0) === 0xa0) {
    length = code & 0x1f;
    at += 1;
  } else if (code === 0xd9) {
    length = body[at + 1] ?? 0;
    at += 2;
  }
  return body.toString("utf8", at, at + length);
}

/** At most `limit` units, never ending in half a character: half a surrogate pair is no legal JSON for other readers. */
export function cut(text: any, limit: number): string {
  const all = typeof text === "string" ? text : text === undefined || text === null ? "" : String(text);
  const short: any = all.length > limit ? all.slice(0, limit) : all;
  return typeof short.toWellFormed === "function" ? short.toWellFormed() : short;
}

/** A copy of a tool's arguments that is small at every level, whatever the model wrote. */
function shrink(value: any, text: number, depth: number): any {
  if (typeof value === "string") return cut(value, text);
  if (typeof value === "number" || typeof value === "boolean" || value === null) return value;
  if (typeof value !== "object" || depth === 0) return undefined;
  if (Array.isArray(value)) return value.slice(0, 20).map((inner) => shrink(inner, text, depth - 1) ?? null);
  const out: any = {};
  for (const key of Object.keys(value).slice(0, 30)) out[cut(key, 100)] = shrink(value[key], text, depth - 1);
  return out;
}

export function shrunkArguments(args: any): any {
  for (const [text, depth] of [[2_000, 5], [500, 4], [120, 3], [60, 2]]) {
    const small = shrink(args ?? {}, text, depth);
    if (JSON.stringify(small ?? {}).length <= ARGUMENTS_LIMIT) return small;
  }
  return {};
}

/** What stands for the middle of a text that is too long. */
const GAP = "\n…\n";

/** The words of a message. Of a long one its beginning, which tells what it is about, and its end, where a question to
 * the person stands. */
export function textOf(content: any, limit: number): string {
  const blocks = Array.isArray(content) ? content : [{ type: "text", text: content }];
  let text = "";
  for (const block of blocks) {
    if (block?.type === "text" && typeof block.text === "string") text += block.text;
  }
  if (text.length <= limit) return cut(text, limit);
  const half = Math.floor((limit - GAP.length) / 2);
  return cut(text.slice(0, half), half) + GAP + cut(text.slice(-half), half);
}
