import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

/** Gives the URL of a `vaactl --json serve` to `use`, then ends it, and requires that it ends well. */
export async function whileServing(server: ChildProcess, use: (url: string) => Promise<void>): Promise<void> {
  const ended = new Promise<number | null>((resolve) => server.once("exit", (code) => resolve(code)));
  try {
    await use(await urlOf(server));
  } finally {
    server.kill("SIGTERM");
  }
  const code = await ended;
  if (code !== 0) throw new Error(`vaactl serve ended with ${code}`);
}

async function urlOf(server: ChildProcess): Promise<string> {
  if (server.stdout === null) throw new Error("vaactl serve has no standard output");
  for await (const line of createInterface(server.stdout)) return JSON.parse(line).listening;
  throw new Error("vaactl serve ended before it listened");
}
