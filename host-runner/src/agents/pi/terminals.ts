// Terminals of its own for pi: the tools of `host-runner mcp`, registered as pi's, and that program as a child which does
// the work. It is started by the first call, and ends with pi or with the session.

import { spawn } from "node:child_process";
import { RUNNER, TOOLS } from "./given.ts";
import { quietly } from "./report.ts";

/** The revision of the protocol that this file speaks. */
const REVISION = "2025-06-18";
/** Longest line that the child may print, in bytes: a page of a terminal's text is far below. */
const LINE_BYTES = 16 * 1024 * 1024;

type Call = { resolve: (result: any) => void; reject: (error: Error) => void };

/** The child, and the calls that wait for it. */
class Terminals {
  private child: any;
  private rest = "";
  private next = 1;
  private calls = new Map<number, Call>();

  /** Calls one tool. */
  call(name: string, args: any, signal: AbortSignal | undefined): Promise<any> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new Error("cancelled"));
      this.start();
      const id = this.next++;
      const cancel = () => {
        this.say({ method: "notifications/cancelled", params: { requestId: id, reason: "cancelled" } });
        this.end(id)?.reject(new Error("cancelled"));
      };
      const over = (done: any) => (value: any) => {
        signal?.removeEventListener("abort", cancel);
        done(value);
      };
      this.calls.set(id, { resolve: over(resolve), reject: over(reject) });
      signal?.addEventListener("abort", cancel, { once: true });
      this.keepAlive(true);
      this.say({ id, method: "tools/call", params: { name, arguments: args ?? {} } });
    });
  }

  /** Ends the child: its waits end with it. */
  close(): void {
    quietly(() => this.child?.stdin.end());
    this.lost(this.child, "the session ends");
  }

  private start(): void {
    if (this.child) return;
    const child: any = spawn(RUNNER, ["mcp"], { stdio: ["pipe", "pipe", "ignore"] });
    this.child = child;
    this.rest = "";
    child.stdin.on("error", () => {});
    child.stdout.setEncoding("utf8");
    child.stdout.on("data", (text: string) => quietly(() => this.child === child && this.hear(text)));
    child.on("error", (error: any) => this.lost(child, String(error?.message ?? error)));
    child.on("close", () => this.lost(child, "host-runner mcp ended"));
    const client = { name: "pi", version: "1" };
    const params = { protocolVersion: REVISION, capabilities: {}, clientInfo: client };
    this.say({ id: 0, method: "initialize", params });
    this.say({ method: "notifications/initialized" });
  }

  private say(message: any): void {
    quietly(() => this.child?.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
  }

  private hear(text: string): void {
    this.rest += text;
    if (this.rest.length > LINE_BYTES) return void this.child?.kill();
    const lines = this.rest.split("\n");
    this.rest = lines.pop() ?? "";
    for (const line of lines) quietly(() => this.answered(JSON.parse(line)));
  }

  private answered(message: any): void {
    if (message.method !== undefined || typeof message.id !== "number") return;
    const call = this.end(message.id);
    if (message.error) call?.reject(new Error(String(message.error.message)));
    else call?.resolve(message.result);
  }

  private end(id: number): Call | undefined {
    const call = this.calls.get(id);
    this.calls.delete(id);
    if (this.calls.size === 0) this.keepAlive(false);
    return call;
  }

  private lost(child: any, why: string): void {
    if (!child || this.child !== child) return;
    this.child = undefined;
    for (const id of [...this.calls.keys()]) this.end(id)?.reject(new Error(`${why}. Try again`));
  }

  /** The child keeps pi alive while a tool runs, and not otherwise. */
  private keepAlive(running: boolean): void {
    const turn = running ? "ref" : "unref";
    for (const part of [this.child, this.child?.stdin, this.child?.stdout]) quietly(() => part?.[turn]?.());
  }
}

/** Shows pi the tools, where there are any. */
export function offerTerminals(pi: any): void {
  if (TOOLS.length === 0 || typeof pi.registerTool !== "function") return;
  const terminals = new Terminals();
  for (const tool of TOOLS) {
    const execute = async (_call: string, args: any, signal: AbortSignal | undefined) => {
      const result = await terminals.call(tool.name, args, signal);
      const content = result?.content ?? [];
      // pi makes the result of a tool that throws one that failed.
      if (result?.isError) throw new Error(content.map((part: any) => part.text ?? "").join("\n"));
      return { content, details: result?.structuredContent };
    };
    const { name, title, description, inputSchema } = tool;
    quietly(() => pi.registerTool({ name, label: title, description, parameters: inputSchema, execute }));
  }
  pi.on("session_shutdown", () => quietly(() => terminals.close()));
}
