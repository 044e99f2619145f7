// The module "mcp-app/data": the view's side of the Go packages viewdata, viewstate
// and viewform. Put this file among the sources of a view. It needs no other file.

declare module "mcp-app/data" {
  /** What the functions need of an App: both that of "mcp-app" and the reference's have it. */
  export interface DataApp {
    addEventListener(event: any, handler: (params: any) => void): void;
    callServerTool(
      params: { name: string; arguments?: { [key: string]: unknown }; _meta?: { [key: string]: unknown } },
      options?: { signal?: AbortSignal },
    ): Promise<any>;
    getHostCapabilities(): { serverTools?: {} } | undefined;
    onteardown?: any;
    getHostContext(): { toolInfo?: { tool: { name: string } } } | undefined;
  }

  /**
   * Why there is no data: "host", the host calls no tools for its views, or has not
   * told the tool's name and the view did not give the option tool; "input", the host
   * sent neither the tool's result nor its input; "gone", the server does not keep
   * the data any more.
   */
  export type Missing = "host" | "input" | "gone";

  /** Why a call of a tool failed. missing is "host" in a host that does not say that it calls tools for views. */
  export interface CallError extends Error {
    missing?: "host";
  }

  /** What resultData found. It has one of data, missing and error. */
  export interface ResultData<T> {
    data?: T;
    /** Where data is from: the tool's result, or a tool of the library that was asked for it. */
    source?: "result" | "tool";
    /** The tool was run again: data is newer than what the model was told. */
    newer?: boolean;
    missing?: Missing;
    /** The tool or the request for the data failed, or the user cancelled the tool. */
    error?: Error;
    /** The text of the tool's result, "" without a result. */
    text: string;
    /** The arguments of the tool; undefined if the host did not send them. */
    input?: { [key: string]: unknown };
    /** Asks again, after an error of the request for the data. */
    retry?(): Promise<void>;
  }

  export interface ResultDataOptions {
    /** The tool that is asked for the data. By default the server or the host says: the name of the model's tool and "_data". */
    tool?: string;
    /**
     * How long to wait for the next of input and result, in ms; 3000 by default.
     * After that the data is requested without the result, so give more time to a
     * tool that takes longer. If the view has seen the model write the input, it
     * waits without a limit.
     */
    wait?: number;
  }

  /**
   * Passes the data of the tool call that opened the view to show, for tools of Go's
   * viewdata.Register. It takes the data from the result, or requests it where the
   * result does not have it. Call it before connect(). show is called once for each
   * result, and again after retry.
   */
  export function resultData<T = unknown>(app: DataApp, show: (result: ResultData<T>) => void, options?: ResultDataOptions): void;

  /** A page of rows, and the cursor of the next page if there is one. */
  export interface DataPage<R, E = unknown> {
    rows: R[];
    next?: string;
    /** On the first page: what Go's PageOptions.Extra returns. */
    extra?: E;
  }

  export interface PagesOptions<R> {
    /** The tool that answers with pages: the name of the model's tool and "_data". */
    tool: string;
    /** The arguments of the tool. */
    query?: object;
    /** The first page, if it is known: data as resultData passes it. */
    first?: DataPage<R>;
    /** Ends the iteration: next() then throws the reason of the signal. */
    signal?: AbortSignal;
  }

  /** The rows of a page, and on the first page what Go's PageOptions.Extra returns. */
  export type PageRows<R, E = unknown> = R[] & { extra?: E };

  export interface Pages<R, E = unknown> extends AsyncIterableIterator<PageRows<R, E>> {
    /** The next page. If it throws, the next call of next() requests the same page again. */
    next(): Promise<IteratorResult<PageRows<R, E>, undefined>>;
    /** Ends the iteration and cancels the request that is under way. */
    return(): Promise<IteratorResult<PageRows<R, E>, undefined>>;
    [Symbol.asyncIterator](): Pages<R, E>;
  }

  /**
   * Iterates over the pages of a tool of Go's viewdata.RegisterPages. When next()
   * returns a page, the page after it is already requested. Call it after connect().
   */
  export function pages<R = unknown, E = unknown>(app: DataApp, options: PagesOptions<R>): Pages<R, E>;

  export interface ViewStateOptions<T> {
    /** The tool that keeps the state; "view_state" by default. */
    tool?: string;
    /**
     * Called after each change: "local" by set, "remote" by load and by another view
     * of the same state.
     */
    onchange?(state: T, origin: "local" | "remote"): void;
    /** Called when a save has failed. The changes are kept and saved later. By default the error is logged. */
    onerror?(error: CallError): void;
  }

  export interface ViewState<T> {
    /** Loads the state. Changes made before it has arrived are applied to it. Without a state on the server it is {}. */
    load(): Promise<T>;
    /** The state as it is known, with all changes. */
    get(): T;
    /** Replaces top-level keys. The first change is saved at once, later ones at most every 250 ms. */
    set(change: Partial<T>): void;
    /** Saves now; throws if that fails. */
    flush(): Promise<void>;
  }

  /**
   * The state of a view, kept by the server under an id, for Go's viewstate.Register.
   * Call it after connect(). If another view has saved in between, the changes are
   * applied to its state: the last writer wins, for each top-level key.
   *
   * Unsaved changes are sent when the page is left, and before app.onteardown is
   * answered. A handler that is set after this call has to await flush() itself.
   */
  export function viewState<T extends object = { [key: string]: unknown }>(app: DataApp, id: string, options?: ViewStateOptions<T>): ViewState<T>;

  export interface LiveState {
    /**
     * "waiting" before the first answer; "live"; "stale" if the last request failed
     * and the value is an older one; "failed" if it failed and there is no value yet.
     */
    state: "waiting" | "live" | "stale" | "failed";
    /** When the last answer arrived, in ms since 1970. */
    since?: number;
    /** Why it is stale or failed. */
    error?: CallError;
  }

  export interface SubscribeOptions<V> {
    /** The live tool. */
    tool: string;
    /** Its arguments. */
    args?: object;
    /** The time between two requests, in ms; 1000 by default. After errors it doubles, up to 30 seconds. */
    every?: number;
    /** No requests are sent while this element is out of sight; by default the document's root. */
    element?: Element;
    /** Called with the first value and with each value that differs from the last. */
    onvalue(value: V): void;
    /** Called when the state changes. */
    onstate?(state: LiveState): void;
  }

  export interface Subscription {
    /** Requests the value now. An answer that is under way is dropped. */
    refresh(): void;
    /** Ends the subscription. */
    stop(): void;
  }

  /**
   * Follows the value of a tool of Go's viewdata.RegisterLive. It sends one request
   * at a time, and none while the page is hidden or the element is out of sight. It
   * ends when the host ends the view. Call it after connect().
   */
  export function subscribe<V = unknown>(app: DataApp, options: SubscribeOptions<V>): Subscription;

  /** What a form shows. */
  export interface FormState<I, O, D = unknown> {
    /**
     * "open", the user can submit; "running", submitted and without an outcome yet;
     * "done"; "unknown", the server can't say whether the submission had an effect;
     * "gone", the form has expired, its key was lost, or it was never opened (error and
     * missing say why), and the user has to ask for it again; "failed", the request
     * failed, and submitting again has no effect twice.
     */
    state: "open" | "running" | "done" | "unknown" | "gone" | "failed";
    /** The arguments of the model, or what was submitted. Undefined if the host did not send them. */
    values?: I;
    /** What happened, for the user. */
    text?: string;
    /** The result, when done. */
    value?: O;
    /** What Go's Form.Prepare returned, while open. */
    data?: D;
    /** Why the call of the form's tool or the submission failed. */
    error?: Error;
    /** "host": the host calls no tools for its views, so that nothing can be submitted here. */
    missing?: "host";
  }

  export interface FormOptions {
    /** The tool that submits. By default the server or the host says: the name of the model's tool and "_submit". */
    tool?: string;
    /** How long to wait for the input and the result, in ms; 3000 by default. */
    wait?: number;
    /**
     * A call of the form's tool that the view has made itself, for a form that the model
     * did not open. It is shown in place of the call that opened the view, and form() is
     * called after connect().
     */
    opened?: { input: object; result: object };
  }

  export interface Form<I> {
    /** Submits the values and ends once the answer is shown. While the form can't be submitted it does nothing. */
    submit(values: I): Promise<void>;
  }

  /**
   * A form that the model opens and the user submits, for Go's viewform.Register.
   * Call it before connect(). show is called first when the server has said whether
   * the form is still open, and after each change.
   */
  export function form<I extends object = { [key: string]: unknown }, O = unknown, D = unknown>(
    app: DataApp,
    show: (form: FormState<I, O, D>) => void,
    options?: FormOptions,
  ): Form<I>;
}
