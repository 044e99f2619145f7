// The tools of the server, for app.callServerTool. Written by mcpapps types.

declare module "mcp-app" {
  interface ServerTools {
    /** Takes a sample of the process and returns the newest samples. */
    sample_metrics: {
      arguments: {
        /** The version that the view has. */
        view_version?: string;
      };
    };
    /** Shows the running Go process as live charts: heap, goroutines, garbage collection pauses and scheduler latency. */
    show_monitor: {
      arguments: {
        /** how far to look back, in seconds */
        seconds?: number;
      };
      structuredContent: {
        latest: {
          /** heap allocation rate since the previous sample, in bytes per second */
          allocBytesPerSecond: number;
          /** garbage collections since the process started */
          gcCycles: number;
          /** upper bound of the longest of these pauses, in nanoseconds; 0 if there was no pause */
          gcPauseMaxNs: number;
          /** stop-the-world pauses of the garbage collector since the previous sample */
          gcPauses: number;
          /** live goroutines */
          goroutines: number;
          /** memory occupied by heap objects */
          heapBytes: number;
          /** heap size at which the garbage collector finishes its next cycle */
          heapGoalBytes: number;
          /** all memory that the Go runtime has mapped */
          mappedBytes: number;
          /** median time that a runnable goroutine waited for a processor since the previous sample, in nanoseconds; 0 if no wait was measured */
          schedLatencyP50Ns: number;
          /** 99th percentile of that time, in nanoseconds; 0 if no wait was measured */
          schedLatencyP99Ns: number;
          /** number of the sample, counted from 1 */
          seq: number;
          /** when it was taken, in Unix milliseconds */
          time: number;
        };
        process: {
          goVersion: string;
          gomaxprocs: number;
          pid: number;
          /** when the monitor started, in Unix milliseconds */
          started: number;
        };
        window: {
          gcPauseMaxNs: number;
          gcPauses: number;
          goroutinesMax: number;
          goroutinesMin: number;
          heapBytesMax: number;
          heapBytesMin: number;
          samples: number;
          schedLatencyP99MaxNs: number;
          /** time from the first sample to the last */
          seconds: number;
        };
      };
    };
    /** The data of show_monitor for its view. Only the view calls it. */
    show_monitor_data: {
      arguments: {
        /** how far to look back, in seconds */
        seconds?: number;
      };
    };
    /** For views only: loads and saves what a view remembers, such as filters and drafts. */
    view_state: {
      arguments: {
        /** The id of the state, which the view has from a tool's result */
        id: string;
        /** The state to save; null to delete it; absent to load it */
        state?: null | { [key: string]: unknown };
        /** The version that the save replaces, 0 if it replaces nothing */
        version?: number;
      };
    };
  }
}
