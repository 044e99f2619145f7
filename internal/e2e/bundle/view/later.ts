export const later: string = "dynamic";
