// The tools of the server, for app.callServerTool. Written by mcpapps types.

declare module "mcp-app" {
  interface ServerTools {
    /** Sets the status of many orders, after the user has confirmed it. */
    change_orders: {
      arguments: {
        /** change only orders of this city */
        city?: string;
        /** The key of a form that an earlier call opened, to learn its outcome. Leave it out in a first call. */
        confirm?: string;
        /** change only orders that have this status */
        from?: "open" | "packed" | "shipped" | "delivered" | "cancelled";
        /** numbers of the orders to change */
        orders?: number[];
        /** the status that the orders get */
        to: "open" | "packed" | "shipped" | "delivered" | "cancelled";
      };
    };
    /** Submits the form that change_orders opens, when the user does so in its view. */
    change_orders_submit: {
      arguments: {
        /** The key of the form. */
        confirm: string;
        /** The arguments of change_orders as the user submits them. Without them the state of the form is answered. */
        values?: { [key: string]: unknown };
      };
    };
    /** Returns which orders a change would change. */
    preview_change: {
      arguments: {
        /** change only orders of this city */
        city?: string;
        /** change only orders that have this status */
        from?: "open" | "packed" | "shipped" | "delivered" | "cancelled";
        /** numbers of the orders to change */
        orders?: number[];
        /** the status that the orders get */
        to: "open" | "packed" | "shipped" | "delivered" | "cancelled";
      };
      structuredContent: {
        /** how many orders would change */
        count: number;
        /** the first of them */
        sample: {
          /** amount in euro cents */
          cents: number;
          city: string;
          customer: string;
          /** day of the order, as 2026-03-14 */
          date: string;
          id: number;
          status: string;
        }[] | null;
      };
    };
    /** Shows a list of orders that can be searched, sorted and selected. */
    show_orders: {
      arguments: {
        /** sort from high to low */
        descending?: boolean;
        /** words that the customer, the city or the number of each order contains */
        search?: string;
        /** the column to sort by */
        sort?: "amount" | "city" | "customer" | "date" | "id" | "status";
        /** only orders with this status */
        status?: "open" | "packed" | "shipped" | "delivered" | "cancelled";
      };
      structuredContent: {
        /** whether more rows follow */
        more: boolean;
        /** how many rows the first page has */
        rows: number;
        /** what was found */
        text: string;
      };
    };
    /** The data of show_orders for its view. Only the view calls it. */
    show_orders_data: {
      arguments: {
        /** sort from high to low */
        descending?: boolean;
        /** words that the customer, the city or the number of each order contains */
        search?: string;
        /** the column to sort by */
        sort?: "amount" | "city" | "customer" | "date" | "id" | "status";
        /** only orders with this status */
        status?: "open" | "packed" | "shipped" | "delivered" | "cancelled";
        /** The position of a page, as the page before it has it. Without it: the first page. */
        view_cursor?: string;
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
