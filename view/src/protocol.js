import { RESOURCE_TEARDOWN_METHOD } from "./constants.js";
import { failure, isMessage, parse } from "./message.js";

// The most notifications about the tool that are kept until they have a handler.
const maxArrived = 32;

const send = async (transport, m, options) => transport.send({ ...m, jsonrpc: "2.0" }, options);

/**
 * JSON-RPC 2.0 as MCP uses it, in both directions over one transport: requests
 * with timeout, progress and cancellation, notifications, and handlers.
 */
export class Protocol {
  #options;
  #transport;
  #nextID = 0;
  #pending = new Map(); // by id of a sent request: functions that handle its reply and its progress
  #running = new Map(); // by id of a received request: its AbortController
  #handlers; // by method: (message, ctx) => result
  #claimed = new Set(["ping"]); // methods for which setRequestHandler and setNotificationHandler throw
  #debounced = new Set(); // methods whose notification is sent at the end of this tick
  #arrived = []; // notifications that have no handler yet

  constructor(options) {
    this.#options = options;
    this.#handlers = new Map([
      ["ping", () => {}],
      [RESOURCE_TEARDOWN_METHOD, () => {}],
      ["notifications/cancelled", ({ params }) => this.#running.get(params.requestId)?.abort(params.reason)],
      ["notifications/progress", ({ params: { progressToken, ...progress } }) => this.#pending.get(+progressToken).progress(progress)],
    ]);
  }

  get transport() {
    return this.#transport;
  }

  async connect(transport) {
    const callbacks = {
      onclose: () => {
        Object.assign(transport, others);
        this.#closed();
      },
      onerror: (e) => this.onerror?.(e),
      onmessage: (m) => this.#receive(m),
    };
    const others = {};
    for (const name in callbacks) {
      const other = (others[name] = transport[name]);
      transport[name] = (...args) => {
        other?.(...args);
        callbacks[name](...args);
      };
    }
    this.#transport = transport;
    await transport.start();
  }

  async close() {
    return this.#transport?.close();
  }

  #closed() {
    const error = failure("CONNECTION_CLOSED", "Connection closed");
    this.#transport = undefined;
    for (const [, controller] of this.#running) controller.abort(error);
    this.#running.clear();
    for (const [, pending] of this.#pending) pending.reject(error);
    this.onclose?.();
  }

  #live() {
    if (this.#transport) return this.#transport;
    throw failure("NOT_CONNECTED", "Not connected");
  }

  #report(what, cause) {
    this.onerror?.(new Error(what, { cause }));
  }

  #receive(m) {
    const request = this.#pending.get(m?.id);
    if (!isMessage(m) || !(m.method || request)) this.#report("Unexpected message", m);
    else if (!m.method) {
      const { error } = m;
      if (error) request.reject(failure(error.code, error.message, error.data, "ProtocolError"));
      else request.resolve(m.result);
    } else if ("id" in m) this.#serve(m);
    else {
      this.#arrived.push(m);
      this.#deliver();
    }
  }

  #deliver() {
    for (const m of this.#arrived.splice(0)) {
      const { method } = m;
      const handler = this.#handlers.get(method) ?? this.fallbackNotificationHandler;
      if (handler) this.#notify(handler, m);
      else if (/^ui.*tool/.test(method) && this.#arrived.push(m) > maxArrived) this.#arrived.shift();
    }
  }

  async #notify(handler, m) {
    try {
      await handler(m);
    } catch (e) {
      if (this.onerror) this.#report("Handler failed: " + e);
      else reportError(e);
    }
  }

  async #serve(m) {
    const { id, method, params } = m;
    const transport = this.#transport;
    const controller = new AbortController();
    const { signal } = controller;
    const reply = { id };
    this.#running.set(id, controller);
    try {
      const handler = this.#handlers.get(method) ?? this.fallbackRequestHandler;
      if (!handler) throw failure(-32601, "Method not found");
      reply.result =
        (await handler(m, {
          sessionId: transport.sessionId,
          mcpReq: {
            id,
            method,
            _meta: params?._meta,
            signal,
            send: (...args) => this.request(...args),
            notify: (n) => this.notification(n),
          },
        })) ?? {};
    } catch (e) {
      const { code, message = "Internal error", data } = e ?? {};
      if (/^[TR]/.test(e)) reportError(e); // a TypeError, RangeError or ReferenceError is a fault; others are meant as answers
      reply.error = { code: Number.isInteger(code) ? code : -32603, message, data };
    }
    if (signal.aborted) return;
    this.#running.delete(id);
    send(transport, reply).catch((e) => this.#report("Send failed: " + e));
  }

  request(request, schema, options) {
    if (!schema?.["~standard"]) [schema, options] = [, schema];
    const { onprogress, signal, timeout = 6e4, resetTimeoutOnProgress, maxTotalTimeout } = options ?? {};
    const { method } = request;
    return new Promise((done, fail) => {
      const transport = this.#live();
      const aborted = () => failure("REQUEST_TIMEOUT", String(signal.reason));
      const timedOut = (timeout) => failure("REQUEST_TIMEOUT", "Request timed out", { timeout });
      if (this.#options.enforceStrictCapabilities) this.assertCapabilityForMethod(method);
      if (signal?.aborted) throw aborted();

      const id = this.#nextID++;
      const started = Date.now();
      let timer;
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        this.#pending.delete(id);
      };
      const reject = (error) => {
        end();
        fail(error);
      };
      const cancel = (error, reason = error) => {
        this.notification({ method: "notifications/cancelled", params: { requestId: id, reason: String(reason) } }).catch(reject);
        reject(error);
      };
      const abort = () => cancel(aborted(), signal.reason);
      const arm = () => {
        clearTimeout(timer);
        timer = setTimeout(() => cancel(timedOut(timeout)), timeout);
      };
      this.#pending.set(id, {
        reject,
        resolve(result) {
          end();
          done(schema ? parse(schema, result, "result for " + method, "INVALID_RESULT") : result);
        },
        progress(progress) {
          if (resetTimeoutOnProgress) {
            if (Date.now() - started >= maxTotalTimeout) return reject(timedOut(maxTotalTimeout));
            arm();
          }
          onprogress(progress);
        },
      });
      signal?.addEventListener("abort", abort);
      arm();

      const m = { ...request, id };
      const meta = {
        ...(!/^ui/.test(method) && this.#options.traceContext?.()),
        ...(onprogress && { progressToken: id }),
      };
      for (const _ in meta) m.params = { ...m.params, _meta: { ...m.params?._meta, ...meta } };
      send(transport, m, options).catch(reject);
    });
  }

  async notification({ method, params }, options) {
    this.#live();
    if (this.#options.debouncedNotificationMethods?.includes(method) && !params) {
      if (this.#debounced.has(method)) return;
      this.#debounced.add(method);
      await 0;
      this.#debounced.delete(method);
    }
    await send(this.#live(), { method, params }, options);
  }

  setRequestHandler(...args) {
    this.#set(...checked(...args));
  }

  setNotificationHandler(...args) {
    this.#set(...checked(...args));
  }

  replaceRequestHandler(method, handler) {
    this.#claimed.delete(method);
    this.#set(method, handler);
  }

  #set(method, handler) {
    this.assertRequestHandlerCapability(method);
    this.assertCanSetRequestHandler(method);
    this.#claimed.add(method);
    this.#handlers.set(method, handler);
    queueMicrotask(() => this.#deliver());
  }

  assertCanSetRequestHandler(method) {
    if (this.#claimed.has(method)) throw new Error(`Handler for ${method} already registered`);
  }

  removeRequestHandler(method) {
    this.#claimed.delete(method);
    this.#handlers.delete(method);
  }

  removeNotificationHandler(method) {
    this.removeRequestHandler(method);
  }
}

/** Converts (method, { params }, handler) to (method, handler). The new handler validates the params. */
function checked(method, schemas, handler) {
  if (!handler) return [method, schemas];
  return [
    method,
    async (m, ctx = m) => {
      const { _meta, ...params } = m.params ?? {};
      return handler(await parse(schemas.params, params, "params for " + method, -32602), ctx);
    },
  ];
}
