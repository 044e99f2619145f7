// The script's end of Driver in driver.go: requests are lines of JSON on standard
// input, answers are lines on standard output.
import { createInterface } from "node:readline";

/** Answers each request with what answer(request) resolves to, until standard input ends. Requests run side by side. */
export async function serve(answer) {
  const respond = async ({ id, ...request }) => {
    const reply = await Promise.resolve(request).then(answer).then(
      (result) => ({ id, result }),
      (err) => ({ id, failure: String(err?.stack ?? err) }),
    );
    process.stdout.write(JSON.stringify(reply) + "\n");
  };
  const all = [];
  for await (const line of createInterface({ input: process.stdin })) all.push(respond(JSON.parse(line)));
  await Promise.all(all);
}
