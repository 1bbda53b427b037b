// The way to the session's host: a bounded queue, one socket that is connected again when it breaks, and the spool for
// what nobody took. It knows nothing about pi.

import * as fs from "node:fs";
import * as net from "node:net";
import * as path from "node:path";
import { frame, variantOf } from "./frames.ts";

/** Events per second, on average: a fast agent makes about ten tool calls a second. */
const EVENTS_PER_SECOND = 40;
/** Events that may come at once: a turn with a few dozen parallel tool calls. */
const EVENT_BURST = 120;
/** Bytes per second, on average. */
const BYTES_PER_SECOND = 128 * 1024;
/** Bytes that may come at once: a few long messages. */
const BYTE_BURST = 512 * 1024;
/** Events that decide the row's state pass the average above, but never this many in one second. */
const VITAL_PER_SECOND = 200;
/** Events waiting for a host that does not answer; more go to the spool, oldest first. */
const QUEUE_LIMIT = 256;
/** Events on their way without an answer; the others wait, so that a host that hangs costs no memory in the socket. */
const IN_FLIGHT_LIMIT = 64;
/** Spool files of one process, so that a full disk is never our doing. */
const SPOOL_FILES = 256;
/** Bytes in the spool of one process. */
const SPOOL_BYTES = 1024 * 1024;
/** How long a missing host is waited for before events go to the spool. */
const SPOOL_AFTER_MS = 2_000;
/** First and longest pause between two attempts to connect. */
const BACKOFF_MS = [100, 5_000];
/** How long the end of the session may be held up for the last events. */
const FLUSH_MS = 400;
/** Longest frame that a host may send us: its answers are tiny. */
const ANSWER_BYTES = 64 * 1024;
/** The versions of the host's protocol that this file speaks. */
const PROTOCOL = { oldest: 1, newest: 4 };

/** What all instances of this file in one process share: `/new`, `/resume` and `/reload` load it again. */
export const processWide: any = ((globalThis as any)[Symbol.for("agent-board.pi")] ??= {
  boot: `${process.pid}-${Date.now().toString(36)}`,
  seq: 0,
  inputs: 0,
  spoolFiles: 0,
  spoolBytes: 0,
});

type Waiting = { report: any; bytes: number };

export class Reporter {
  private queue: Waiting[] = [];
  /** Sent, not confirmed by the host yet. The host answers in order. */
  private unconfirmed: Waiting[] = [];
  private late = new Map<string, { type: string; fields: any; seq: number; at: number }>();
  private lateTimer: any;
  private events = EVENT_BURST;
  private bytes = BYTE_BURST;
  private refilled = Date.now();
  private vital: number[] = [];
  private dropped = 0;
  private socket: net.Socket | undefined;
  private ready = false;
  private incoming: Buffer = Buffer.alloc(0);
  private backoff = BACKOFF_MS[0];
  private retryTimer: any;
  private unreachableSince: number | undefined;
  private closed = false;

  constructor(
    private readonly socketPath: string,
    private readonly token: string,
    private readonly session: string | undefined,
    private readonly root: string | undefined,
  ) {}

  /** Reports one event. Events that decide the row's state are vital: they do not wait for the volume limit. */
  say(type: string, fields: any, vital: boolean): void {
    if (this.closed) return;
    const seq = ++processWide.seq;
    const at = Date.now();
    this.refill(at);
    if (vital && this.mayBeVital(at)) {
      // Nothing may come after what it happened before: a tool's start after the end of the turn would mislead.
      this.sendAllLate();
      this.enqueue(type, fields, seq, at);
    } else if (this.events >= 1 && this.bytes > 0 && this.late.size === 0) this.enqueue(type, fields, seq, at);
    else {
      // Over the limit only the newest of each kind is kept, and goes out as soon as there is room.
      if (this.late.delete(type)) this.dropped += 1;
      this.late.set(type, { type, fields, seq, at });
      this.lateTimer ??= later(() => this.sendLate(), 1_000 / EVENTS_PER_SECOND);
    }
  }

  private refill(at: number): void {
    const seconds = Math.max(0, at - this.refilled) / 1_000;
    this.refilled = at;
    this.events = Math.min(EVENT_BURST, this.events + seconds * EVENTS_PER_SECOND);
    this.bytes = Math.min(BYTE_BURST, this.bytes + seconds * BYTES_PER_SECOND);
  }

  private mayBeVital(at: number): boolean {
    this.vital = this.vital.filter((then) => at - then < 1_000);
    if (this.vital.length >= VITAL_PER_SECOND) return false;
    this.vital.push(at);
    return true;
  }

  private sendAllLate(): void {
    clearTimeout(this.lateTimer);
    this.lateTimer = undefined;
    for (const event of this.late.values()) this.enqueue(event.type, event.fields, event.seq, event.at);
    this.late.clear();
  }

  private sendLate(): void {
    this.lateTimer = undefined;
    this.refill(Date.now());
    for (const [key, event] of this.late) {
      if (this.events < 1 || this.bytes <= 0) break;
      this.late.delete(key);
      this.enqueue(event.type, event.fields, event.seq, event.at);
    }
    if (this.late.size > 0) this.lateTimer = later(() => this.sendLate(), 1_000 / EVENTS_PER_SECOND);
  }

  private enqueue(type: string, fields: any, seq: number, at: number): void {
    const dropped = this.dropped > 0 ? { dropped: this.dropped } : {};
    this.dropped = 0;
    const payload = { v: 1, boot: processWide.boot, seq, type, ...dropped, ...fields };
    const json = Buffer.from(JSON.stringify(payload), "utf8");
    this.events -= 1;
    this.bytes -= json.length;
    const report = { token: this.token, adapter: "pi", at_ms: at, payload: json };
    this.queue.push({ report, bytes: json.length });
    if (this.queue.length > QUEUE_LIMIT) this.spool(this.queue.shift());
    this.pump();
  }

  private pump(): void {
    if (!this.ready || !this.socket) return this.connect();
    const room = Math.max(0, IN_FLIGHT_LIMIT - this.unconfirmed.length);
    for (const waiting of this.queue.splice(0, room)) {
      this.unconfirmed.push(waiting);
      this.socket.write(frame({ event: waiting.report }));
    }
  }

  private connect(): void {
    if (this.socket || this.retryTimer) return;
    const socket = net.connect(this.socketPath);
    this.socket = socket;
    this.incoming = Buffer.alloc(0);
    socket.unref();
    socket.on("connect", () => socket.write(frame(hello())));
    socket.on("data", (chunk: any) => quietly(() => this.hear(socket, chunk)));
    socket.on("error", () => {});
    socket.on("close", () => quietly(() => this.lost(socket)));
  }

  private hear(socket: net.Socket, chunk: Buffer): void {
    this.incoming = Buffer.concat([this.incoming, chunk]);
    while (this.incoming.length >= 4) {
      const length = this.incoming.readUInt32LE(0);
      if (length > ANSWER_BYTES) return void socket.destroy();
      if (this.incoming.length < 4 + length) return;
      const body = this.incoming.subarray(4, 4 + length);
      const variant = variantOf(body);
      this.incoming = this.incoming.subarray(4 + length);
      if (this.ready) {
        const answered = this.unconfirmed.shift();
        // A host whose memory is full asks for the spool. Any other refusal would only be repeated.
        if (variant === "refused" && body.includes("\xa4kind\xa5limit", 0, "latin1")) this.spool(answered);
        if (this.queue.length > 0) this.pump();
      } else if (variant === "welcome") {
        this.ready = true;
        this.backoff = BACKOFF_MS[0];
        this.unreachableSince = undefined;
        this.pump();
      } else return void socket.destroy();
    }
  }

  private lost(socket: net.Socket): void {
    if (this.socket !== socket) return;
    this.socket = undefined;
    this.ready = false;
    this.queue.unshift(...this.unconfirmed.splice(0));
    if (this.queue.length === 0 || this.closed) return;
    this.unreachableSince ??= Date.now();
    if (Date.now() - this.unreachableSince >= SPOOL_AFTER_MS) this.spoolAll();
    this.retryTimer = later(() => {
      this.retryTimer = undefined;
      if (this.queue.length > 0) this.connect();
    }, this.backoff);
    this.backoff = Math.min(BACKOFF_MS[1], this.backoff * 2);
  }

  /** Waits, but not for long, until the host has everything. */
  async flush(): Promise<void> {
    const end = Date.now() + FLUSH_MS;
    this.sendAllLate();
    while (this.queue.length + this.unconfirmed.length > 0 && Date.now() < end) {
      // This pause is the one timer that may keep pi alive: at most FLUSH_MS, inside its own shutdown.
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Puts what nobody took on disk and stops. Everything in here is synchronous: it also runs while pi exits. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    clearTimeout(this.lateTimer);
    clearTimeout(this.retryTimer);
    this.queue.unshift(...this.unconfirmed.splice(0));
    this.spoolAll();
    this.socket?.destroy();
  }

  private spoolAll(): void {
    for (const waiting of this.queue.splice(0)) this.spool(waiting);
  }

  private spool(waiting: Waiting | undefined): void {
    if (!waiting || !this.root || !this.session) return;
    if (processWide.spoolFiles >= SPOOL_FILES || processWide.spoolBytes + waiting.bytes > SPOOL_BYTES) return;
    quietly(() => {
      const { report } = waiting;
      const fact = { agent_reported: report };
      const bytes = frame({ session: this.session, generation: null, seq: null, at_ms: report.at_ms, fact });
      processWide.spoolFiles += 1;
      processWide.spoolBytes += bytes.length;
      // The names sort in the order in which things happened; the daemon reads whole `.fact` files only.
      const unique = `${processWide.boot}-${String(processWide.spoolFiles).padStart(4, "0")}`;
      const order = `${String(report.at_ms).padStart(16, "0")}-${"0".repeat(12)}`;
      const directory = path.join(this.root!, "spool");
      const unfinished = path.join(directory, `${unique}.part`);
      fs.writeFileSync(unfinished, bytes, { mode: 0o600, flag: "wx" });
      fs.renameSync(unfinished, path.join(directory, `${order}-${unique}.fact`));
    });
  }
}

function hello(): any {
  let ticks = 0;
  quietly(() => {
    const stat = fs.readFileSync("/proc/self/stat", "utf8");
    ticks = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]);
  });
  const identity = { pid: process.pid, start_ticks: ticks };
  return { versions: PROTOCOL, role: "hook", build: "pi-extension-1", generation: null, process: identity };
}

export function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // Whatever goes wrong here is ours to bear, never pi's.
  }
}

export function later(work: () => void, ms: number): any {
  const timer = setTimeout(() => quietly(work), ms);
  timer.unref();
  return timer;
}
