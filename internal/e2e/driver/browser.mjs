// How the test scripts start Chromium.
import { chromium } from "playwright-core";

/** How long a step may take, in milliseconds, on a machine that does other things too. */
export const patience = 120_000;

export function launch(executablePath, ...args) {
  return chromium.launch({
    executablePath,
    timeout: patience,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...args,
    ],
  });
}
