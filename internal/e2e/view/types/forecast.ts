// A view of a server whose tools are declared. Each line that is wrong has to be
// an error.
import { App, type ServerToolResult, type ServerTools } from "mcp-app";

const app = new App({ name: "forecast", version: "1.0.0" });

export async function main() {
  const result = await app.callServerTool({ name: "forecast", arguments: { city: "Bern", days: 3, unit: "C" } });
  if (!result.isError) {
    const days = result.structuredContent.days;
    const first: number | undefined = days?.[0]?.celsius;
    const next: string | null | undefined = result.structuredContent.next?.next?.place;
    console.log(first, next);
    // @ts-expect-error no such field
    console.log(days?.[0]?.fahrenheit);
  }
  // @ts-expect-error it may have failed
  console.log(result.structuredContent.days);

  await app.callServerTool({ name: "refresh" });
  await app.callServerTool({ name: "a-b.c", arguments: { anything: 1 } }, { timeout: 1 });
  const { content } = await app.callServerTool({ name: "refresh", arguments: {} });
  console.log(content.length);

  // @ts-expect-error no such tool
  await app.callServerTool({ name: "forcast", arguments: { city: "Bern" } });
  // @ts-expect-error no city
  await app.callServerTool({ name: "forecast", arguments: {} });
  // @ts-expect-error no arguments
  await app.callServerTool({ name: "forecast" });
  // @ts-expect-error no such argument
  await app.callServerTool({ name: "forecast", arguments: { city: "Bern", town: "Bern" } });
  // @ts-expect-error no such unit
  await app.callServerTool({ name: "forecast", arguments: { city: "Bern", unit: "K" } });
  // @ts-expect-error the tool has no arguments
  await app.callServerTool({ name: "refresh", arguments: { now: true } });
}

app.addEventListener("toolinput", ({ arguments: args }) => {
  const { city } = args as ServerTools["forecast"]["arguments"];
  console.log(city.toUpperCase());
});

app.ontoolresult = (params) => {
  const result = params as ServerToolResult<"forecast">;
  if (!result.isError) {
    const { days }: ServerTools["forecast"]["structuredContent"] = result.structuredContent;
    console.log(days?.length);
  }
  // @ts-expect-error it may have failed
  console.log(result.structuredContent.days);
};
