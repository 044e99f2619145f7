export const text: string = "built";
