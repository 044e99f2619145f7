// The module "mcp-app/openai": what ChatGPT and Codex offer to views beyond MCP Apps.
// Put this file among the sources of a view. It needs no other file.
//
// Every function may be called in any host, after connect(). What a host lacks, it
// reports as missing: "host", and sends no request that the host does not know.

declare module "mcp-app/openai" {
  /** What the functions need of an App: both that of "mcp-app" and the reference's have it. */
  export interface OpenAIApp {
    addEventListener(event: any, handler: (params: any) => void): void;
    getHostCapabilities(): { experimental?: { [key: string]: object } } | undefined;
    getHostContext(): { [key: string]: unknown } | undefined;
    sendMessage(params: any): Promise<any>;
    updateModelContext(params: any): Promise<any>;
    readServerResource(params: any): Promise<any>;
    request(request: any, resultSchema: any): Promise<any>;
  }

  /**
   * Calls show with the link by which the view was opened, and with each later link. The
   * URL is relative to the app: it starts with one "/", also once its . and .. are
   * resolved, and has no fragment. A malformed link is ignored. A host that repeats a link in a change of something else does not
   * cause another call.
   *
   * It returns whether there is a link now. Hosts do not announce support for links: a host
   * without links never causes a call of show.
   */
  export function deepLink(app: OpenAIApp, show: (link: { url: string }) => void): boolean;

  export interface MessageOptions {
    /** The conversation: "active", the one that the user has open, by default; "new", a new one. */
    target?: "active" | "new";
    /** False appends the message to the user's draft and does not send it. True by default. */
    send?: boolean;
  }

  /**
   * Sends a message, as app.sendMessage does. With other options than the default ones it
   * sends only where the host has them, and otherwise resolves to {missing: "host"}: a
   * draft that the host does not know would be sent as a message. A host may refuse the
   * options as it refuses any message.
   */
  export function sendMessage<A extends OpenAIApp>(
    app: A,
    params: Parameters<A["sendMessage"]>[0],
    options?: MessageOptions,
  ): Promise<Awaited<ReturnType<A["sendMessage"]>> & { missing?: "host" }>;

  /** What the model knows about the view, as the host keeps it. */
  export interface ModelContextState {
    /** What update() returned for it. */
    updateId: string;
    content?: any[];
    structuredContent?: { [key: string]: unknown };
  }

  export interface ModelContext<A extends OpenAIApp> {
    /** "host": updates have no id, and onchange is not called. */
    missing?: "host";
    /**
     * Replaces what the model knows about the view, as app.updateModelContext does, and
     * returns the id of the update; undefined where the host gives no id.
     */
    update(params: Parameters<A["updateModelContext"]>[0]): Promise<string | undefined>;
  }

  /**
   * The view's part of the model's context. onchange is called with the state that the
   * host has when the view is loaded, also again, and with null once the user has removed
   * it. Hosts need not report what update() sends. It is not called for a malformed state.
   */
  export function modelContext<A extends OpenAIApp>(
    app: A,
    onchange?: (state: ModelContextState | null) => void,
  ): ModelContext<A>;

  /**
   * Keeps the id for viewState of "mcp-app/data" in ChatGPT's widget state: a view that is
   * loaded again there may get neither its input nor its result. It returns the id that an
   * earlier load of the same view has stored; otherwise it stores the given id and returns
   * it. Without an id it only returns the stored one.
   *
   *     const { id } = keepId(result?.structuredContent?.id);
   *     const state = viewState(app, id);
   *
   * The id is privateContent["mcpapps/id"] of the widget state. A view that calls
   * window.openai.setWidgetState itself has to pass it on. In other hosts, and where the
   * widget state can't hold the id, it returns the given id with missing: "host".
   */
  export function keepId(id: string): { id: string; missing?: "host" };
  export function keepId(id?: string): { id: string | undefined; missing?: "host" };

  /** The content of a file: text, or blob in base64. */
  export interface FileContent {
    text?: string;
    blob?: string;
    mimeType?: string;
    /** The version, for ifMatch of writeFile. */
    etag?: string;
    /** Whether writeFile may replace the content. */
    writable: boolean;
    missing?: undefined;
  }

  /**
   * Reads the file with which the user opened the view: uri is file.resourceUri of the
   * tool's input. Without a representation the host chooses.
   */
  export function readFile(
    app: OpenAIApp,
    uri: string,
    representation?: "text" | "blob",
  ): Promise<FileContent | { missing: "host" }>;

  /** Replaces the content: one of text, and blob in base64. */
  export type FileChange = ({ text: string; blob?: undefined } | { text?: undefined; blob: string }) & {
    /** Write only if this is still the version of the file. Without it the write is unconditional. */
    ifMatch?: string;
  };

  /** What became of a write: with "conflict", etag is the version that the file has now. */
  export type FileOutcome =
    | { outcome: "saved" | "conflict"; etag: string; maxBytes?: undefined; missing?: undefined }
    | { outcome: "too-large"; maxBytes: number; etag?: undefined; missing?: undefined }
    | { missing: "host"; outcome?: undefined };

  /** Writes the file of readFile. It throws if the host refuses the write. */
  export function writeFile(app: OpenAIApp, uri: string, change: FileChange): Promise<FileOutcome>;
}
