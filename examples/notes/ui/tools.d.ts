// The tools of the server, for app.callServerTool. Written by mcpapps types.

declare module "mcp-app" {
  interface ServerTools {
    /** Deletes a note. */
    delete_note: {
      arguments: {
        id: number;
      };
      structuredContent: {
        lists: string[] | null;
        notes: {
          /** in Unix milliseconds */
          changed: number;
          id: number;
          list: string;
          text: string;
          title: string;
          /** counts the changes; whoever changes the note names the version that they saw */
          version: number;
        }[] | null;
        preferences: {
          pageSize: number;
          showDone: boolean;
          sort: string;
        };
      };
    };
    /** Returns the .note files in the folder of the one that is open. */
    list_siblings: {
      arguments: { [key: string]: never };
      structuredContent: {
        files: {
          name: string;
          /** its first line */
          title: string;
        }[] | null;
      };
    };
    /** Moves a note to another list. Without a note or a list, the user is asked for it. */
    move_note: {
      arguments: {
        /** the list that it moves to */
        list?: "To do" | "Doing" | "Done";
        /** the number of the note */
        note?: number;
      };
    };
    /** Opens a .note file. */
    open_note_file: {
      arguments: {
        file: {
          name: string;
          resourceUri: string;
          [key: string]: unknown;
        };
      };
    };
    /** Returns the notes. */
    read_board: {
      arguments: { [key: string]: never };
      structuredContent: {
        lists: string[] | null;
        notes: {
          /** in Unix milliseconds */
          changed: number;
          id: number;
          list: string;
          text: string;
          title: string;
          /** counts the changes; whoever changes the note names the version that they saw */
          version: number;
        }[] | null;
        preferences: {
          pageSize: number;
          showDone: boolean;
          sort: string;
        };
      };
    };
    /** Adds a note or changes one. */
    save_note: {
      arguments: {
        /** the note to change, a new one if it is absent */
        id?: number;
        list: "To do" | "Doing" | "Done";
        text: string;
        title: string;
        /** the version that the user has changed */
        version?: number;
      };
      structuredContent: {
        lists: string[] | null;
        notes: {
          /** in Unix milliseconds */
          changed: number;
          id: number;
          list: string;
          text: string;
          title: string;
          /** counts the changes; whoever changes the note names the version that they saw */
          version: number;
        }[] | null;
        preferences: {
          pageSize: number;
          showDone: boolean;
          sort: string;
        };
      };
    };
    /** Finds the notes whose title or text contains a text. */
    search_notes: {
      arguments: {
        /** What the user has typed so far, which may be empty. */
        query: string;
        [key: string]: unknown;
      };
      structuredContent: {
        items: {
          name: string;
          type: "resource_link";
          uri: string;
          [key: string]: unknown;
        }[];
        [key: string]: unknown;
      };
    };
    /** Returns the settings of the user, with their schema and current values. */
    "settings.read": {
      arguments: { [key: string]: never };
      structuredContent: {
        layout?: { [key: string]: unknown }[];
        schema: { [key: string]: unknown };
        values: {
          pageSize: number;
          showDone: boolean;
          sort: string;
        };
        [key: string]: unknown;
      };
    };
    /** Changes settings of the user. Those that are not given stay as they are. Returns all values. */
    "settings.update": {
      arguments: {
        /** The settings to change, at least one, with their new values. */
        set: {
          /** More of them appear on request. */
          pageSize?: number;
          showDone?: boolean;
          sort?: "changed" | "title";
        };
      };
      structuredContent: {
        values: {
          pageSize: number;
          showDone: boolean;
          sort: string;
        };
        [key: string]: unknown;
      };
    };
    /** Shows the user's notes in lists. */
    show_board: {
      arguments: {
        /** open an empty note for the user to write */
        new?: boolean;
        /** the number of a note to open */
        note?: number;
      };
      structuredContent: {
        notes: string;
      };
    };
    /** Shows the user's notes in lists. */
    show_board_tab: {
      arguments: {
        /** open an empty note for the user to write */
        new?: boolean;
        /** the number of a note to open */
        note?: number;
      };
      structuredContent: {
        notes: string;
      };
    };
  }
}
