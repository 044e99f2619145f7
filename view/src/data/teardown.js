/**
 * Calls f when the host asks the view to end. The request is read from the window's
 * messages, so that the author's onteardown stays as it is.
 */
export const onTeardown = (f) =>
  addEventListener("message", ({ source, data }) => {
    if (source == parent && data?.method == "ui/resource-teardown") f();
  });

/**
 * Lets the host's request to end wait for f, which is called before and after the
 * handler that onteardown has: the host takes nothing more once it has the answer.
 */
export function beforeTeardown(app, f) {
  const { onteardown } = app;
  app.onteardown = async (...args) => {
    f();
    try {
      return (await onteardown?.(...args)) ?? {};
    } finally {
      await f();
    }
  };
  onTeardown(f); // if the author replaces the handler
}
