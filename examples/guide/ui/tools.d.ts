// The tools of the server, for app.callServerTool. Written by mcpapps types.

declare module "mcp-app" {
  interface ServerTools {
    /** Borrows a book for the user. */
    borrow_book: {
      arguments: {
        id: number;
      };
    };
    /** A page of the books that were found. */
    list_books: {
      arguments: {
        /** id of the last book that the caller has */
        after?: number;
        words: string;
      };
      structuredContent: {
        books: {
          id: number;
          title: string;
        }[] | null;
        more: boolean;
      };
    };
    /** Search the library and show the books that were found. */
    search_books: {
      arguments: {
        /** what to search for */
        words: string;
      };
      structuredContent: {
        first: {
          id: number;
          title: string;
        }[] | null;
        total: number;
        words: string;
      };
    };
    /** Show a book. */
    show_book: {
      arguments: {
        id: number;
      };
      structuredContent: {
        id: number;
        title: string;
      };
    };
    /** Show the cover of a book. */
    show_cover: {
      arguments: {
        id: number;
      };
      structuredContent: {
        id: number;
      };
    };
  }
}
