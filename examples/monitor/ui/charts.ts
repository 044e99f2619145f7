// The charts of the monitor.
import type { Spec } from "./chart";
import { bytes, count, nanos } from "./format";

export const specs: Spec[] = [
  {
    id: "heap",
    title: "Heap in use",
    axis: bytes,
    floor: 1e6,
    series: [
      { of: (s) => s.heapBytes, kind: "area" },
      { of: (s) => s.heapGoalBytes, kind: "line dashed" },
    ],
    key: [["", "in use"], ["dashed", "goal"]],
    now: (s) => bytes(s.heapBytes),
    sub: (s) => `${bytes(s.heapGoalBytes)} goal, ${bytes(s.allocBytesPerSecond)}/s allocated`,
  },
  {
    id: "goroutines",
    title: "Goroutines",
    axis: count,
    floor: 4,
    whole: true,
    series: [{ of: (s) => s.goroutines, kind: "steps" }],
    now: (s) => count(s.goroutines),
    sub: (s) => `${bytes(s.mappedBytes)} mapped by the runtime`,
  },
  {
    id: "pauses",
    title: "GC pauses",
    axis: nanos,
    floor: 1e5,
    series: [{ of: (s) => s.gcPauseMaxNs, kind: "bars" }],
    // Most samples have no pause, so this shows the latest sample that has one.
    now: (_, before) => {
      const last = before.findLast((b) => b.gcPauses);
      return last ? nanos(last.gcPauseMaxNs) : "None";
    },
    sub: (s, before) => {
      const which = before.some((b) => b.gcPauses) ? "latest" : "in view";
      return `${which}, ${count(s.gcCycles)} ${s.gcCycles === 1 ? "collection" : "collections"} so far`;
    },
  },
  {
    id: "latency",
    title: "Scheduler latency",
    axis: nanos,
    floor: 1e4,
    series: [
      { of: (s) => s.schedLatencyP99Ns, kind: "line" },
      { of: (s) => s.schedLatencyP50Ns, kind: "line faint" },
    ],
    key: [["", "p99"], ["faint", "median"]],
    now: (s) => (s.schedLatencyP99Ns ? nanos(s.schedLatencyP99Ns) : "None"),
    sub: (s) => (s.schedLatencyP99Ns ? `99th percentile, median ${nanos(s.schedLatencyP50Ns)}` : "no wait was measured"),
  },
];
