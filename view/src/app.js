import * as c from "./constants.js";
import { EventDispatcher } from "./events.js";
import { failure, isObject } from "./message.js";
import { Protocol } from "./protocol.js";
import { watchSize } from "./size.js";
import { toolbox } from "./tools.js";
import { PostMessageTransport } from "./transport.js";

// The methods that send a request: the JSON-RPC method, a check of the result, and
// default options. A host may refuse the requests without a check with a result
// that has isError or with an error. The view gets isError in both cases.
const requests = {
  callServerTool: [
    "tools/call",
    (r) => Array.isArray((r.content ??= [])),
    { onprogress() {}, resetTimeoutOnProgress: true },
  ],
  readServerResource: ["resources/read", (r) => Array.isArray(r.contents)],
  listServerResources: ["resources/list", (r) => Array.isArray(r.resources)],
  createSamplingMessage: ["sampling/createMessage", (r) => r.content],
  updateModelContext: ["ui/update-model-context", (r) => !r.isError],
  requestDisplayMode: [c.REQUEST_DISPLAY_MODE_METHOD, (r) => /^(inline|fullscreen|pip)$/.test(r.mode)],
  sendMessage: [c.MESSAGE_METHOD],
  openLink: [c.OPEN_LINK_METHOD],
  sendOpenLink: [c.OPEN_LINK_METHOD],
  downloadFile: [c.DOWNLOAD_FILE_METHOD],
};

// The methods that send a notification.
const notifications = {
  sendLog: "notifications/message",
  sendToolListChanged: "notifications/tools/list_changed",
  requestTeardown: c.REQUEST_TEARDOWN_METHOD,
  sendSizeChanged: c.SIZE_CHANGED_METHOD,
};

// The requests of the host that the handler in an on… property answers.
const answers = {
  teardown: c.RESOURCE_TEARDOWN_METHOD,
  calltool: "tools/call",
  listtools: "tools/list",
};

// The notifications that are dispatched as events, by event name: "toolinput" and so on.
const events = {};
for (const method of [
  c.TOOL_INPUT_METHOD,
  c.TOOL_INPUT_PARTIAL_METHOD,
  c.TOOL_RESULT_METHOD,
  c.TOOL_CANCELLED_METHOD,
  c.HOST_CONTEXT_CHANGED_METHOD,
])
  events[method.slice(17).replace(/-/g, "")] = method;

function eventParams(method, params = {}) {
  const { arguments: args } = params;
  if (
    !isObject(params) ||
    !isObject(args ?? params) ||
    (method == c.TOOL_RESULT_METHOD && !Array.isArray((params.content ??= [])))
  )
    throw new Error("Invalid params for " + method);
  return /input/.test(method) ? (args ? { arguments: args } : {}) : params;
}

/** A view's side of the connection to its host. */
export class App extends Protocol {
  #info;
  #capabilities;
  #options;
  #host = {};
  #initialized;
  #events = new EventDispatcher();
  #heard = {}; // events that have or had a listener
  #tools;
  #stopWatching;

  constructor(appInfo, capabilities = {}, options) {
    super((options = { autoResize: true, ...options }));
    this.#info = appInfo;
    this.#capabilities = capabilities;
    this.#options = options;
    this.#listen("hostcontextchanged");
  }

  async connect(transport = new PostMessageTransport(parent, parent), options) {
    if (this.transport) throw new Error("Already connected");
    try {
      await super.connect(transport);
      const params = {
        appInfo: this.#info,
        appCapabilities: this.#capabilities,
        protocolVersion: c.LATEST_PROTOCOL_VERSION,
      };
      const host = await this.request({ method: c.INITIALIZE_METHOD, params }, options);
      if (![host.hostInfo, host.hostCapabilities, host.hostContext].every(isObject)) throw invalid("connect()");
      this.#host = host;
      await this.notification({ method: c.INITIALIZED_METHOD });
      this.#initialized = true;
      if (this.#options.autoResize) this.#stopWatching = this.setupSizeChangedNotifications();
    } catch (e) {
      await this.close();
      e.message = "app.connect() failed: " + e.message;
      throw e;
    }
  }

  async close() {
    this.#stopWatching?.();
    await super.close();
  }

  getHostCapabilities() {
    return this.#host.hostCapabilities;
  }

  getHostVersion() {
    return this.#host.hostInfo;
  }

  getHostContext() {
    return this.#host.hostContext;
  }

  // Events

  #listen(event) {
    if (!events[event]) throw new Error("Unknown event: " + event);
    if (this.#heard[event]) return;
    if (this.#options.strict && this.#initialized) throw new Error(event + " after connect()");
    this.setNotificationHandler(events[event], ({ method, params }) => {
      params = eventParams(method, params);
      if (event == "hostcontextchanged") this.#host.hostContext = { ...this.#host.hostContext, ...params };
      this.#events.dispatch(event, params);
    });
    this.#heard[event] = true;
  }

  addEventListener(event, handler) {
    this.#listen(event);
    this.#events.addEventListener(event, handler);
  }

  removeEventListener(event, handler) {
    this.#events.removeEventListener(event, handler);
  }

  // The view's tools

  registerTool(...args) {
    if (!this.#tools) {
      if (!this.transport) this.#capabilities = { tools: { listChanged: true }, ...this.#capabilities };
      this.#tools = toolbox(() => {
        if (this.transport && this.#capabilities.tools.listChanged) this.sendToolListChanged();
      });
      this.oncalltool = this.#tools.call;
      this.onlisttools = this.#tools.list;
    }
    return this.#tools.register(...args);
  }

  // Capabilities

  assertCapabilityForMethod(method) {
    if (/^sampling/.test(method) && !this.#host.hostCapabilities?.sampling)
      throw new Error(method + " needs sampling");
  }

  assertRequestHandlerCapability(method) {
    // This throws if method is not a string, for example a Zod schema.
    if (method.startsWith("tools/") && !this.#capabilities.tools)
      throw new Error(method + " needs capabilities.tools");
  }

  setupSizeChangedNotifications() {
    return watchSize((size) => this.sendSizeChanged(size));
  }

  static {
    const { prototype } = this;
    for (const name in requests) {
      const [method, check, defaults] = requests[name];
      prototype[name] = async function (params, options) {
        if (!this.#initialized) {
          const message = name + "() before connect()";
          if (this.#options.strict) throw new Error(message);
          console.warn(message);
        }
        try {
          const result = await this.request({ method, params }, { ...defaults, ...options });
          if (check && !check(result)) throw invalid(method);
          return result;
        } catch (error) {
          if (!check && error.name == "ProtocolError") return { isError: true, error };
          throw error;
        }
      };
    }
    for (const name in notifications)
      prototype[name] = function (params = {}) {
        return this.notification({ method: notifications[name], params });
      };
    for (const name in { ...events, ...answers })
      Object.defineProperty(prototype, "on" + name, {
        get() {
          return this.#events.getHandler(name);
        },
        set(handler) {
          if (answers[name])
            this.replaceRequestHandler(answers[name], ({ params }, extra) => {
              const handler = this.#events.getHandler(name);
              if (!handler && name != "teardown") throw new Error(`No on${name} handler set`);
              return handler?.(params, extra);
            });
          else if (handler) this.#listen(name);
          this.#events.setHandler(name, handler);
        },
      });
  }
}

function invalid(method) {
  return failure("INVALID_RESULT", "Invalid result for " + method);
}
