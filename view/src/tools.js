import { parse } from "./message.js";

const jsonSchema = (schema, direction) => schema["~standard"]?.jsonSchema[direction]({ target: "draft-2020-12" }) ?? schema;

/** The tools that a view offers to its host. It calls changed after each change of them. */
export function toolbox(changed) {
  const tools = { __proto__: null };
  return {
    register(name, config, callback) {
      const { inputSchema, outputSchema } = config;
      if (tools[name]) throw new Error(`Tool ${name} already registered`);
      const update = (updates) => {
        Object.assign(tool, updates);
        changed();
      };
      const tool = (tools[name] = {
        ...config,
        enabled: true,
        enable: () => update({ enabled: true }),
        disable: () => update({ enabled: false }),
        update,
        remove() {
          if (tools[name] != tool) return;
          delete tools[name];
          changed();
        },
        async handler(args = {}, extra) {
          const result = await (inputSchema
            ? callback(await parse(inputSchema, args, "input for tool " + name), extra)
            : callback(extra));
          if (outputSchema && !result.isError)
            result.structuredContent = await parse(outputSchema, result.structuredContent, "output for tool " + name);
          return result;
        },
      });
      changed();
      return tool;
    },

    async call({ name, arguments: args }, extra) {
      const tool = tools[name];
      if (!tool?.enabled) throw new Error(`Tool ${name} ${tool ? "is disabled" : "not found"}`);
      return tool.handler(args, extra);
    },

    async list() {
      const list = [];
      for (const name in tools) {
        const { enabled, enable, disable, update, remove, handler, inputSchema, outputSchema, ...tool } = tools[name];
        if (enabled)
          list.push({
            ...tool,
            name,
            inputSchema: inputSchema ? await jsonSchema(inputSchema, "input") : { type: "object", properties: {} },
            outputSchema: outputSchema && (await jsonSchema(outputSchema, "output")),
          });
      }
      return { tools: list };
    },
  };
}
