// Agent Board's ears inside pi. Passed with `-e` for one session; nothing is written into the person's own directories.
//
// It reports what happens to the session's host, over the Unix socket AGENT_BOARD_SOCKET with the secret
// AGENT_BOARD_TOKEN, in the board's own frames (u32 little-endian length, MessagePack with named fields). It never
// prints, never throws into pi, never changes what pi does, and never keeps pi alive. Without that environment, and in
// print, json and rpc modes, it does nothing at all; but a turn without a terminal, which has AGENT_BOARD_MCP_TOKEN
// instead, gets the tools for terminals of its own.
//
// Two generations of pi: the first (0.73.x) has no `ctx.mode`, no `agent_settled` and no `ui_prompt_*` events; what is
// missing is worked out here, so that the board gets the second generation's words from both.

import * as fs from "node:fs";
import * as path from "node:path";
import { EXCERPT_LIMIT, INPUT_LIMIT, TEXT_LIMIT, cut, shrunkArguments, textOf } from "./frames.ts";
import { Reporter, later, processWide, quietly } from "./report.ts";
import { offerTerminals } from "./terminals.ts";

/** How often the editor is looked at while keys or events come. */
const EDITOR_POLL_MS = 100;
/** For how long after the last key or event. */
const EDITOR_WATCH_MS = 2_000;
/** How often after that: 200 idle sessions that look ten times a second would cost a third of a core (measured). */
const EDITOR_IDLE_POLL_MS = 2_000;
/** First generation: quiet time after `agent_end` that makes it the end. */
const GRACE_MS = 750;
/** First generation: what a retry may come later than its delay before it is taken for cancelled. */
const RETRY_MARGIN_MS = 1_500;
/** First generation: a compaction whose end was not reported by then has failed (its failure has no event). */
const COMPACTION_LIMIT_MS = 180_000;
/** First generation: how often the grace is repeated while messages are queued. */
const GRACE_ROUNDS = 20;
/** How long words may wait in pi before it works on them. Without a key for its model it never does, and has no event. */
const BEGIN_MS = 3_000;
/** Under which name a dialog that is listened to keeps the one that it was. */
const HEARD = "agentBoardHeard";
/** Longest launch prompt read from a file, in bytes. */
const PROMPT_BYTES = 1024 * 1024;

// --- What is silent ------------------------------------------------------------------------------------------------

/** Only pi's own screen reports: its print, json and rpc children would claim the row of the session around them. */
function isScreen(ctx: any): boolean {
  if (ctx.mode !== undefined) return ctx.mode === "tui";
  // First generation: `hasUI` is false in print and json mode, but true in rpc mode.
  if (!ctx.hasUI) return false;
  return !process.argv.some((arg, index) => arg === "--mode" && process.argv[index + 1] !== "tui");
}

// --- First generation: will it try again? --------------------------------------------------------------------------

/** The errors after which pi 0.73 tries again; it has no event for that. */
const RETRYABLE =
  /overloaded|provider.?returned.?error|rate.?limit|too many requests|429|500|502|503|504|service.?unavailable|server.?error|internal.?error|network.?error|connection.?(error|refused|lost)|websocket.?(closed|error)|other side closed|fetch failed|upstream.?connect|reset before headers|socket hang up|ended without|timed? out|timeout|terminated|retry delay/i;

/** pi's own retry settings, its defaults where the person set none. */
function retrySettings(cwd: string): { enabled: boolean; maxRetries: number; baseDelayMs: number } {
  const settings = { enabled: true, maxRetries: 3, baseDelayMs: 2_000 };
  const home = process.env.PI_CODING_AGENT_DIR ?? path.join(process.env.HOME ?? "", ".pi", "agent");
  for (const file of [path.join(home, "settings.json"), path.join(cwd, ".pi", "settings.json")]) {
    quietly(() => Object.assign(settings, JSON.parse(fs.readFileSync(file, "utf8")).retry ?? {}));
  }
  return settings;
}

// --- The events ----------------------------------------------------------------------------------------------------

export default function agentBoard(pi: any): void {
  const socketPath = process.env.AGENT_BOARD_SOCKET;
  const token = process.env.AGENT_BOARD_TOKEN;
  const hosted = socketPath && token;
  if (hosted || process.env.AGENT_BOARD_MCP_TOKEN) offerTerminals(pi);
  if (!hosted) return;

  let reporter: Reporter | undefined;
  let current: any;
  let firstGeneration = false;
  let running = false;
  let last: { text: string; stop?: string; error?: string } = { text: "" };

  const say = (type: string, fields: any = {}, vital = true) => reporter?.say(type, fields, vital);
  /** Hears one event, once the session is known to have a screen. */
  const on = (type: string, handler: (event: any, ctx: any) => void) =>
    pi.on(type, (event: any, ctx: any) => {
      quietly(() => {
        current = ctx;
        if (!reporter) return;
        handler(event, ctx);
        editorMayChange();
      });
    });

  // The grace after `agent_end` (first generation), and after a compaction outside a turn (both).
  let settleTimer: any;
  let settleRounds = 0;
  let retryAttempt = 0;
  let waitingForRetry = false;
  let compactionTimer: any;

  const settleIn = (ms: number) => {
    clearTimeout(settleTimer);
    settleTimer = later(trySettle, ms);
  };
  const trySettle = () => {
    settleTimer = undefined;
    if (running || compactionTimer) return;
    let queued = false;
    quietly(() => (queued = current.hasPendingMessages() || !current.isIdle()));
    if (queued && settleRounds++ < GRACE_ROUNDS) return settleIn(GRACE_MS);
    settle(last.stop === "aborted");
  };
  const settle = (aborted: boolean) => {
    clearTimeout(settleTimer);
    settleTimer = undefined;
    running = false;
    if (retryAttempt > 0) {
      say("auto_retry_end", { success: false, errorMessage: waitingForRetry ? "Retry cancelled" : last.error });
      waitingForRetry = false;
      retryAttempt = 0;
    }
    say("agent_settled", { aborted, text: last.text, stopReason: last.stop, errorMessage: last.error });
  };
  const compactionEnded = (fields: any) => {
    if (!compactionTimer) return;
    clearTimeout(compactionTimer);
    compactionTimer = undefined;
    say("compaction_end", fields);
    if (!running) settleIn(GRACE_MS);
  };

  // Words that pi took and did not begin to work on: it refused them on its screen, or another extension kept them.
  let beginTimer: any;
  const beginWithin = () => {
    clearTimeout(beginTimer);
    beginTimer = later(() => {
      let waits = running || compactionTimer || dialogs > 0;
      quietly(() => (waits ||= current.hasPendingMessages() || !current.isIdle()));
      if (waits) return running ? undefined : beginWithin();
      last = { text: "", stop: "error", error: "pi took the words but did not begin to work: its screen says why" };
      settle(false);
    }, BEGIN_MS);
  };

  on("input", (event) => {
    // Whoever types in the editor has no dialog before them: what is still open here was lost.
    if (event.source === "interactive") dialogEnded(0);
    const text = typeof event.text === "string" ? event.text : "";
    // A prompt of the command line comes with the source "interactive", as if the person had typed it.
    const launch = processWide.inputs++ === 0 && (processWide.prompt === text || process.argv.slice(2).includes(text));
    const images = Array.isArray(event.images) ? event.images.length : 0;
    const delivery = event.streamingBehavior ?? (running ? "steer" : undefined);
    say("input", { text: cut(text, INPUT_LIMIT), source: event.source, launch, images, delivery });
    if (!running) beginWithin();
  });
  on("agent_start", () => {
    clearTimeout(beginTimer);
    clearTimeout(settleTimer);
    settleTimer = undefined;
    settleRounds = 0;
    // Second generation: a run that goes on after an error tries again. It has no event for that either.
    if (!firstGeneration && running && last.stop === "error") {
      retryAttempt += 1;
      say("auto_retry_start", { attempt: retryAttempt, errorMessage: last.error });
    }
    running = true;
    waitingForRetry = false;
    last = { text: "" };
    say("agent_start");
  });
  on("agent_end", (_event, ctx) => {
    if (!firstGeneration) return;
    running = false;
    if (last.stop !== "error" || !last.error || !RETRYABLE.test(last.error)) return settleIn(GRACE_MS);
    const retry = retrySettings(ctx.cwd);
    if (!retry.enabled || retryAttempt >= retry.maxRetries) return settleIn(GRACE_MS);
    const delayMs = retry.baseDelayMs * 2 ** retryAttempt;
    retryAttempt += 1;
    waitingForRetry = true;
    const fields = { attempt: retryAttempt, maxAttempts: retry.maxRetries, delayMs, errorMessage: last.error };
    say("auto_retry_start", fields);
    settleIn(delayMs + RETRY_MARGIN_MS);
  });
  on("agent_settled", (event) => settle(event.aborted === true));
  on("turn_start", (event) => say("turn_start", { turnIndex: event.turnIndex }, false));
  on("turn_end", (event) => say("turn_end", { turnIndex: event.turnIndex }, false));

  on("message_start", (event) => {
    if (event.message?.role === "assistant") say("message_start", { role: "assistant" }, false);
  });
  on("message_end", (event) => {
    const message = event.message ?? {};
    if (message.role === "toolResult" || message.role === "system") return;
    const text = textOf(message.content, message.role === "assistant" ? TEXT_LIMIT : INPUT_LIMIT);
    if (message.role !== "assistant") return say("message_end", { role: cut(message.role, 40), text }, false);
    const error = message.errorMessage ? cut(message.errorMessage, EXCERPT_LIMIT) : undefined;
    last = { text, stop: message.stopReason, error };
    if (message.stopReason !== "error" && retryAttempt > 0) {
      say("auto_retry_end", { success: message.stopReason !== "aborted", attempt: retryAttempt });
      retryAttempt = 0;
    }
    const { input, output, cacheRead, cacheWrite, totalTokens, cost } = message.usage ?? {};
    const usage = { input, output, cacheRead, cacheWrite, totalTokens, cost: cost?.total };
    const model = { provider: message.provider, model: message.model };
    // Vital when it carries an error, which decides what the row says.
    const fields = { role: "assistant", text, usage, stopReason: message.stopReason, errorMessage: error, ...model };
    say("message_end", fields, error !== undefined);
  });
  on("tool_execution_start", (event) => {
    const parent = event.parentToolCallId;
    const call = { toolCallId: event.toolCallId, toolName: cut(event.toolName, 100), parentToolCallId: parent };
    say("tool_execution_start", { ...call, args: shrunkArguments(event.args) }, false);
  });
  on("tool_execution_end", (event) => {
    const parent = event.parentToolCallId;
    const call = { toolCallId: event.toolCallId, toolName: cut(event.toolName, 100), parentToolCallId: parent };
    const excerpt = textOf(event.result?.content, EXCERPT_LIMIT);
    say("tool_execution_end", { ...call, isError: event.isError === true, durationMs: event.durationMs, excerpt }, false);
  });

  on("session_before_compact", (event) => {
    // The second generation says why; the first leaves it open.
    say("compaction_start", { reason: event.reason, willRetry: event.willRetry });
    clearTimeout(settleTimer);
    clearTimeout(compactionTimer);
    const unsaid = () => compactionEnded({ aborted: false, errorMessage: "no end was reported" });
    compactionTimer = later(unsaid, COMPACTION_LIMIT_MS);
    const aborted = () => quietly(() => compactionEnded({ aborted: true }));
    event.signal?.addEventListener?.("abort", aborted, { once: true });
  });
  on("session_compact", (event) => compactionEnded({ aborted: false, willRetry: event.willRetry }));
  on("session_compact_failed", (event) => {
    const errorMessage = event.errorMessage ? cut(event.errorMessage, EXCERPT_LIMIT) : undefined;
    compactionEnded({ aborted: event.aborted === true, willRetry: event.willRetry, errorMessage });
  });
  on("model_select", (event) => {
    say("model_select", { provider: event.model?.provider, model: event.model?.id }, false);
  });
  on("session_info_changed", (event) => say("session_info_changed", { name: cut(event.name, 200) }, false));

  // Dialogs of extensions: the agent, or an extension on its behalf, waits for the person. Only the outermost is said.
  let dialogs = 0;
  let dialog = 0;
  const dialogStarted = (kind: any, title: any) => {
    if (dialogs++ > 0) return;
    dialog += 1;
    say("ui_prompt_start", { id: `ui-${dialog}`, kind, title: title ? cut(title, EXCERPT_LIMIT) : undefined });
    lookAtEditor();
  };
  const dialogEnded = (left: number) => {
    if (dialogs === 0) return;
    dialogs = left;
    if (dialogs > 0) return;
    say("ui_prompt_end", { id: `ui-${dialog}` });
    lookAtEditor();
  };
  on("ui_prompt_start", (event) => dialogStarted(event.kind, event.title));
  on("ui_prompt_end", () => dialogEnded(0));
  /** First generation: the dialogs have no events, so the one object that every extension calls is listened to. */
  const listenToDialogs = (ui: any) => {
    for (const kind of ["select", "confirm", "input", "editor", "custom"]) {
      // The object outlives a reload of the extensions and a new session: what stands there may be ours already, and listening
      // twice would count each dialog twice and close it once.
      const original = ui[kind]?.[HEARD] ?? ui[kind];
      if (typeof original !== "function") continue;
      const heard: any = (...args: any[]) => {
        quietly(() => dialogStarted(kind, typeof args[0] === "string" ? args[0] : undefined));
        const mine = dialog;
        // A dialog whose place another one took may end much later, or never: it must not close a newer one.
        const ended = () => quietly(() => mine === dialog && dialogEnded(dialogs - 1));
        let answer: any;
        try {
          answer = original.apply(ui, args);
        } catch (error) {
          ended();
          throw error;
        }
        Promise.resolve(answer).then(ended, ended);
        return answer;
      };
      heard[HEARD] = original;
      ui[kind] = heard;
    }
  };

  // The editor: plain Left may detach only while it is known to be empty.
  let editor: string | undefined;
  let editorTimer: any;
  let editorBusyUntil = 0;
  let deafen: (() => void) | undefined;
  const lookAtEditor = () => {
    let now = "unknown";
    // While a dialog has the keys, an empty editor behind it says nothing.
    if (dialogs === 0) quietly(() => (now = current.ui.getEditorText() === "" ? "empty" : "text"));
    if (now === editor) return;
    editor = now;
    say("editor", { state: now }, false);
  };
  /** Looks at once, often for a while, and seldom from then on. */
  const editorMayChange = () => {
    editorBusyUntil = Date.now() + EDITOR_WATCH_MS;
    clearTimeout(editorTimer);
    pollEditor();
  };
  const pollEditor = () => {
    if (!reporter) return;
    editorTimer = later(pollEditor, Date.now() < editorBusyUntil ? EDITOR_POLL_MS : EDITOR_IDLE_POLL_MS);
    lookAtEditor();
  };
  const watchEditor = (ui: any) => {
    editorMayChange();
    // Without this, a key typed just before Left would still look like an empty editor.
    deafen = ui.onTerminalInput?.((data: string) => {
      setImmediate(() => quietly(editorMayChange)).unref?.();
      // Esc while pi waits to try again cancels that; the first generation has no event for it.
      if (waitingForRetry && /^\x1b(\[27(;1(:1)?)?u)?$/.test(data)) later(() => waitingForRetry && settle(true), GRACE_MS);
      return undefined;
    });
  };

  const lastWords = () => quietly(() => reporter?.close());

  pi.on("session_start", (event: any, ctx: any) => {
    quietly(() => {
      if (!isScreen(ctx)) return;
      current = ctx;
      firstGeneration = ctx.mode === undefined;
      reporter = new Reporter(socketPath, token, process.env.AGENT_BOARD_SESSION, process.env.AGENT_BOARD_ROOT);
      process.on("exit", lastWords);
      const model = { provider: ctx.model?.provider, model: ctx.model?.id };
      const manager = ctx.sessionManager;
      const ids = { sessionId: manager?.getSessionId?.(), sessionFile: manager?.getSessionFile?.() };
      const generation = firstGeneration ? 1 : 2;
      say("session_start", { reason: event.reason, ...ids, cwd: ctx.cwd, ...model, generation, pid: process.pid });
      if (firstGeneration) listenToDialogs(ctx.ui);
      watchEditor(ctx.ui);
      if (event.reason === "startup") sendLaunchPrompt();
    });
  });

  /** A prompt too long for one argument of a command line (128 KiB on Linux) comes in a file, once. */
  const sendLaunchPrompt = () => {
    const file = process.env.AGENT_BOARD_PROMPT_FILE;
    if (!file || processWide.prompt !== undefined || !fs.existsSync(file)) return;
    if (fs.statSync(file).size > PROMPT_BYTES) return;
    const prompt = fs.readFileSync(file, "utf8");
    // Removed before it is sent: a session that starts again must not ask twice.
    fs.unlinkSync(file);
    processWide.prompt = prompt;
    later(() => pi.sendUserMessage(prompt), 0);
  };

  pi.on("session_shutdown", async (event: any) => {
    const ending = reporter;
    if (!ending) return;
    quietly(() => {
      clearTimeout(editorTimer);
      clearTimeout(beginTimer);
      clearTimeout(compactionTimer);
      deafen?.();
      // The grace of a turn that had ended is cut short: nothing will start any more.
      if (settleTimer) settle(last.stop === "aborted");
      say("session_shutdown", { reason: event?.reason });
    });
    try {
      await ending.flush();
    } catch {
      // The spool takes what is left.
    }
    quietly(() => ending.close());
    process.off("exit", lastWords);
    reporter = undefined;
  });
}
